import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import type { Family } from '../../../../../catalogue/family.ts';
import type { FieldValue } from '../../../../../catalogue/fields/index.ts';
import { createCredentials, createDevice, getDevice, listDevices } from '../../../../../contract/register/devices.ts';
import { listConnectable } from '../../../../../contract/wires/provisioning.ts';
import { call, useCall, useSend } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { Row } from '../../../parts/declared/source.ts';
import { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { Card, NoPermission, Skeleton } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ChooseDevice } from './ChooseDevice.tsx';
import type { Issued } from '../../../parts/provisioning/issue.ts';
import { NewDeviceForm } from '../../../parts/provisioning/NewDeviceForm.tsx';
import type { ConnectAddress } from './use-address.ts';
import styles from './connect.module.css';

const reporting = families.filter((family) => family.report !== null);
/** What the next device of a row has in common with the one before. */
const inCommon = ['workId', 'roadId', 'groupId', 'deviceTypeId', 'factoryId', 'power'] as const;

interface Props {
  address: ConnectAddress;
  onBegun: (issued: Issued | null, deviceId: number) => void;
}

/** Step 1: a new device, or a registered one that has no credentials yet. */
export function DeviceStep({ address, onBegun }: Props) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const mayAdd = usePermission('device.add');
  const mayIssue = usePermission('device.credentials');
  const [wanted, setWanted] = useState<'new' | 'existing'>(mayAdd ? 'new' : 'existing');
  const kind = mayAdd ? wanted : 'existing';
  const named = familyOf(address.family ?? '');
  const family = named?.report ? named : null;
  const { setTyped, guard } = useTypedInput(kind === 'new' && family !== null, t('connect.title'));
  if (!mayIssue)
    return (
      <Card>
        <NoPermission code="device.credentials" />
      </Card>
    );
  return (
    <Card>
      <div className={styles.choice}>
        {mayAdd ? (
          <Segmented<'new' | 'existing'>
            value={kind}
            onChange={(next) => guard(() => setWanted(next))}
            options={[
              { value: 'new', label: t('device.new') },
              { value: 'existing', label: t('device.existing') },
            ]}
            aria-label={t('step.device')}
          />
        ) : (
          <p className={styles.hint}>{t('device.onlyExisting')}</p>
        )}
        <div className={styles.field}>
          <label htmlFor="connect-family">{t('device.family')}</label>
          <Select
            id="connect-family"
            className={styles.family ?? ''}
            value={family?.key ?? null}
            placeholder={t('device.chooseFamily')}
            allowClear={kind === 'existing'}
            showSearch={{ optionFilterProp: 'label' }}
            options={reporting.map(({ key }) => ({ value: key, label: names.family(key) }))}
            onChange={(key?: string) => guard(() => address.choose(key ?? ''))}
          />
        </div>
      </div>
      {kind === 'existing' ? (
        <ChooseDevice key={family?.key ?? ''} family={family?.key ?? null} onBegun={onBegun} />
      ) : family === null ? (
        <p className={styles.hint}>{t('device.familyFirst')}</p>
      ) : (
        <NewDevice
          key={`${family.key}/${address.like ?? ''}`}
          family={family}
          like={address.like}
          onBegun={onBegun}
          onTyped={setTyped}
        />
      )}
    </Card>
  );
}

interface NewProps {
  family: Family;
  onBegun: Props['onBegun'];
  onTyped: (typed: boolean) => void;
}

function NewDevice({ like, ...rest }: NewProps & { like: number | null }) {
  // Where the one before stands, the next one stands too.
  const before = useCall(getDevice, { params: { id: like ?? 0 } }, { enabled: like !== null });
  if (like !== null && before.isPending) return <Skeleton rows={8} height={360} />;
  return <NewForm {...rest} before={(before.data as Row | undefined) ?? null} />;
}

function NewForm({ family, before, onBegun, onTyped }: NewProps & { before: Row | null }) {
  const { t } = useTranslation('provisioning');
  const register = useSend(createDevice, [listDevices, listConnectable], { quiet: true });
  const initial = {
    values: Object.fromEntries(inCommon.map((name) => [name, (before?.[name] ?? null) as FieldValue])),
    labels: before?.labels ?? {},
  };
  return (
    <div className={styles.form}>
      <NewDeviceForm
        family={family}
        initial={initial}
        submitText={t('device.create')}
        onTyped={onTyped}
        create={async (body) => {
          const { id } = await register.mutateAsync({ body });
          return { id, issued: await issueFor(id) };
        }}
        onCreated={({ id, issued }) => onBegun(issued, id)}
      />
    </div>
  );
}

/** Its credentials at once; where that fails the next step offers it again. */
const issueFor = async (id: number): Promise<Issued | null> => {
  if (inPreview()) return null;
  const credentials = await call(createCredentials, { params: { id }, query: {} }, { quiet: true }).catch(() => null);
  return credentials && { deviceId: id, credentials };
};

import { Button, Checkbox, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import {
  claimNewcomer,
  getNewcomer,
  listBatches,
  listConnectable,
  listNewcomers,
} from '../../../../../contract/wires/provisioning.ts';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { useSend } from '../../../api/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { useTypedInput } from '../../../parts/declared/use-typed-input.ts';
import { Refusal } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ConnectablePicker, type Choice } from '../../../parts/provisioning/ConnectablePicker.tsx';
import { NewDeviceForm } from '../../../parts/provisioning/NewDeviceForm.tsx';
import { deviceOf, draftOf, type OpenNewcomer } from './newcomer.ts';
import styles from './inbox.module.css';

/** Says that something was typed, and asks before it is lost. */
export type Typing = ReturnType<typeof useTypedInput>;
export type Claimed = ReplyOf<typeof claimNewcomer>;
const reporting = families.filter((family) => family.report !== null);
const useClaim = () =>
  useSend(claimNewcomer, [listNewcomers, getNewcomer, listBatches, listConnectable, listDevices], { quiet: true });

interface Props {
  one: OpenNewcomer;
  onClaimed: (claimed: Claimed) => void;
  typing: Typing;
}

/** Makes a newcomer a device: a new one, its form filled with what it said, or one that is registered already. */
export function ClaimPanel({ one, onClaimed, typing }: Props) {
  const { t } = useTranslation('provisioning');
  const [kind, setKind] = useState<'new' | 'existing'>(one.matches.length > 0 ? 'existing' : 'new');
  return (
    <div className={styles.claim}>
      <Segmented<'new' | 'existing'>
        value={kind}
        onChange={(next) => typing.guard(() => setKind(next))}
        options={[
          { value: 'new', label: t('device.new') },
          { value: 'existing', label: t('claim.existing') },
        ]}
        aria-label={t('claim.title')}
      />
      {kind === 'new' ? (
        <AsNew one={one} onClaimed={onClaimed} typing={typing} />
      ) : (
        <AsExisting one={one} onClaimed={onClaimed} />
      )}
    </div>
  );
}

function AsNew({ one, onClaimed, typing }: Props) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const send = useClaim();
  const [key, setKey] = useState(one.family);
  const family = familyOf(key ?? '');
  const { family: _family, ...values } = deviceOf(one, draftOf(one, undefined));
  return (
    <>
      <div className={styles.field}>
        <label htmlFor="claim-family">{t('device.family')}</label>
        <Select
          id="claim-family"
          className={styles.family ?? ''}
          value={key}
          placeholder={t('device.chooseFamily')}
          showSearch={{ optionFilterProp: 'label' }}
          options={reporting.map((each) => ({ value: each.key, label: names.family(each.key) }))}
          onChange={(next) => typing.guard(() => setKey(next))}
        />
      </div>
      {family ? (
        <div className={styles.form}>
          <NewDeviceForm
            key={family.key}
            family={family}
            initial={{ values, labels: { workId: one.workName } }}
            submitText={t('claim.submit')}
            onTyped={typing.setTyped}
            create={(device) => send.mutateAsync({ params: { id: one.id }, body: { device } })}
            onCreated={onClaimed}
          />
        </div>
      ) : null}
    </>
  );
}

function AsExisting({ one, onClaimed }: Omit<Props, 'typing'>) {
  const { t } = useTranslation('provisioning');
  const send = useClaim();
  const [chosen, setChosen] = useState<Choice | null>(() => {
    const [match] = one.matches;
    return match ? { value: match.id, label: match.code } : null;
  });
  const [replace, setReplace] = useState(false);
  const taken = one.matches.find(({ id }) => id === chosen?.value)?.hasCredentials === true;
  const claim = (): void => {
    if (chosen)
      send.mutate(
        { params: { id: one.id }, body: { deviceId: chosen.value, ...(taken ? { replace } : {}) } },
        { onSuccess: onClaimed },
      );
  };
  return (
    <>
      <ConnectablePicker
        id="claim-device"
        chosen={chosen}
        onChoose={setChosen}
        family={one.family}
        workArea={one.workId}
        first={one.matches}
        hint={t(one.matches.length > 0 ? 'claim.matches' : 'device.existingHint')}
      />
      {taken ? (
        <Checkbox checked={replace} onChange={(event) => setReplace(event.target.checked)}>
          {t('claim.replace')}
        </Checkbox>
      ) : null}
      {send.error ? <Refusal error={send.error} /> : null}
      <div>
        <Button
          type="primary"
          disabled={chosen === null || inPreview() || (taken && !replace)}
          loading={send.isPending}
          onClick={claim}
        >
          {t('claim.submit')}
        </Button>
      </div>
    </>
  );
}

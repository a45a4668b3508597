import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../../catalogue/families/index.ts';
import { getDevice } from '../../../../../contract/register/devices.ts';
import { ApiError, useAgain, useCall, useLive } from '../../../api/index.ts';
import { usePageExists, useOpen, useTabTitle } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { Row } from '../../../parts/declared/source.ts';
import { Card, Empty, ErrorState, Skeleton } from '../../../parts/index.ts';
import { CredentialsStep } from './CredentialsStep.tsx';
import { DeviceStep } from './DeviceStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { Frame } from './Frame.tsx';
import { LineStep } from './LineStep.tsx';
import type { Issued } from '../../../parts/provisioning/issue.ts';
import { useConnectAddress, type ConnectAddress } from './use-address.ts';
import { useEvery } from './use-every.ts';

const everyMs = 3000;
/** While its credentials are copied nothing of the device itself is waited for. */
const meanwhileMs = 60_000;

/**
 * A device on its way in: register or choose it, give it credentials, watch its line until it speaks, see it on the
 * map.
 */
export default function Connect() {
  const address = useConnectAddress();
  // The password is shown once; it lives as long as the tab, never in an address.
  const [issued, setIssued] = useState<Issued | null>(null);
  const begun = (given: Issued | null, deviceId: number): void => {
    setIssued(given);
    address.show(deviceId, 'credentials');
  };
  if (address.deviceId === null) return <Start address={address} onBegun={begun} />;
  return (
    <One
      key={address.deviceId}
      id={address.deviceId}
      address={address}
      issued={issued?.deviceId === address.deviceId ? issued : null}
      onIssued={setIssued}
    />
  );
}

function Start({
  address,
  onBegun,
}: {
  address: ConnectAddress;
  onBegun: (issued: Issued | null, deviceId: number) => void;
}) {
  const { t } = useTranslation('provisioning');
  const open = useOpen();
  const inbox = usePageExists()('asset/inbox');
  useTabTitle(t('connect.title'));
  return (
    <Frame
      at="device"
      note={t('connect.note')}
      actions={inbox ? <Button onClick={() => open('asset/inbox')}>{t('inbox.title')}</Button> : null}
    >
      <DeviceStep address={address} onBegun={onBegun} />
    </Frame>
  );
}

function One({
  id,
  address,
  issued,
  onIssued,
}: {
  id: number;
  address: ConnectAddress;
  issued: Issued | null;
  onIssued: (issued: Issued) => void;
}) {
  const { t } = useTranslation('provisioning');
  const names = useNames();
  const device = useCall(
    getDevice,
    { params: { id } },
    { staleTime: 0, every: useEvery(address.step === 'credentials' ? meanwhileMs : everyMs) },
  );
  useLive(`device:${id}`, useAgain(device));
  const row = device.data as Row | undefined;
  useTabTitle(row ? t('connect.tab', { code: String(row['equipmentCode']) }) : t('connect.title'));
  const again = <Button onClick={() => address.begin()}>{t('connect.other')}</Button>;
  const missing = device.error instanceof ApiError && (device.error.status === 404 || device.error.status === 403);
  if (!row) {
    return (
      <Frame at={address.step} actions={again}>
        <Card>
          {missing ? (
            <Empty title={t('connect.gone')} action={{ text: t('connect.other'), onClick: () => address.begin() }} />
          ) : device.error ? (
            <ErrorState error={device.error} onRetry={device.refetch} />
          ) : (
            <Skeleton rows={8} height={360} />
          )}
        </Card>
      </Frame>
    );
  }
  const family = String(row['family']);
  const silent = familyOf(family)?.report === null;
  const note = (
    <>
      <b className="code">{String(row['equipmentCode'])}</b> {String(row['equipmentName'] ?? '')} ·{' '}
      {names.family(family)}
    </>
  );
  return (
    <Frame
      at={address.step}
      note={note}
      actions={again}
      reachable={silent ? [] : ['credentials', 'line', 'done']}
      onStep={(step) => {
        if (step !== 'device') address.show(id, step);
      }}
    >
      {silent ? (
        <Card>
          <Empty title={t('connect.silent', { family: names.family(family) })} />
        </Card>
      ) : null}
      {!silent && address.step === 'credentials' ? (
        <CredentialsStep row={row} issued={issued} onIssued={onIssued} onNext={() => address.show(id, 'line')} />
      ) : null}
      {!silent && address.step === 'line' ? (
        <LineStep
          row={row}
          issued={issued}
          onDone={() => address.show(id, 'done')}
          onCredentials={() => address.show(id, 'credentials')}
        />
      ) : null}
      {!silent && address.step === 'done' ? (
        <DoneStep
          row={row}
          onNext={() => address.begin({ family, like: id })}
          onLine={() => address.show(id, 'line')}
        />
      ) : null}
    </Frame>
  );
}

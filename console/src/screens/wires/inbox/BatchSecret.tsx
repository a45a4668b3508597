import { Button, Modal } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { getDeviceProtocol } from '../../../../../contract/wires/device-protocol.ts';
import { useCall } from '../../../api/index.ts';
import { brokerOf } from '../../../parts/declared/first-message.ts';
import { Part } from '../../../parts/declared/Part.tsx';
import { helloCommand, playNewcomer } from '../../../parts/provisioning/issue.ts';
import declared from '../../../parts/declared/declared.module.css';

export interface Secret {
  readonly batchId: number;
  readonly name: string;
  readonly credentials: { readonly username: string; readonly password: string };
}

/** What a device of the batch would choose by itself; here for somebody who plays one by hand. */
function randomSecret(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The secret of a batch, shown once, with lines that play one of its devices. */
export function BatchSecret({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  return (
    <Modal
      open={secret !== null}
      title={t('batch.secret', { name: secret?.name ?? '' })}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      width={680}
      destroyOnHidden
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {words('credentials.kept')}
        </Button>
      }
    >
      {secret ? <Shown key={secret.credentials.password} secret={secret} /> : null}
    </Modal>
  );
}

function Shown({ secret: { batchId, credentials } }: { secret: Secret }) {
  const { t } = useTranslation('provisioning');
  const { t: words } = useTranslation('declared');
  const protocol = useCall(getDeviceProtocol, undefined, { staleTime: 600_000 });
  const broker = protocol.data ? brokerOf(protocol.data) : undefined;
  const hello = useMemo(
    () => JSON.stringify({ secret: randomSecret(), family: 'single-lamp-controller', model: 'LC-200' }),
    [],
  );
  return (
    <>
      <p className={declared.note} role="status">
        {words('credentials.once')}
      </p>
      <div className={declared.secret}>
        <Part name={words('credentials.clientId')} text={t('batch.clientId')} />
        <Part name={words('credentials.username')} text={credentials.username} />
        <Part name={words('credentials.password')} text={credentials.password} />
      </div>
      {broker ? (
        <>
          <p className={declared.tryNote}>{t('batch.try')}</p>
          <div className={declared.secret}>
            <Part name={t('commands.simulator')} text={playNewcomer(broker, credentials, 'SN-0001')} />
            <Part name={t('commands.publish')} text={helloCommand(broker, batchId, credentials, 'SN-0002', hello)} />
          </div>
        </>
      ) : null}
    </>
  );
}

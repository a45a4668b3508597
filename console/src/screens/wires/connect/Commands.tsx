import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getDeviceProtocol } from '../../../../../contract/wires/device-protocol.ts';
import { useCall } from '../../../api/index.ts';
import { brokerOf, exampleMessage, publishCommand } from '../../../parts/declared/first-message.ts';
import { Part } from '../../../parts/declared/Part.tsx';
import type { Row } from '../../../parts/declared/source.ts';
import { Refusal, Skeleton } from '../../../parts/index.ts';
import { playDevice, type Issued } from '../../../parts/provisioning/issue.ts';
import declared from '../../../parts/declared/declared.module.css';
import styles from './connect.module.css';

/** Ready lines that play this device: one message with mosquitto_pub, or the whole device with the simulator. */
export function Commands({ row, issued }: { row: Row; issued: Issued }) {
  const { t } = useTranslation('provisioning');
  const [at] = useState(() => new Date().toISOString());
  const protocol = useCall(getDeviceProtocol, undefined, { staleTime: 600_000 });
  if (protocol.isPending) return <Skeleton rows={3} height={120} />;
  const broker = protocol.data ? brokerOf(protocol.data) : undefined;
  if (!broker) return <Refusal error={protocol.error ?? new Error(t('commands.noBroker'))} />;
  const family = String(row['family']);
  const message = exampleMessage(family, at);
  return (
    <>
      <p className={styles.hint}>{t('commands.note')}</p>
      <div className={declared.secret}>
        <Part name={t('commands.broker')} text={broker.host} />
        <Part name={t('commands.topic')} text={`lampyris/v1/devices/${row.id}/readings`} />
        {message === null ? null : (
          <Part name={t('commands.publish')} text={publishCommand(broker, row.id, issued.credentials, message)} />
        )}
        <Part name={t('commands.simulator')} text={playDevice(broker, family, issued.credentials)} />
      </div>
    </>
  );
}

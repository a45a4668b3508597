import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { familyOf } from '../../../../catalogue/families/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { getDeviceProtocol } from '../../../../contract/wires/device-protocol.ts';
import { getDevice, type createCredentials } from '../../../../contract/register/devices.ts';
import { useCall, useLive } from '../../api/index.ts';
import { useDeviceAddress, useOpen } from '../../frame/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { StateMark } from '../state/StateMark.tsx';
import { ReportedValue } from './columns.tsx';
import { brokerOf, exampleMessage, publishCommand } from './first-message.ts';
import { Part } from './Part.tsx';
import type { Row } from './source.ts';
import styles from './declared.module.css';

/** Asked again so often: the live line tells sooner, but not to everybody. */
const everyMs = 3000;

interface Props {
  row: Row;
  issued: ReplyOf<typeof createCredentials>;
  /** When its newest reading before this came. */ before: string | null;
  onLeave: () => void;
}

/** What to send with new credentials, and whether it has arrived. */
export function FirstMessage({ row, issued, before, onLeave }: Props) {
  const { t } = useTranslation('declared');
  const family = String(row['family']);
  const [at] = useState(() => new Date().toISOString());
  const protocol = useCall(getDeviceProtocol, undefined, { staleTime: 600_000 });
  const broker = protocol.data ? brokerOf(protocol.data) : undefined;
  const message = exampleMessage(family, at);
  return (
    <>
      {broker && message !== null ? (
        <>
          <p className={styles.tryNote}>{t('credentials.try')}</p>
          <div className={styles.secret}>
            <Part name={t('credentials.command')} text={publishCommand(broker, row.id, issued, message)} />
            <Part name={t('credentials.message')} text={message} />
          </div>
        </>
      ) : null}
      <Arrival id={row.id} family={family} before={before} onLeave={onLeave} />
    </>
  );
}

function Arrival({
  id,
  family,
  before,
  onLeave,
}: {
  id: number;
  family: string;
  before: string | null;
  onLeave: () => void;
}) {
  const { t } = useTranslation('declared');
  const names = useNames();
  const open = useOpen();
  const page = useDeviceAddress()(family, id);
  const device = useCall(getDevice, { params: { id } }, { every: everyMs, staleTime: 0 });
  useLive(`device:${id}`, () => void device.refetch());
  const latest = device.data?.latest ?? null;
  const arrived = latest !== null && latest.receivedAt !== null && latest.receivedAt !== before;
  const reported = arrived
    ? (familyOf(family)?.quantities ?? []).filter(({ key }) => latest.values[key] !== undefined)
    : [];
  return (
    <section className={styles.arrival} role="status">
      {arrived ? (
        <StateMark state="on" word={t('credentials.arrived')} />
      ) : (
        <StateMark state="unknown" word={t('credentials.waiting')} />
      )}
      {reported.length > 0 ? (
        <dl>
          {reported.map((quantity) => (
            <div key={quantity.key}>
              <dt>{names.quantity(quantity.key)}</dt>
              <dd>
                <ReportedValue quantity={quantity} value={latest?.values[quantity.key]} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {arrived && page !== undefined ? (
        <Button
          size="small"
          onClick={() => {
            onLeave();
            open(page);
          }}
        >
          {t('credentials.toDevice')}
        </Button>
      ) : null}
    </section>
  );
}

import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { getDeviceLink } from '../../../../../contract/wires/provisioning.ts';
import { useAgain, useCall, useLive } from '../../../api/index.ts';
import type { Row } from '../../../parts/declared/source.ts';
import { Alert, Card, Icon, Refusal, RelativeTime, Skeleton, StateMark, type MarkState } from '../../../parts/index.ts';
import { Commands } from './Commands.tsx';
import type { Issued } from '../../../parts/provisioning/issue.ts';
import { isWrong, reached, wordOf, type Link, type LinkEvent } from './line.ts';
import { useEvery } from './use-every.ts';
import styles from './connect.module.css';

const everyMs = 2000;

interface Props {
  row: Row;
  issued: Issued | null;
  onDone: () => void;
  onCredentials: () => void;
}

/** Step 3: what happens on the line of the device, try by try, until its first message is there. */
export function LineStep({ row, issued, onDone, onCredentials }: Props) {
  const { t } = useTranslation('provisioning');
  const link = useCall(
    getDeviceLink,
    { params: { id: row.id }, query: {} },
    { staleTime: 0, every: useEvery(everyMs) },
  );
  useLive(`device:${row.id}`, useAgain(link));
  if (link.isPending)
    return (
      <Card>
        <Skeleton rows={6} height={280} />
      </Card>
    );
  if (!link.data)
    return (
      <Card>
        <Refusal error={link.error} />
      </Card>
    );
  const done = reached(link.data);
  return (
    <div className={styles.line}>
      <Card title={t('line.title')}>
        <Checks link={link.data} />
        {link.data.issuedAt === null ? (
          <Alert
            title={t('credentials.none')}
            action={<Button onClick={onCredentials}>{t('step.credentials')}</Button>}
          />
        ) : null}
        {done.heard ? (
          <Alert
            kind="done"
            title={t('line.arrived')}
            action={
              <Button type="primary" onClick={onDone}>
                {t('line.next')}
              </Button>
            }
          />
        ) : null}
        {!link.data.builtIn && !done.heard ? <p className={styles.hint}>{t('line.siteBroker')}</p> : null}
      </Card>
      <Card title={t('line.events')} extra={t('line.eventsNote')}>
        <Events events={link.data.events} />
      </Card>
      {issued ? (
        <Card title={t('commands.title')}>
          <Commands row={row} issued={issued} />
        </Card>
      ) : null}
    </div>
  );
}

function Checks({ link }: { link: Link }) {
  const { t } = useTranslation('provisioning');
  const done = reached(link);
  const state = (is: boolean): MarkState => (is ? 'on' : 'unknown');
  // A broker of the site does not tell who subscribes.
  const checks = (['connected', 'subscribed', 'heard'] as const).filter((key) => key !== 'subscribed' || link.builtIn);
  return (
    <div role="status">
      <ol className={styles.checks}>
        {checks.map((key) => (
          <li key={key} data-done={done[key] || undefined}>
            <StateMark state={state(done[key])} word={t(done[key] ? `line.${key}` : `line.${key}.not`)} />
            <p>{t(`line.${key}.about`)}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Events({ events }: { events: readonly LinkEvent[] }) {
  const { t } = useTranslation('provisioning');
  if (events.length === 0) return <p className={styles.hint}>{t('line.nothing')}</p>;
  return (
    <div className={styles.events} role="log" aria-label={t('line.events')}>
      <ol>
        {events.map((event) => (
          <li key={event.id} data-wrong={isWrong(event) || undefined}>
            <Icon name={isWrong(event) ? 'warning' : event.kind === 'disconnected' ? 'minus' : 'check'} size={14} />
            <span className={styles.eventText}>
              {t(wordOf(event))}
              {event.detail === null ? null : <code>{event.detail}</code>}
              {event.times > 1 ? <> {t('event.times', { count: event.times })}</> : null}
            </span>
            <span className={styles.eventAt}>
              {event.address === null ? null : <span className="code">{event.address.replace(/^::ffff:/, '')}</span>}
              <RelativeTime at={event.at} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

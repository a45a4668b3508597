import { useTranslation } from 'react-i18next';
import { relativeText } from '../../../parts/time/RelativeTime.tsx';
import { StateMark, useTime } from '../../../parts/index.ts';
import type { LogRow } from './log.ts';
import styles from './logs.module.css';

/** When: the site's clock; on hover how long ago. */
export function Time({ at }: { at: string }) {
  const { i18n } = useTranslation('logs');
  const time = useTime();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  return (
    <time className={styles.time} dateTime={at} title={relativeText(date, Date.now(), i18n.language)}>
      {time(date, 'dateTime')}
    </time>
  );
}

/** How it ended: colour, shape and word; of a call its status too. */
export function Result({ row }: { row: Pick<LogRow, 'succeeded' | 'status'> }) {
  const { t } = useTranslation('logs');
  return (
    <span className={styles.result}>
      <StateMark state={row.succeeded ? 'on' : 'alarm'} word={t(row.succeeded ? 'result.success' : 'result.failure')} />
      {row.status === undefined ? null : <span className="code">{row.status}</span>}
    </span>
  );
}

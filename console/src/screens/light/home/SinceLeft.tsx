import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon, useTime } from '../../../parts/index.ts';
import { local } from '../../../session/index.ts';
import type { Away } from './calls.ts';
import { Line } from './Line.tsx';
import needs from './needs.module.css';
import styles from './head.module.css';

const seenKey = 'homeAwaySeen';

/**
 * What began and ended while the account was away, in one line that unfolds and can be put away until the next absence;
 * nothing where nothing changed.
 */
export function SinceLeft({ away }: { away: Away }) {
  const { t, i18n } = useTranslation('home');
  const time = useTime();
  const [seen, setSeen] = useState(() => local.get(seenKey));
  const [open, setOpen] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: PointerEvent): void => {
      if (target instanceof Node && details.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [open]);
  const { began, ended, leftAt, backAt, from } = away;
  if (seen === backAt || began.devices + ended.devices === 0) return null;
  const number = (value: number) => formatNumber(value, i18n.language, 0);
  const moment = (at: string) => time(at, time(at, 'date') === time(backAt, 'date') ? 'minute' : 'dayTime', backAt);
  const parts = [
    ...(began.devices > 0 ? [t('away.began', { n: number(began.devices) })] : []),
    ...(ended.devices > 0 ? [t('away.ended', { n: number(ended.devices) })] : []),
  ];
  const putAway = (): void => {
    local.set(seenKey, backAt);
    setSeen(backAt);
  };
  const fold = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    setOpen(false);
    details.current?.querySelector('summary')?.focus();
  };
  return (
    <div className={styles.away}>
      <details ref={details} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} onKeyDown={fold}>
        <summary title={t('away.span', { from: time(leftAt, 'dayTime'), to: time(backAt, 'dayTime') })}>
          {t('away.title', { time: moment(leftAt) })} <b>{parts.join(' · ')}</b>
        </summary>
        <div className={styles.panel}>
          {from === leftAt ? null : <p>{t('away.bounded')}</p>}
          <Told title={t('away.beganTitle')} lines={began} />
          <Told title={t('away.endedTitle')} lines={ended} />
        </div>
      </details>
      <button type="button" aria-label={t('away.putAway')} title={t('away.putAway')} onClick={putAway}>
        <Icon name="close" size={13} />
      </button>
    </div>
  );
}

function Told({ title, lines }: { title: string; lines: Away['began'] }) {
  const { t, i18n } = useTranslation('home');
  if (lines.lines === 0) return null;
  const more = lines.lines - lines.data.length;
  return (
    <>
      <h3>{title}</h3>
      <ul className={needs.lines}>
        {lines.data.map((line) => (
          <Line
            key={[
              line.kind,
              line.fault,
              line.reason,
              line.family,
              line.beganAt,
              line.endedAt,
              line.count,
              line.deviceId,
            ].join(' ')}
            line={line}
          />
        ))}
      </ul>
      {more > 0 ? <p>{t('away.more', { n: formatNumber(more, i18n.language, 0) })}</p> : null}
    </>
  );
}

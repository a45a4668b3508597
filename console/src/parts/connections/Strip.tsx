import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDeviceAvailability } from '../../../../contract/wires/connections.ts';
import { useTime } from '../time/zone.ts';
import { useConnectionWords } from './words.ts';
import styles from './strip.module.css';

type Told = ReplyOf<typeof getDeviceAvailability>;
type Kind = Told['outages'][number]['kind'];
const kinds = ['online', 'offline', 'unpowered', 'unknown'] as const;
/** Of a wide span a short outage is still to be seen. */
const leastPercent = 0.4;

/** A span as a band: where the device was out of reach, without power, or where nobody listened. */
export function Strip({ told, outages }: { told: Told; outages: number }) {
  const { t } = useTranslation('connections');
  const words = useConnectionWords();
  const time = useTime();
  const [from, to] = [Date.parse(told.from), Date.parse(told.to)];
  const placed = (kind: Kind) =>
    told.outages
      .filter((one) => one.kind === kind)
      .map((one) => {
        const start = ((Date.parse(one.from) - from) / (to - from)) * 100;
        const length = Math.max(leastPercent, ((Date.parse(one.to) - Date.parse(one.from)) / (to - from)) * 100);
        const title = `${time(one.from, 'dateTime')} – ${time(one.to, 'dateTime')} · ${t(`legend.${kind}`)}${one.reason === null ? '' : ` · ${words.reason(one.reason)}`}`;
        return (
          <span
            key={one.from}
            className={styles[kind]}
            title={title}
            style={{ insetInlineStart: `${Math.min(start, 100 - leastPercent)}%`, inlineSize: `${length}%` }}
          />
        );
      });
  const label = t('device.strip', {
    from: time(told.from, 'dateTime'),
    to: time(told.to, 'dateTime'),
    rate: words.rate(told.span) ?? '—',
    n: String(outages),
  });
  return (
    <div>
      <div className={styles.strip} role="img" aria-label={label}>
        {to > from ? [...placed('unpowered'), ...placed('unknown'), ...placed('offline')] : null}
      </div>
      <div className={styles.ends} aria-hidden>
        <span>{time(told.from, 'dayTime')}</span>
        <span>{time(told.to, 'dayTime')}</span>
      </div>
    </div>
  );
}

/** What the colours of the band mean, as far as they are in it, with how long. */
export function Legend({ told }: { told: Told }) {
  const { t } = useTranslation('connections');
  const words = useConnectionWords();
  return (
    <ul className={styles.legend}>
      {kinds
        .filter((kind) => told.span[kind] > 0)
        .map((kind) => (
          <li key={kind}>
            <i className={styles[kind]} aria-hidden />
            {t(`legend.${kind}`)} <span className="num">{words.length(told.span[kind])}</span>
          </li>
        ))}
    </ul>
  );
}

/** The lighting days of the span, each as a column as high as its share. */
export function Days({ days }: { days: Told['days'] }) {
  const { t } = useTranslation('connections');
  const words = useConnectionWords();
  const said = (day: Told['days'][number]): string => {
    const rate = words.rate(day);
    return rate === null ? t('device.day.none', { day: day.day }) : t('device.day', { day: day.day, rate });
  };
  return (
    <figure className={styles.days}>
      <figcaption>{t('device.days')}</figcaption>
      <ul>
        {days.map((day) => (
          <li key={day.day} title={said(day)}>
            <span className="visually-hidden">{said(day)}</span>
            {day.due > 0 ? (
              <i
                aria-hidden
                data-low={day.online < day.due * 0.95 || undefined}
                style={{ blockSize: `${Math.max(4, (day.online / day.due) * 100)}%` }}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </figure>
  );
}

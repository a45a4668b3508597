import { useTranslation } from 'react-i18next';
import { Card } from '../../../parts/index.ts';
import { Spark } from './Spark.tsx';
import { milliseconds, percent, whole, type Health } from './words.ts';
import styles from './health.module.css';

const curves = [
  ['readings', whole],
  ['commitMs', milliseconds],
  ['databaseMs', milliseconds],
  ['queued', whole],
  ['connections', whole],
  ['cpuPercent', percent],
  ['readers', whole],
] as const;
const minutes = 60;
const minuteMs = 60_000;

/** The last hour in small curves, a value a minute; minutes in which nobody counted are gaps. */
export function Hour({ health }: { health: Health }) {
  const { t, i18n } = useTranslation('health');
  const now = Math.floor(Date.parse(health.at) / minuteMs);
  const byMinute = new Map(health.samples.map((sample) => [Math.floor(Date.parse(sample.at) / minuteMs), sample]));
  const drawn = curves.flatMap(([name, write]) => {
    const values = Array.from(
      { length: minutes },
      (_, index) => byMinute.get(now - minutes + 1 + index)?.[name] ?? null,
    );
    const known = values.filter((value) => value !== null);
    const [last] = known.slice(-1);
    if (last === undefined) return [];
    return [{ name, values, last: write(last, i18n.language), most: write(Math.max(...known), i18n.language) }];
  });
  return (
    <Card title={t('hour')}>
      {drawn.length === 0 ? (
        <p className={styles.nothing}>{t('hour.none')}</p>
      ) : (
        <div className={styles.hour}>
          {drawn.map(({ name, values, last, most }) => (
            <figure key={name}>
              <figcaption>
                <span>{t(`curve.${name}`)}</span>
                <b>{last}</b>
              </figcaption>
              <Spark values={values} label={t('curve.label', { what: t(`curve.${name}`), last, most })} />
              <small>{t('curve.most', { most })}</small>
            </figure>
          ))}
        </div>
      )}
    </Card>
  );
}

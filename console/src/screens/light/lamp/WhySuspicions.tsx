import { useTranslation } from 'react-i18next';
import type { whyLamp } from '../../../../../contract/light/why.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useTime } from '../../../parts/index.ts';
import styles from './why.module.css';

type Suspicion = ReplyOf<typeof whyLamp>['suspicions'][number];

const instants = new Set(['at', 'since', 'until', 'toldAt', 'readingAt', 'changedAt']);

/** What may account for the light, in the order of the answer, each with what it rests on. */
export function WhySuspicions({ suspicions }: { suspicions: readonly Suspicion[] }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const time = useTime();
  if (suspicions.length === 0) return <p className={styles.note}>{t('why.nothing')}</p>;
  const words = ({ evidence }: Suspicion) =>
    Object.fromEntries(
      Object.entries(evidence).map(([key, value]) => {
        if (instants.has(key)) return [key, time(String(value), 'dayTime')];
        if (key !== 'codes') return [key, value];
        const codes = String(value).split(' ');
        return [key, codes.map((code) => `${code} ${names.fault(code)}`).join(' · ')];
      }),
    );
  return (
    <ul className={styles.suspicions} aria-label={t('why.found')}>
      {suspicions.map((one) => (
        <li key={one.code}>
          <b>{names.why(`suspicion.${one.code}`)}</b>
          {one.code === 'unknown' ? null : (
            <small>{t(`why.evidence.${one.code}`, { until: '—', loop: '—', ...words(one) })}</small>
          )}
        </li>
      ))}
    </ul>
  );
}

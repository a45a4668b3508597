import { useTranslation } from 'react-i18next';
import { nightOutcomes } from '../../../../../catalogue/lighting/nights.ts';
import { Card, useTime } from '../../../parts/index.ts';
import type { ListAddress } from '../../../parts/lists/use-list-address.ts';
import { useNightWords, type OpenNight } from '../../../parts/nights/words.ts';
import styles from './night.module.css';

/** What the night came to: lamps by outcome and by reason, and the rehearsal; each number narrows the list below. */
export function Figures({
  night,
  address,
  isRehearsal,
}: {
  night: OpenNight;
  address: ListAddress;
  isRehearsal: boolean;
}) {
  const { t } = useTranslation('nights');
  const words = useNightWords();
  const time = useTime();
  const { rehearsal, counts, reasons } = night;
  const { filters } = address;
  const choose = (next: Readonly<Record<string, string>>): void => {
    const { area = '' } = filters;
    address.search({ area, ...next });
  };
  const reasonsOf = (part: 'report' | 'rehearsal') =>
    reasons
      .filter((one) => one.part === part)
      .map(({ outcome, reason, lamps }) => {
        const next = part === 'rehearsal' ? { part, reason } : { outcome, reason };
        const isChosen =
          filters['reason'] === reason && (isRehearsal ? part === 'rehearsal' : filters['outcome'] === outcome);
        return (
          <li key={`${outcome} ${reason}`}>
            <button type="button" aria-pressed={isChosen} onClick={() => choose(isChosen ? { part } : next)}>
              <span>
                {part === 'report' ? `${words.outcome(outcome)} · ` : ''}
                {words.reason(reason)}
              </span>
              <b>{words.number(lamps)}</b>
            </button>
          </li>
        );
      });
  return (
    <div className={styles.columns}>
      <Card title={t('report')}>
        {night.report === 'done' ? (
          <>
            <ul className={styles.figures}>
              {nightOutcomes.map((outcome) => (
                <li key={outcome}>
                  <button
                    type="button"
                    aria-pressed={!isRehearsal && filters['outcome'] === outcome}
                    disabled={counts[outcome] === 0}
                    onClick={() => choose(filters['outcome'] === outcome && !isRehearsal ? {} : { outcome })}
                  >
                    <b>{words.number(counts[outcome])}</b>
                    <span>{words.outcome(outcome)}</span>
                  </button>
                </li>
              ))}
            </ul>
            <ul className={styles.reasons}>{reasonsOf('report')}</ul>
          </>
        ) : (
          <p className={styles.quiet}>{t(`report.${night.report}`)}</p>
        )}
      </Card>
      <Card title={t('rehearsal')}>
        <p className={styles.quiet}>
          {[
            words.phase(night),
            rehearsal.firstOn === null ? null : t('firstOn', { at: time(rehearsal.firstOn, 'minute') }),
            rehearsal.lit > 0 ? t('lit', { n: words.number(rehearsal.lit) }) : null,
            rehearsal.unasked > 0 ? t('unasked', { n: words.number(rehearsal.unasked) }) : null,
          ]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
        {words.isListed(rehearsal) ? (
          <>
            <ul className={styles.figures}>
              <li>
                <button
                  type="button"
                  aria-pressed={isRehearsal && filters['reason'] === undefined}
                  disabled={rehearsal.dark === 0}
                  onClick={() => choose(isRehearsal ? {} : { part: 'rehearsal' })}
                >
                  <b>{words.number(rehearsal.dark)}</b>
                  <span>{words.outcome('dark')}</span>
                </button>
              </li>
            </ul>
            <ul className={styles.reasons}>{reasonsOf('rehearsal')}</ul>
          </>
        ) : null}
      </Card>
    </div>
  );
}

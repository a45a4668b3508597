import { useTranslation } from 'react-i18next';
import { Icon, useTime } from '../../../parts/index.ts';
import { useNow } from '../../../parts/time/use-now.ts';
import type { OpenPublication } from './index.tsx';
import styles from './publication.module.css';

/** The planned switches at which the lamps that were told and are not proven will be proven: the first, the last. */
export function NextProof({ of: { nextProof } }: { of: Pick<OpenPublication, 'nextProof'> }) {
  const { t } = useTranslation('publishing');
  const time = useTime();
  const now = useNow(nextProof !== null, 15_000);
  if (nextProof === null) return null;
  const { first, last } = nextProof;
  const isOne = time(first, 'dateTime').slice(0, 16) === time(last, 'dateTime').slice(0, 16);
  const isSameDay = time(first, 'date') === time(last, 'date');
  const hasBegun = Date.parse(first) <= now;
  return (
    <p className={styles.proof}>
      <Icon name="clock" size={14} />
      <span>
        {t(isOne ? (hasBegun ? 'proof.now' : 'proof.next') : hasBegun ? 'proof.nowSpan' : 'proof.nextSpan', {
          first: time(first, 'dayTime'),
          last: time(last, isSameDay ? 'minute' : 'dayTime'),
        })}
      </span>
    </p>
  );
}

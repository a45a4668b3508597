import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { Anchor } from '../../../../catalogue/lighting/plan/programme.ts';
import { tied } from '../../fields/face.ts';
import { ClockInput } from './ClockInput.tsx';
import { relativeAnchors, relativeOf, type RelativeAnchor } from './model.ts';
import { NumberInput } from './NumberInput.tsx';
import { Trouble, type ProblemOf } from './problems.tsx';
import { useWhen } from './words.ts';
import styles from './plan.module.css';

interface Props {
  id: string;
  /** What the two controls are about, for who does not see them side by side. */
  label: string;
  value: Anchor;
  disabled: boolean;
  /** Events that can be chosen beside a wall-clock time. */
  offered?: readonly RelativeAnchor[];
  /** By `at` and `offsetMinutes`. */
  problemOf: ProblemOf;
  onChange: (anchor: Anchor) => void;
}

/** A time of the night: an event of the sun or the middle with minutes before or after it, or a wall-clock time. */
export function AnchorFields({ id, label, value, disabled, offered = relativeAnchors, problemOf, onChange }: Props) {
  const { t } = useTranslation('plan');
  const when = useWhen();
  const relative = relativeOf(value.at);
  const problem = problemOf(relative === null ? 'at' : 'offsetMinutes') ?? problemOf('');
  const tie = tied(`${id}-value`, problem !== undefined, `${id}-below`);
  return (
    <div className={styles.anchor}>
      <span className={styles.pair}>
        <Select<RelativeAnchor | 'clock'>
          id={id}
          aria-label={t('anchor.kind', { what: label })}
          value={relative ?? 'clock'}
          disabled={disabled}
          popupMatchSelectWidth={false}
          style={{ width: 176 }}
          options={[
            { value: 'clock', label: t('anchor.clock') },
            ...offered.map((one) => ({ value: one, label: t(`anchor.${one}`) })),
          ]}
          onChange={(next) =>
            onChange(next === 'clock' ? { at: '', offsetMinutes: 0 } : { at: next, offsetMinutes: value.offsetMinutes })
          }
        />
        {relative === null ? (
          <ClockInput
            tie={tie}
            label={t('anchor.time', { what: label })}
            value={value.at}
            disabled={disabled}
            onChange={(at) => onChange({ ...value, at })}
          />
        ) : (
          <NumberInput
            tie={tie}
            label={t('anchor.offset', { what: label })}
            limit={planLimits.offsetMinutes}
            value={value.offsetMinutes}
            disabled={disabled}
            suffix={t('unit.minutes')}
            onChange={(offsetMinutes) => onChange({ ...value, offsetMinutes })}
          />
        )}
      </span>
      <span id={`${id}-below`} className={styles.below}>
        {problem === undefined ? (
          relative === null ? null : (
            <small>{when(value, 'at')}</small>
          )
        ) : (
          <Trouble text={problem} />
        )}
      </span>
    </div>
  );
}

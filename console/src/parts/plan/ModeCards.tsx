import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { planModes, type PlanMode } from '../../../../catalogue/lighting/plan/programme.ts';
import styles from './plan.module.css';

/** Lamps of a row as each mode lights them in the night, percent. */
const picture: Record<PlanMode, readonly number[]> = {
  manual: [100, 100, 100, 100, 100, 100, 100],
  energySaving: [55, 55, 55, 55, 55, 55, 55],
  alternateOne: [100, 0, 100, 0, 100, 0, 100],
  alternateTwo: [100, 0, 0, 100, 0, 0, 100],
};

/** The four modes of a scheme, as cards with a row of lamps. */
export function ModeCards({
  value,
  disabled,
  onChange,
}: {
  value: PlanMode;
  disabled: boolean;
  onChange: (mode: PlanMode) => void;
}) {
  const { t } = useTranslation('plan');
  const name = useId();
  return (
    <fieldset className={styles.modes} disabled={disabled}>
      <legend>{t('mode')}</legend>
      {planModes.map((mode) => (
        <label key={mode} data-chosen={mode === value || undefined}>
          <input type="radio" name={name} checked={mode === value} onChange={() => onChange(mode)} />
          <b>{t(`mode.${mode}`)}</b>
          <span className={styles.row} aria-hidden>
            {picture[mode].map((level, index) => (
              <i
                key={index}
                style={{ opacity: level === 0 ? 1 : 0.35 + level / 154 }}
                data-off={level === 0 || undefined}
              />
            ))}
          </span>
          <small>{t(`mode.${mode}.text`)}</small>
        </label>
      ))}
    </fieldset>
  );
}

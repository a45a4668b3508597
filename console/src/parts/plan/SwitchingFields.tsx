import { Switch } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { sunAnchors, type LightWindow, type Switching } from '../../../../catalogue/lighting/plan/programme.ts';
import { Field } from '../form/Field.tsx';
import { Icon } from '../icons/Icon.tsx';
import { AnchorFields } from './AnchorFields.tsx';
import { ClockInput } from './ClockInput.tsx';
import { NumberInput } from './NumberInput.tsx';
import { below, type ProblemOf } from './problems.tsx';
import styles from './plan.module.css';

const usualWindow: LightWindow = { lux: 20, sensitivity: null, beforeMinutes: 30, afterMinutes: 30, delayMinutes: 5 };
const windowFields = [
  ['lux', 'lux', 'lux'],
  ['beforeMinutes', 'lightWindowMinutes', 'minutes'],
  ['afterMinutes', 'lightWindowMinutes', 'minutes'],
  ['delayMinutes', 'lightDelayMinutes', 'minutes'],
] as const;

interface Props {
  which: 'on' | 'off';
  /** By wall-clock times alone (手动). */
  clockOnly: boolean;
  value: Switching;
  disabled: boolean;
  problemOf: ProblemOf;
  onChange: (value: Switching) => void;
}

/** When the lamps go on, or off: the time, and on demand its bounds and light control. */
export function SwitchingFields({ which, clockOnly, value, disabled, problemOf, onChange }: Props) {
  const { t } = useTranslation('plan');
  const id = useId();
  const { light, notBefore, notAfter } = value;
  const inner = ['notBefore', 'notAfter', ...windowFields.map(([field]) => `light.${field}`), 'light.sensitivity'];
  const wrong = inner.some((path) => problemOf(path) !== undefined);
  const [asked, setOpen] = useState(light !== null || notBefore !== null || notAfter !== null);
  const open = asked || wrong;
  return (
    <div className={styles.switching}>
      <label htmlFor={id} className={styles.switchingName}>
        <span className={styles.mark}>{t(`mark.${which}`)}</span>
        {t(`switching.${which}`)}
      </label>
      <AnchorFields
        id={id}
        label={t(`switching.${which}`)}
        value={value}
        disabled={disabled}
        offered={clockOnly ? [] : sunAnchors}
        problemOf={problemOf}
        onChange={(anchor) => onChange({ ...value, ...anchor })}
      />
      {clockOnly ? null : (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('switching.more')}
          <Icon name={open ? 'up' : 'down'} size={12} />
        </button>
      )}
      {open && !clockOnly ? (
        <div className={styles.bounds}>
          {(['notBefore', 'notAfter'] as const).map((field) => (
            <Field key={field} id={`${id}-${field}`} label={t(`switching.${field}`)} problem={problemOf(field)}>
              {(tie) => (
                <ClockInput
                  tie={tie}
                  value={value[field] ?? ''}
                  disabled={disabled}
                  onChange={(at) => onChange({ ...value, [field]: at === '' ? null : at })}
                />
              )}
            </Field>
          ))}
          <Field
            id={`${id}-light`}
            label={t('switching.light')}
            hint={t('switching.light.hint')}
            problem={problemOf('light')}
            wide
          >
            {({ status: _, ...tie }) => (
              <Switch
                {...tie}
                checked={light !== null}
                disabled={disabled}
                style={{ width: 'fit-content' }}
                onChange={(on) => onChange({ ...value, light: on ? usualWindow : null })}
              />
            )}
          </Field>
          {light === null ? null : (
            <>
              {windowFields.map(([field, limit, unit]) => (
                <Field
                  key={field}
                  id={`${id}-${field}`}
                  label={t(`light.${field}`)}
                  problem={below(problemOf, 'light')(field)}
                >
                  {(tie) => (
                    <NumberInput
                      tie={tie}
                      limit={planLimits[limit]}
                      value={light[field]}
                      disabled={disabled}
                      suffix={t(`unit.${unit}`)}
                      onChange={(next) => onChange({ ...value, light: { ...light, [field]: next } })}
                    />
                  )}
                </Field>
              ))}
              <Field
                id={`${id}-sensitivity`}
                label={t('light.sensitivity')}
                hint={t('light.sensitivity.hint')}
                problem={problemOf('light.sensitivity')}
              >
                {(tie) => (
                  <NumberInput
                    tie={tie}
                    limit={planLimits.sensitivity}
                    value={light.sensitivity ?? Number.NaN}
                    disabled={disabled}
                    onChange={(next) =>
                      onChange({ ...value, light: { ...light, sensitivity: Number.isFinite(next) ? next : null } })
                    }
                  />
                )}
              </Field>
            </>
          )}
        </div>
      ) : null}
    </div>
  );
}

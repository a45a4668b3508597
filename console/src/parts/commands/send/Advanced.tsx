import { InputNumber, Segmented, Select, Switch } from 'antd';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { commandBounds } from '../../../../../contract/light/commands.ts';
import { formatNumber, Icon } from '../../index.ts';
import { canarySize, expiries, usualCanary, usualStop, type Conditions } from './send-rules.ts';
import styles from './send.module.css';

interface Props {
  conditions: Conditions;
  lamps: number;
  onChange: (conditions: Conditions) => void;
}

/**
 * Conditions that few commands need, folded away: a part that goes first, when to stop, until when it may be executed.
 */
export function Advanced({ conditions, lamps, onChange }: Props) {
  const { t } = useTranslation('commands');
  const id = useId();
  const [open, setOpen] = useState(false);
  const used = [conditions.canary, conditions.stopAt, conditions.expiry].filter((one) => one !== null).length;
  return (
    <section className={styles.advanced}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'up' : 'down'} size={13} />
        {t('send.advanced')}
        {used > 0 ? ` · ${t('send.used', { n: used })}` : ''}
      </button>
      <div id={id} hidden={!open} className={styles.conditions}>
        <Canary conditions={conditions} lamps={lamps} onChange={onChange} />
        <StopAt conditions={conditions} lamps={lamps} onChange={onChange} />
        <div className={styles.line}>
          <span id={`${id}-expiry`}>{t('send.expiry')}</span>
          <Select
            size="small"
            aria-labelledby={`${id}-expiry`}
            popupMatchSelectWidth={false}
            value={conditions.expiry ?? 0}
            onChange={(seconds: number) => onChange({ ...conditions, expiry: seconds === 0 ? null : seconds })}
            options={[
              { value: 0, label: t('send.expiryUsual') },
              ...expiries.map((seconds) => ({
                value: seconds,
                label: seconds < 3600 ? t('send.minutes', { n: seconds / 60 }) : t('send.hours', { n: seconds / 3600 }),
              })),
            ]}
          />
        </div>
      </div>
    </section>
  );
}

/** A condition that is on or off; what belongs to it stands below while it is on. */
function Condition({
  title,
  on,
  onSwitch,
  children,
}: {
  title: string;
  on: boolean;
  onSwitch: (on: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.condition}>
      <div className={styles.line}>
        <span id={id}>{title}</span>
        <Switch size="small" checked={on} aria-labelledby={id} onChange={onSwitch} />
      </div>
      {on ? children : null}
    </div>
  );
}

function Amount({
  label,
  value,
  min,
  max,
  suffix,
  onChange,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  suffix?: string;
  onChange: (value: number) => void;
}) {
  return (
    <InputNumber
      size="small"
      className={styles.amount ?? ''}
      min={min}
      max={max}
      precision={0}
      value={value}
      aria-label={label}
      {...(suffix === undefined ? {} : { suffix })}
      onChange={(next) => {
        if (next !== null) onChange(next);
      }}
    />
  );
}

function Canary({ conditions, lamps, onChange }: Props) {
  const { t, i18n } = useTranslation('commands');
  const { canary } = conditions;
  const put = (change: Partial<typeof usualCanary>): void =>
    onChange({ ...conditions, canary: { ...(canary ?? usualCanary), ...change } });
  if (lamps < 2) return null;
  return (
    <Condition
      title={t('fact.canary')}
      on={canary !== null}
      onSwitch={(on) => onChange({ ...conditions, canary: on ? usualCanary : null })}
    >
      {canary === null ? null : (
        <>
          <div className={styles.fields}>
            <Segmented<'count' | 'share'>
              size="small"
              aria-label={t('send.canary.by')}
              value={canary.by}
              onChange={(by) => put(by === 'share' ? { by, amount: usualCanary.amount } : { by, amount: 20 })}
              options={[
                { value: 'share', label: t('send.canary.share') },
                { value: 'count', label: t('send.canary.count') },
              ]}
            />
            <Amount
              label={t('send.canary.amount')}
              value={canary.amount}
              min={1}
              max={commandBounds.canary[canary.by]}
              {...(canary.by === 'share' ? { suffix: '%' } : {})}
              onChange={(amount) => put({ amount })}
            />
            <label>
              {t('send.canary.success')}
              <Amount
                label={t('send.canary.success')}
                value={canary.minSuccessPercent}
                min={1}
                max={100}
                suffix="%"
                onChange={(minSuccessPercent) => put({ minSuccessPercent })}
              />
            </label>
            <label>
              {t('send.canary.wait')}
              <Amount
                label={t('send.canary.wait')}
                value={canary.waitSeconds}
                min={5}
                max={commandBounds.canary.waitSeconds}
                suffix="s"
                onChange={(waitSeconds) => put({ waitSeconds })}
              />
            </label>
          </div>
          <p className={styles.hint}>
            {t('send.canary.about', {
              n: formatNumber(canarySize(canary, lamps), i18n.language, 0),
              rest: formatNumber(lamps - canarySize(canary, lamps), i18n.language, 0),
            })}
          </p>
        </>
      )}
    </Condition>
  );
}

function StopAt({ conditions, onChange }: Props) {
  const { t } = useTranslation('commands');
  const { stopAt } = conditions;
  const put = (change: Partial<typeof usualStop>): void =>
    onChange({ ...conditions, stopAt: { ...(stopAt ?? usualStop), ...change } });
  return (
    <Condition
      title={t('fact.stopAt')}
      on={stopAt !== null}
      onSwitch={(on) => onChange({ ...conditions, stopAt: on ? usualStop : null })}
    >
      {stopAt === null ? null : (
        <>
          <div className={styles.fields}>
            <label>
              {t('send.stop.percent')}
              <Amount
                label={t('send.stop.percent')}
                value={stopAt.failurePercent}
                min={1}
                max={100}
                suffix="%"
                onChange={(failurePercent) => put({ failurePercent })}
              />
            </label>
            <label>
              {t('send.stop.after')}
              <Amount
                label={t('send.stop.after')}
                value={stopAt.afterAtLeast}
                min={1}
                max={commandBounds.devices}
                onChange={(afterAtLeast) => put({ afterAtLeast })}
              />
            </label>
          </div>
          <p className={styles.hint}>{t('send.stop.about')}</p>
        </>
      )}
    </Condition>
  );
}

import { InputNumber, Select } from 'antd';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useTime } from '../index.ts';
import styles from './control.module.css';

/**
 * How a manual state ends: `switch`, at the lamp's next dusk or dawn switch, or after so many minutes (at most a day).
 */
export type End = { kind: 'switch' } | { kind: 'after'; minutes: number };
export const defaultEnd: End = { kind: 'switch' };
export const longestMinutes = 24 * 60;

/** The instant of an end for the command's body; null: the lamp's next switch, which the server computes. */
export function endInstant(end: End, now: number): string | null {
  return end.kind === 'switch'
    ? null
    : new Date(now + Math.min(end.minutes, longestMinutes) * 60_000 - 1000).toISOString();
}

/** Minutes that are offered; the first is what a crew asks for beside the lamp. */
export const presets = [30, 60, 120, 240, 480] as const;

interface EndPickerProps {
  end: End;
  /** The one lamp's next dusk or dawn switch, when only one lamp is meant. */
  nextSwitch?: string | null | undefined;
  /** Minutes that may be chosen at most. */
  longest?: number;
  onChange: (end: End) => void;
}

export function EndPicker({ end: asked, nextSwitch, longest = longestMinutes, onChange }: EndPickerProps) {
  const { t } = useTranslation('lamp');
  const time = useTime();
  // What was chosen while more was possible is shown, and sent, as the most that is.
  const tooLong = asked.kind === 'after' && asked.minutes > longest;
  const end: End = tooLong ? { kind: 'after', minutes: longest } : asked;
  const shorten = useEffectEvent(() => onChange(end));
  useEffect(() => {
    if (tooLong) shorten();
  }, [tooLong]);
  const custom = end.kind === 'after' && !presets.some((one) => one === end.minutes);
  const value = end.kind === 'switch' ? 'switch' : custom ? 'custom' : String(end.minutes);
  const choose = (choice: string) =>
    onChange(
      choice === 'switch' ? { kind: 'switch' } : { kind: 'after', minutes: choice === 'custom' ? 90 : Number(choice) },
    );
  return (
    <div className={styles.end}>
      <span id="manual-end">{t('control.until')}</span>
      <Select
        size="small"
        value={value}
        onChange={choose}
        aria-labelledby="manual-end"
        popupMatchSelectWidth={false}
        className={styles.endSelect ?? ''}
        options={[
          {
            value: 'switch',
            label: nextSwitch
              ? t('control.untilSwitchAt', { time: time(nextSwitch, 'minute') })
              : t('control.untilSwitch'),
          },
          ...presets
            .filter((minutes) => minutes <= longest)
            .map((minutes) => ({
              value: String(minutes),
              label:
                minutes < 60 ? t('control.minutes', { count: minutes }) : t('control.hours', { count: minutes / 60 }),
            })),
          { value: 'custom', label: t('control.custom') },
        ]}
      />
      {custom ? (
        <InputNumber
          size="small"
          min={1}
          max={longest}
          precision={0}
          value={end.minutes}
          aria-label={t('control.customMinutes')}
          suffix={t('control.minuteUnit')}
          onChange={(minutes) => onChange({ kind: 'after', minutes: Math.max(1, Math.min(longest, minutes ?? 90)) })}
        />
      ) : null}
    </div>
  );
}

import { Input } from 'antd';
import type { KeyboardEvent } from 'react';
import type { tied } from '../../fields/face.ts';
import { isClock } from '../../../../catalogue/lighting/plan/clock.ts';
import { moved } from './model.ts';

/** `2300` or `7:5` as it was meant, `23:00`, `07:05`; what is no time stays as it was typed. */
export function tidyClock(text: string): string {
  const typed = text.trim().replace(/[：.]/u, ':');
  const [, hour, minute] = /^(\d{1,2}):(\d{1,2})$/.exec(typed) ?? /^(\d{1,2})(\d{2})$/.exec(typed) ?? [];
  if (hour === undefined || minute === undefined) return typed;
  const tidy = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return isClock(tidy) ? tidy : typed;
}

const steps: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** A wall-clock time `HH:MM`, typed; arrow keys move it by a minute, with Shift by ten. */
export function ClockInput({
  tie,
  value,
  disabled,
  label,
  onChange,
}: {
  tie: ReturnType<typeof tied>;
  value: string;
  disabled: boolean;
  label?: string;
  onChange: (value: string) => void;
}) {
  const pressed = (event: KeyboardEvent): void => {
    const by = steps[event.key];
    if (by === undefined || !isClock(value)) return;
    event.preventDefault();
    onChange(moved({ at: value, offsetMinutes: 0 }, event.shiftKey ? by * 10 : by).at);
  };
  return (
    <Input
      {...tie}
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={value}
      disabled={disabled}
      inputMode="numeric"
      autoComplete="off"
      maxLength={5}
      placeholder="HH:MM"
      style={{ width: 84 }}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        const tidy = tidyClock(value);
        if (tidy !== value) onChange(tidy);
      }}
      onKeyDown={pressed}
    />
  );
}

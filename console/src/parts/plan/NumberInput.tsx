import { InputNumber } from 'antd';
import type { planLimits } from '../../../../catalogue/lighting/limits.ts';
import type { tied } from '../../fields/face.ts';

/** A number within a limit of plans; emptied it is NaN, which the check refuses. */
export function NumberInput({
  tie,
  limit,
  value,
  disabled,
  suffix,
  label,
  width = 112,
  onChange,
}: {
  tie: ReturnType<typeof tied>;
  limit: (typeof planLimits)[keyof typeof planLimits];
  value: number;
  disabled: boolean;
  suffix?: string;
  label?: string;
  width?: number;
  onChange: (value: number) => void;
}) {
  return (
    <InputNumber<number>
      {...tie}
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={Number.isFinite(value) ? value : null}
      disabled={disabled}
      min={limit.min}
      max={limit.max}
      step={limit.step === 0 ? 0.0001 : limit.step}
      {...(limit.step === 0 ? {} : { precision: 0 })}
      {...(suffix === undefined ? {} : { suffix })}
      style={{ width }}
      onChange={(next) => onChange(next ?? Number.NaN)}
    />
  );
}

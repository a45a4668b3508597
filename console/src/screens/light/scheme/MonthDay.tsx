import { InputNumber, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { tied } from '../../../fields/face.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import styles from './scheme.module.css';

/** A day of every year, `MM-DD`: month and day. */
export function MonthDay({
  tie: { id, ...tie },
  label,
  value,
  disabled,
  onChange,
}: {
  tie: ReturnType<typeof tied>;
  label: string;
  value: string;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation('scheme');
  const names = useDayNames();
  const [month = 1, day = 1] = value.split('-').map(Number);
  const days = new Date(Date.UTC(2024, month, 0)).getUTCDate();
  const put = (nextMonth: number, nextDay: number): void => {
    const most = new Date(Date.UTC(2024, nextMonth, 0)).getUTCDate();
    onChange(`${String(nextMonth).padStart(2, '0')}-${String(Math.min(most, nextDay)).padStart(2, '0')}`);
  };
  return (
    <span className={styles.pair}>
      <Select<number>
        id={id}
        value={month}
        disabled={disabled}
        popupMatchSelectWidth={false}
        style={{ width: 116 }}
        options={Array.from({ length: 12 }, (_, index) => ({ value: index + 1, label: names.month(index + 1) }))}
        onChange={(next) => put(next, day)}
      />
      <InputNumber<number>
        {...tie}
        aria-label={t('field.dayOf', { what: label })}
        value={day}
        min={1}
        max={days}
        precision={0}
        disabled={disabled}
        style={{ width: 72 }}
        onChange={(next) => put(month, next ?? 1)}
      />
    </span>
  );
}

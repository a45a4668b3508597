import { DatePicker } from 'antd';
import { useTranslation } from 'react-i18next';
import { dateFormats, momentOf, type DayRange } from './text-values.ts';
import styles from './search.module.css';

interface Props {
  /** Of the first input; the label of the field points to it. */
  id: string;
  label: string;
  value: DayRange;
  onChange: (range: DayRange) => void;
  /** The last day that can be chosen, yyyy-MM-dd. */
  last?: string;
  /** Either end may stay empty. */
  openEnds?: boolean;
  invalid?: boolean;
  describedBy?: string;
}

/** Two days, both included, by keyboard or calendar; the ends are put in order, and the calendars fit a phone one below the other. */
export function DayRangePicker({ id, label, value, onChange, last, openEnds = false, invalid = false, describedBy }: Props) {
  const { t } = useTranslation('search-fields');
  const end = momentOf(last, 'date');
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }} className={styles.range ?? ''} classNames={{ popup: { root: styles.calendars ?? '' } }} format={dateFormats.date} allowEmpty={openEnds} order
      placeholder={[t('from'), t('to')]} {...(end ? { maxDate: end } : {})} {...(invalid ? { status: 'error' as const } : {})}
      aria-label={label} {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      value={[momentOf(value.from, 'date'), momentOf(value.to, 'date')]}
      onChange={(days) => onChange({ ...(days?.[0] ? { from: days[0].format(dateFormats.date) } : {}), ...(days?.[1] ? { to: days[1].format(dateFormats.date) } : {}) })}
    />
  );
}

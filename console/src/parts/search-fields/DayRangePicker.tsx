import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { dateFormats, momentOf, type DayRange } from './text-values.ts';
import styles from './search.module.css';
import { RangePicker } from '../../fields/DatePicker.tsx';

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
  /** Moments of a clock instead of whole days. */
  clock?: boolean;
  invalid?: boolean;
  describedBy?: string;
}

/**
 * Two days, both included, or two moments, by keyboard or calendar; the ends are put in order, and the calendars fit a
 * phone one below the other.
 */
export function DayRangePicker({
  id,
  label,
  value,
  onChange,
  last,
  openEnds = false,
  clock = false,
  invalid = false,
  describedBy,
}: Props) {
  const { t } = useTranslation('search-fields');
  const end = momentOf(last, 'date')?.endOf('day');
  const kind = clock ? 'datetime' : 'date';
  return (
    <RangePicker
      id={{ start: id, end: `${id}-end` }}
      className={styles.range ?? ''}
      classNames={{ popup: { root: styles.calendars ?? '' } }}
      format={dateFormats[kind]}
      {...(clock ? { showTime: { defaultValue: [dayjs('2000-01-01 00:00:00'), dayjs('2000-01-01 23:59:59')] } } : {})}
      allowEmpty={openEnds}
      order
      placeholder={[t('from'), t('to')]}
      {...(end ? { maxDate: end } : {})}
      {...(invalid ? { status: 'error' as const } : {})}
      aria-label={label}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      value={[momentOf(value.from, kind), momentOf(value.to, kind)]}
      onChange={(days) =>
        onChange({
          ...(days?.[0] ? { from: days[0].format(dateFormats[kind]) } : {}),
          ...(days?.[1] ? { to: days[1].format(dateFormats[kind]) } : {}),
        })
      }
    />
  );
}

import { Segmented, Select } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useTranslation } from 'react-i18next';
import { resolutions, type Resolution } from '../../../../../contract/history.ts';
import { addDays, dayOf, instantOf, zoneOffset } from '../../../../../catalogue/lighting/zone.ts';
import { longestMs, shortestMs } from '../../../parts/curves/use-pointing.ts';
import type { Span } from '../../../parts/curves/model.ts';
import { useZone } from '../../../parts/time/zone.ts';
import { dateFormats } from '../../../parts/search-fields/text-values.ts';
import type { Choice } from '../../../parts/series/address.ts';
import { comparisons, spanNames, type Comparison, type SpanName } from '../../../parts/series/spans.ts';
import styles from './history.module.css';
import { DatePicker, RangePicker } from '../../../fields/DatePicker.tsx';

interface Props {
  choice: Choice;
  span: Span;
  used: Resolution | undefined;
  possible: readonly Resolution[];
  onChange: (change: Partial<Choice>) => void;
}

const own = 'own';

/** Over what time, how finely, and compared with what. */
export function TimeBar({ choice, span, used, possible, onChange }: Props) {
  const { t } = useTranslation('curves');
  const zone = useZone();
  const { compare, resolution } = choice;
  const name = typeof choice.span === 'string' ? choice.span : null;
  const finer = resolutions.filter(
    (one) =>
      one === used ||
      possible.includes(one) ||
      (used !== undefined && resolutions.indexOf(one) > resolutions.indexOf(used)),
  );
  const compared = compare === null ? 'none' : typeof compare === 'object' ? own : compare;
  return (
    <div className={styles.times}>
      <Segmented<SpanName | typeof own>
        aria-label={t('span')}
        value={name ?? own}
        options={[
          ...spanNames.map((value) => ({ value, label: t(`span.${value}`) })),
          ...(name === null ? [{ value: own as typeof own, label: t('span.own') }] : []),
        ]}
        onChange={(next) => {
          if (next !== own) onChange({ span: next });
        }}
      />
      <OwnSpan span={span} zone={zone} onChange={(next) => onChange({ span: next })} />
      <span className={styles.pair}>
        <label htmlFor="history-resolution">{t('resolution')}</label>
        <Select<Resolution | 'auto'>
          id="history-resolution"
          className={styles.resolution ?? ''}
          popupMatchSelectWidth={false}
          value={resolution ?? 'auto'}
          onChange={(next) => onChange({ resolution: next === 'auto' ? null : next })}
          options={[
            {
              value: 'auto',
              label:
                used === undefined || resolution !== null
                  ? t('resolution.auto')
                  : t('resolution.auto.of', { of: t(`resolution.${used}`) }),
            },
            ...(finer.length > 0 ? finer : resolutions).map((value) => ({ value, label: t(`resolution.${value}`) })),
          ]}
        />
      </span>
      <span className={styles.pair}>
        <label htmlFor="history-compare">{t('compare')}</label>
        <Select<Comparison | 'none' | typeof own>
          id="history-compare"
          className={styles.short ?? ''}
          popupMatchSelectWidth={false}
          value={compared}
          options={[
            { value: 'none', label: t('compare.none') },
            ...comparisons.map((value) => ({ value, label: t(`compare.${value}`) })),
            { value: own, label: t('compare.own') },
          ]}
          onChange={(next) =>
            onChange({
              compare: next === 'none' ? null : next === own ? { day: addDays(dayOf(span.from, zone), -7) } : next,
            })
          }
        />
        {typeof compare === 'object' && compare !== null ? (
          <DatePicker
            aria-label={t('compare.day')}
            allowClear={false}
            value={dayjs(compare.day)}
            onChange={(day: Dayjs | null) => {
              if (day) onChange({ compare: { day: day.format(dateFormats.date) } });
            }}
          />
        ) : null}
      </span>
    </div>
  );
}

const minutes = 'YYYY-MM-DD HH:mm';

/** Beginning and end as they are, and any others, by the wall clock of the shown zone. */
function OwnSpan({ span, zone, onChange }: { span: Span; zone: string; onChange: (span: Span) => void }) {
  const { t } = useTranslation('curves');
  // The picker knows only the browser's own zone: it is handed the wall clock's figures.
  const wall = (at: number): Dayjs => dayjs(new Date(at + zoneOffset(at, zone)).toISOString().slice(0, 16));
  const instant = (at: Dayjs): number => instantOf(at.format(dateFormats.date), at.hour() * 60 + at.minute(), zone);
  return (
    <RangePicker
      className={styles.own ?? ''}
      classNames={{ popup: { root: styles.calendars ?? '' } }}
      aria-label={t('span.own')}
      id={{ start: 'history-from', end: 'history-to' }}
      showTime={{ format: 'HH:mm' }}
      format={minutes}
      allowClear={false}
      order
      needConfirm
      placeholder={[t('span.from'), t('span.to')]}
      value={[wall(span.from), wall(span.to)]}
      onChange={(ends) => {
        const [from, to] = [ends?.[0], ends?.[1]];
        if (!from || !to) return;
        const next = { from: instant(from), to: instant(to) };
        if (next.to - next.from >= shortestMs && next.to - next.from <= longestMs) onChange(next);
      }}
    />
  );
}

import { Select } from 'antd';
import dayjs from 'dayjs';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { calendarProblems } from '../../../../../catalogue/lighting/plan/calendar-problems.ts';
import type { Calendar, SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import { previewCalendar } from '../../../../../contract/light/calendar.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { useRested } from '../../../parts/form/index.ts';
import { Card, ErrorState, NotRefreshed, Skeleton } from '../../../parts/index.ts';
import { problemIn } from '../../../parts/plan/use-problem-words.ts';
import { dateFormats } from '../../../parts/search-fields/text-values.ts';
import type { Draft } from '../../../parts/versioned/use-draft.ts';
import { DayAnswer } from './DayAnswer.tsx';
import { HolidayBanner } from './HolidayBanner.tsx';
import { RuleList } from './RuleList.tsx';
import { YearGrid } from './YearGrid.tsx';
import styles from './scheme.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

export type Preview = ReplyOf<typeof previewCalendar>;
export type PreviewDay = Preview['days'][number];

interface Props {
  draft: Draft<SchemeContent>;
  readOnly: boolean;
  workAreaId: number | null;
}

const today = (): string => dayjs().format('YYYY-MM-DD');

/** Which programme each night of the year has: the rules in their order, and the year they make. */
export function CalendarTab({ draft, readOnly, workAreaId }: Props) {
  const { t } = useTranslation('scheme');
  const id = useId();
  const { content, problems, change } = draft;
  const { calendar, programmes } = content;
  const [day, setDay] = useState(today);
  const year = Number(day.slice(0, 4));
  const keys = programmes.map(({ key }) => key);
  // What is asked of the server is the last calendar that rested and can be answered.
  const rested = useRested(JSON.stringify(calendar));
  const asked = JSON.parse(rested) as Calendar;
  const can = calendarProblems(asked, keys).length === 0;
  const preview = useCall(
    previewCalendar,
    { body: { calendar: asked, programmes: keys, year, workAreaId } },
    { enabled: can, keepPrevious: true, staleTime: 300_000 },
  );
  const { data, error, isPending, refetch } = preview;
  const answer = data?.days.find((one) => one.day === day);
  const { min, max } = planLimits.lunarYears;
  const put = (next: Calendar): void => change({ ...content, calendar: next });
  return (
    <>
      {data === undefined ? null : (
        <HolidayBanner preview={data} calendar={asked} readOnly={readOnly} onImported={refetch} />
      )}
      <Card
        title={t('year.title')}
        extra={
          <span className={styles.pair}>
            <label htmlFor={`${id}-year`}>{t('year.label')}</label>
            <Select<number>
              id={`${id}-year`}
              value={year}
              style={{ width: 96 }}
              options={Array.from({ length: 6 }, (_, offset) => new Date().getFullYear() - 1 + offset)
                .concat(year)
                .filter((one, index, all) => all.indexOf(one) === index && one >= min && one <= max)
                .map((value) => ({ value, label: String(value) }))}
              onChange={(next) => setDay(`${next}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`)}
            />
            <label htmlFor={`${id}-day`}>{t('day.label')}</label>
            <DatePicker
              id={`${id}-day`}
              value={dayjs(day)}
              allowClear={false}
              format={dateFormats.date}
              minDate={dayjs(`${min}-01-01`)}
              maxDate={dayjs(`${max}-12-31`)}
              onChange={(at) => setDay(at === null ? today() : at.format('YYYY-MM-DD'))}
            />
          </span>
        }
      >
        {data !== undefined ? (
          <>
            {error ? <NotRefreshed error={error} /> : null}
            <YearGrid days={data.days} programmes={programmes} day={day} onDay={setDay} />
            {answer === undefined ? null : <DayAnswer answer={answer} content={{ ...content, calendar: asked }} />}
          </>
        ) : !can ? (
          <p className={styles.text}>{t('year.incomplete')}</p>
        ) : isPending ? (
          <Skeleton rows={12} height={420} />
        ) : (
          <ErrorState title={t('year.failed')} error={error} onRetry={refetch} />
        )}
      </Card>
      <RuleList
        calendar={calendar}
        programmes={programmes}
        disabled={readOnly}
        problemOf={problemIn(problems)}
        wrong={
          new Set(
            Object.keys(problems).flatMap((path) => {
              const [, rule] = /^calendar\.rules\.(\d+)\./.exec(path) ?? [];
              return rule === undefined ? [] : [Number(rule)];
            }),
          )
        }
        holidays={data?.days.flatMap(({ holidays }) => holidays.map(({ name }) => name)) ?? []}
        onChange={put}
      />
    </>
  );
}

import { Button, Checkbox } from 'antd';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import { rangesOf, type Schedule, type ScheduleRange } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { tied } from '../../../fields/face.ts';
import { Icon } from '../../../parts/index.ts';
import { ClockInput } from '../../../parts/plan/ClockInput.tsx';
import { NumberInput } from '../../../parts/plan/NumberInput.tsx';
import { Trouble, type ProblemOf } from '../../../parts/plan/problems.tsx';
import { hasOneRange, isAlternating } from './fit.ts';
import styles from './schedule.module.css';

/** The time ranges, each from its start to the next one. */
export function RangeTable({
  schedule,
  problemOf,
  onChange,
}: {
  schedule: Schedule;
  problemOf: ProblemOf;
  onChange: (ranges: readonly ScheduleRange[]) => void;
}) {
  const { t } = useTranslation('schedule');
  const id = useId();
  const { ranges, workMode } = schedule;
  const { max } = rangesOf(schedule);
  const alternates = isAlternating(schedule);
  const missing = problemOf('ranges');
  const list = useRef<HTMLOListElement>(null);
  /** The range that is worked at after one came or went. */
  const next = useRef<number | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    list.current?.children[next.current]?.querySelector('input')?.focus();
    next.current = null;
  }, [ranges.length]);
  const put = (at: number, change: Partial<ScheduleRange>): void =>
    onChange(ranges.map((range, place) => (place === at ? { ...range, ...change } : range)));
  return (
    <section className={styles.ranges} aria-label={t('ranges')}>
      <h3>{t('ranges')}</h3>
      <ol ref={list}>
        {ranges.slice(0, max).map(({ start, level, alternate }, at) => {
          const n = at + 1;
          const wrong = {
            start: problemOf(`ranges.${at}.start`),
            level: problemOf(`ranges.${at}.level`),
            alternate: problemOf(`ranges.${at}.alternate`),
          };
          const tie = (name: 'start' | 'level') =>
            tied(`${id}-${at}-${name}`, wrong[name] !== undefined, `${id}-${at}-below`);
          const trouble = wrong.start ?? wrong.level ?? wrong.alternate;
          return (
            <li key={at}>
              <span className={styles.n}>{n}</span>
              {at === 0 ? (
                <span className={styles.first}>{t('range.first')}</span>
              ) : (
                <ClockInput
                  tie={tie('start')}
                  label={t('range.start', { n })}
                  value={start}
                  disabled={false}
                  onChange={(next) => put(at, { start: next })}
                />
              )}
              <NumberInput
                tie={tie('level')}
                label={t('range.level', { n })}
                limit={planLimits.level}
                value={level}
                suffix="%"
                width={96}
                disabled={false}
                onChange={(next) => put(at, { level: next })}
              />
              {alternates ? (
                <Checkbox
                  checked={alternate || hasOneRange(schedule)}
                  disabled={hasOneRange(schedule)}
                  {...(wrong.alternate === undefined
                    ? missing === undefined
                      ? {}
                      : { 'aria-invalid': true, 'aria-describedby': `${id}-missing` }
                    : { 'aria-invalid': true, 'aria-describedby': `${id}-${at}-below` })}
                  onChange={(event) => put(at, { alternate: event.target.checked })}
                >
                  {t(`workMode.${workMode}`)}
                </Checkbox>
              ) : null}
              {at === 0 ? null : (
                <Button
                  type="text"
                  aria-label={t('range.remove', { n })}
                  icon={<Icon name="close" size={14} />}
                  onClick={() => {
                    next.current = at - 1;
                    onChange(ranges.filter((_range, place) => place !== at));
                  }}
                />
              )}
              {trouble === undefined ? null : (
                <span id={`${id}-${at}-below`}>
                  <Trouble text={trouble} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {missing === undefined ? null : (
        <span id={`${id}-missing`}>
          <Trouble text={missing} />
        </span>
      )}
      {max === 1 ? null : (
        <span className={styles.add}>
          <Button
            disabled={ranges.length >= max}
            onClick={() => {
              next.current = ranges.length;
              onChange([...ranges, { start: '', level: 100, alternate: false }]);
            }}
          >
            {t('range.add')}
          </Button>
          <small>{t('range.most', { max })}</small>
        </span>
      )}
    </section>
  );
}

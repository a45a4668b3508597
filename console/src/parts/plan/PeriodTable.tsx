import { Button, Select } from 'antd';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { periodsOf } from '../../../../catalogue/lighting/plan/scheme-problems.ts';
import type { Pattern, Period, PlanMode, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import { tied } from '../../fields/face.ts';
import { Icon } from '../icons/Icon.tsx';
import { AnchorFields } from './AnchorFields.tsx';
import { withPeriod } from './model.ts';
import { patternsIn } from './modes.ts';
import { NumberInput } from './NumberInput.tsx';
import { below, Trouble, type ProblemOf } from './problems.tsx';
import { useMarks, useWhen } from './words.ts';
import styles from './plan.module.css';

interface Props {
  programme: Programme;
  /** Of its scheme; null: there is none, and everything is allowed. */
  mode: PlanMode | null;
  disabled: boolean;
  problemOf: ProblemOf;
  /** Periods that no night of the shown day reaches. */
  unused: ReadonlySet<number>;
  onChange: (programme: Programme) => void;
}

/** The periods of a programme, at most six: when each begins, how bright it is, which lamps of a row it lights. */
export function PeriodTable({ programme, mode, disabled, problemOf, unused, onChange }: Props) {
  const { t } = useTranslation('plan');
  const base = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  const wanted = useRef<string | null>(null);
  const { periods } = programme;
  const most = mode === null ? planLimits.periods.max : periodsOf(mode).max;
  // What was added or moved gets the focus once it is drawn.
  useEffect(() => {
    if (wanted.current === null) return;
    body.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  const put = (next: readonly Period[]): void => onChange({ ...programme, periods: next });
  const add = (): void => {
    const last = periods.at(-1);
    put([
      ...periods,
      {
        start: { at: '', offsetMinutes: 0 },
        level: last?.level ?? 100,
        pattern: last?.pattern ?? 'all',
        rampSeconds: 0,
      },
    ]);
    wanted.current = `[data-period="${periods.length}"] input[inputmode="numeric"]`;
  };
  const move = (from: number, by: number): void => {
    const next = [...periods];
    next.splice(from + by, 0, ...next.splice(from, 1));
    put(next);
    wanted.current = `[data-period="${from + by}"] button[data-way="${by < 0 ? 'up' : 'down'}"]:not(:disabled), [data-period="${from + by}"] button[data-way]:not(:disabled)`;
  };
  const remove = (index: number): void => {
    put(periods.filter((_, at) => at !== index));
    wanted.current = `[data-period="${Math.max(0, index - 1)}"] [role="spinbutton"]`;
  };
  const whole = problemOf('periods');
  return (
    <div className={styles.periods}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('period.number')}</th>
            <th scope="col">{t('period.start')}</th>
            <th scope="col">{t('period.level')}</th>
            <th scope="col">{t('period.pattern')}</th>
            <th scope="col">{t('period.ramp')}</th>
            <th scope="col" className={styles.acts}>
              {t('period.acts')}
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {periods.map((period, index) => (
            <Row
              key={index}
              {...{ programme, mode, period, index, disabled, onChange }}
              id={`${base}-${index}`}
              count={periods.length}
              unused={unused.has(index)}
              problemOf={below(problemOf, `periods.${index}`)}
              onMove={(by) => move(index, by)}
              onRemove={() => remove(index)}
            />
          ))}
        </tbody>
      </table>
      <div className={styles.add}>
        {most === 1 ? null : (
          <>
            <Button disabled={disabled || periods.length >= most} icon={<Icon name="plus" size={14} />} onClick={add}>
              {t('period.add')}
            </Button>
            <small>{t('period.most', { n: periods.length, most })}</small>
          </>
        )}
        {whole === undefined ? null : <Trouble text={whole} />}
      </div>
    </div>
  );
}

interface RowProps extends Omit<Props, 'unused'> {
  id: string;
  period: Period;
  index: number;
  count: number;
  unused: boolean;
  onMove: (by: number) => void;
  onRemove: () => void;
}

function Row({
  id,
  programme,
  mode,
  period,
  index,
  count,
  disabled,
  unused,
  problemOf,
  onChange,
  onMove,
  onRemove,
}: RowProps) {
  const { t } = useTranslation('plan');
  const markOf = useMarks();
  const when = useWhen();
  const n = markOf(index);
  const name = t('handle.period', { n });
  const set = (change: Partial<Period>): void => onChange(withPeriod(programme, index, change));
  const number = (field: 'level' | 'rampSeconds', label: string, suffix: string) => {
    const problem = problemOf(field);
    const under = `${id}-${field}-below`;
    return (
      <td data-label={label}>
        <NumberInput
          tie={tied(`${id}-${field}`, problem !== undefined, problem === undefined ? undefined : under)}
          label={t('period.of', { what: label, period: name })}
          limit={planLimits[field]}
          value={period[field]}
          disabled={disabled}
          suffix={suffix}
          width={104}
          onChange={(value) => set({ [field]: value })}
        />
        {problem === undefined ? null : (
          <span id={under} className={styles.below}>
            <Trouble text={problem} />
          </span>
        )}
      </td>
    );
  };
  const problem = problemOf('pattern');
  return (
    <tr data-period={index}>
      <th scope="row">
        <span className={styles.mark} data-unused={unused || undefined}>
          {n}
        </span>
        {unused ? <small>{t('period.unused')}</small> : null}
      </th>
      <td data-label={t('period.start')}>
        {period.start === 'on' ? (
          <span className={styles.fixed}>
            {t('period.on')}
            <small>{when(programme.on, 'at')}</small>
          </span>
        ) : (
          <AnchorFields
            id={`${id}-start`}
            label={t('period.of', { what: t('period.start'), period: name })}
            value={period.start}
            disabled={disabled}
            problemOf={below(problemOf, 'start')}
            onChange={(start) => set({ start })}
          />
        )}
      </td>
      {number('level', t('period.level'), '%')}
      <td data-label={t('period.pattern')}>
        <Select<Pattern>
          {...tied(`${id}-pattern`, problem !== undefined, undefined)}
          aria-label={t('period.of', { what: t('period.pattern'), period: name })}
          value={period.pattern}
          disabled={disabled || period.level === 0}
          popupMatchSelectWidth={false}
          style={{ width: 128 }}
          options={patternsIn(mode).map((value) => ({ value, label: t(`pattern.${value}`) }))}
          onChange={(pattern) => set({ pattern })}
        />
        {problem === undefined ? null : <Trouble text={problem} />}
      </td>
      {number('rampSeconds', t('period.ramp'), t('unit.seconds'))}
      <td className={styles.acts}>
        {index === 0 ? null : (
          <>
            {([-1, 1] as const).map((by) => (
              <Button
                key={by}
                type="text"
                size="small"
                data-way={by < 0 ? 'up' : 'down'}
                disabled={disabled || (by < 0 ? index <= 1 : index >= count - 1)}
                aria-label={t(by < 0 ? 'period.up' : 'period.down', { period: name })}
                title={t(by < 0 ? 'period.up' : 'period.down', { period: name })}
                icon={<Icon name={by < 0 ? 'up' : 'down'} size={14} />}
                onClick={() => onMove(by)}
              />
            ))}
            <Button
              type="text"
              size="small"
              disabled={disabled}
              aria-label={t('period.remove', { period: name })}
              title={t('period.remove', { period: name })}
              icon={<Icon name="trash" size={14} />}
              onClick={onRemove}
            />
          </>
        )}
      </td>
    </tr>
  );
}

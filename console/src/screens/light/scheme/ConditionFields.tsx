import { AutoComplete, Button, Checkbox, Input, InputNumber, Select, Switch } from 'antd';
import dayjs from 'dayjs';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import { holidayClasses, type Condition, type HolidayClass } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { tied } from '../../../fields/face.ts';
import { Field } from '../../../parts/form/index.ts';
import { Icon } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import { Trouble, type ProblemOf } from '../../../parts/plan/problems.tsx';
import { dateFormats } from '../../../parts/search-fields/text-values.ts';
import { MonthDay } from './MonthDay.tsx';
import styles from './scheme.module.css';
import { DatePicker } from '../../../fields/DatePicker.tsx';

type Kind = Condition['kind'];
type Of<K extends Kind> = Extract<Condition, { kind: K }>;

const begin = (): string => dayjs().format('YYYY-MM-DD');
const fresh: { readonly [K in Kind]: () => Of<K> } = {
  date: () => ({ kind: 'date', date: begin() }),
  range: () => ({ kind: 'range', from: begin(), to: begin() }),
  yearly: () => ({ kind: 'yearly', from: '06-01', to: '08-31', otherwise: 'none' }),
  weekdays: () => ({ kind: 'weekdays', days: [6, 7] }),
  nthWeekday: () => ({ kind: 'nthWeekday', n: 1, weekday: 6, months: [] }),
  holiday: () => ({ kind: 'holiday', class: 'public', name: null }),
  lunar: () => ({ kind: 'lunar', month: 1, day: 15, span: 1, leap: false }),
  rrule: () => ({ kind: 'rrule', start: begin(), rrule: '' }),
};
/** What a condition of a kind begins with. */
export const freshCondition = (kind: Kind): Condition => fresh[kind]();
const kinds = Object.keys(fresh) as Kind[];

interface Props {
  condition: Condition;
  first: boolean;
  disabled: boolean;
  holidays: readonly string[];
  problemOf: ProblemOf;
  onChange: (condition: Condition) => void;
  /** Null: the only condition of its rule. */
  onRemove: (() => void) | null;
}

/** One condition of a rule: its kind, and the form of that kind. */
export function ConditionFields({ condition, first, disabled, holidays, problemOf, onChange, onRemove }: Props) {
  const { t } = useTranslation('scheme');
  const id = useId();
  return (
    <div className={styles.condition}>
      <Field id={`${id}-kind`} label={t(first ? 'condition.when' : 'condition.and')} problem={problemOf('kind')}>
        {(tie) => (
          <Select<Kind>
            {...tie}
            value={condition.kind}
            disabled={disabled}
            popupMatchSelectWidth={false}
            style={{ width: 176 }}
            options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(kind) => onChange(freshCondition(kind))}
          />
        )}
      </Field>
      <Inner {...{ id, condition, disabled, holidays, problemOf, onChange }} />
      {onRemove === null || disabled ? null : (
        <Button
          type="text"
          aria-label={t('condition.remove')}
          title={t('condition.remove')}
          icon={<Icon name="close" size={14} />}
          onClick={onRemove}
        />
      )}
    </div>
  );
}

interface InnerProps extends Omit<Props, 'first' | 'onRemove'> {
  id: string;
}

function Inner({ id, condition, disabled, holidays, problemOf, onChange }: InnerProps) {
  const { t } = useTranslation('scheme');
  const names = useDayNames();
  const date = (field: string, value: string, onDate: (day: string) => void) => (
    <Field key={field} id={`${id}-${field}`} label={t(`field.${field as 'date'}`)} required problem={problemOf(field)}>
      {(tie) => (
        <DatePicker
          {...tie}
          value={value === '' ? null : dayjs(value)}
          disabled={disabled}
          format={dateFormats.date}
          onChange={(at) => onDate(at === null ? '' : at.format('YYYY-MM-DD'))}
        />
      )}
    </Field>
  );
  const number = (
    field: 'day' | 'span',
    value: number,
    { min, max }: { readonly min: number; readonly max: number },
    onNumber: (next: number) => void,
  ) => (
    <Field key={field} id={`${id}-${field}`} label={t(`field.lunar.${field}`)} required problem={problemOf(field)}>
      {(tie) => (
        <InputNumber<number>
          {...tie}
          value={Number.isFinite(value) ? value : null}
          min={min}
          max={max}
          precision={0}
          disabled={disabled}
          style={{ width: 88 }}
          onChange={(next) => onNumber(next ?? Number.NaN)}
        />
      )}
    </Field>
  );
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  switch (condition.kind) {
    case 'date':
      return date('date', condition.date, (next) => onChange({ ...condition, date: next }));
    case 'range':
      return (
        <>
          {date('from', condition.from, (from) => onChange({ ...condition, from }))}
          {date('to', condition.to, (to) => onChange({ ...condition, to }))}
        </>
      );
    case 'yearly':
      return (
        <>
          {(['from', 'to'] as const).map((field) => (
            <Field key={field} id={`${id}-${field}`} label={t(`field.${field}`)} required problem={problemOf(field)}>
              {(tie) => (
                <MonthDay
                  tie={tie}
                  label={t(`field.${field}`)}
                  value={condition[field]}
                  disabled={disabled}
                  onChange={(next) => onChange({ ...condition, [field]: next })}
                />
              )}
            </Field>
          ))}
          {condition.from === '02-29' || condition.to === '02-29' ? (
            <Field
              id={`${id}-otherwise`}
              label={t('field.otherwise')}
              hint={t('field.otherwise.hint')}
              problem={problemOf('otherwise')}
            >
              {(tie) => (
                <Select<Of<'yearly'>['otherwise']>
                  {...tie}
                  value={condition.otherwise}
                  disabled={disabled}
                  style={{ width: 168 }}
                  options={(['none', '02-28', '03-01'] as const).map((value) => ({
                    value,
                    label: value === 'none' ? t('field.otherwise.none') : names.day(`2024-${value}`),
                  }))}
                  onChange={(otherwise) => onChange({ ...condition, otherwise })}
                />
              )}
            </Field>
          ) : null}
        </>
      );
    case 'weekdays': {
      const problem = problemOf('days');
      return (
        <div className={styles.weekdays}>
          <span>{t('field.days')}</span>
          <Checkbox.Group<number>
            {...tied(`${id}-days`, problem !== undefined, undefined)}
            value={[...condition.days]}
            disabled={disabled}
            options={weekdays.map((value) => ({ value, label: names.weekday(value) }))}
            onChange={(days) => onChange({ ...condition, days: days.toSorted((one, other) => one - other) })}
          />
          {problem === undefined ? null : <Trouble text={problem} />}
        </div>
      );
    }
    case 'nthWeekday':
      return (
        <>
          <Field id={`${id}-n`} label={t('field.nth')} problem={problemOf('n')}>
            {(tie) => (
              <Select<number>
                {...tie}
                value={condition.n}
                disabled={disabled}
                popupMatchSelectWidth={false}
                style={{ width: 176 }}
                options={([1, 2, 3, 4, 5, -1] as const).map((value) => ({
                  value,
                  label: t(`when.nth.${value}`, { weekday: names.weekday(condition.weekday) }),
                }))}
                onChange={(n) => onChange({ ...condition, n })}
              />
            )}
          </Field>
          <Field id={`${id}-weekday`} label={t('field.weekday')} problem={problemOf('weekday')}>
            {(tie) => (
              <Select<number>
                {...tie}
                value={condition.weekday}
                disabled={disabled}
                style={{ width: 128 }}
                options={weekdays.map((value) => ({ value, label: names.weekday(value) }))}
                onChange={(weekday) => onChange({ ...condition, weekday })}
              />
            )}
          </Field>
          <Field id={`${id}-months`} label={t('field.months')} problem={problemOf('months')}>
            {(tie) => (
              <Select<number[]>
                {...tie}
                mode="multiple"
                value={[...condition.months]}
                disabled={disabled}
                style={{ minWidth: 200 }}
                maxTagCount="responsive"
                placeholder={t('field.months.all')}
                options={Array.from({ length: 12 }, (_, month) => ({
                  value: month + 1,
                  label: names.month(month + 1),
                }))}
                onChange={(months) => onChange({ ...condition, months: months.toSorted((a, b) => a - b) })}
              />
            )}
          </Field>
        </>
      );
    case 'holiday':
      return (
        <>
          <Field id={`${id}-class`} label={t('field.class')} problem={problemOf('class')}>
            {(tie) => (
              <Select<HolidayClass>
                {...tie}
                value={condition.class}
                disabled={disabled}
                popupMatchSelectWidth={false}
                style={{ width: 176 }}
                options={holidayClasses.map((value) => ({ value, label: t(`holiday.${value}`) }))}
                onChange={(next) => onChange({ ...condition, class: next })}
              />
            )}
          </Field>
          {condition.class === 'weekend' || condition.class === 'workday' ? null : (
            <Field id={`${id}-name`} label={t('field.holiday')} problem={problemOf('name')}>
              {(tie) => (
                <AutoComplete
                  {...tie}
                  value={condition.name ?? ''}
                  disabled={disabled}
                  style={{ width: 200 }}
                  placeholder={t('field.holiday.any')}
                  options={[...new Set(holidays)].map((value) => ({ value }))}
                  onChange={(next: string) => onChange({ ...condition, name: next.trim() === '' ? null : next })}
                />
              )}
            </Field>
          )}
        </>
      );
    case 'lunar':
      return (
        <>
          <Field id={`${id}-month`} label={t('field.lunar.month')} problem={problemOf('month')}>
            {(tie) => (
              <Select<number>
                {...tie}
                value={condition.month}
                disabled={disabled}
                style={{ width: 112 }}
                options={Array.from({ length: 12 }, (_, month) => ({
                  value: month + 1,
                  label: t('field.lunar.monthOf', { n: month + 1 }),
                }))}
                onChange={(month) => onChange({ ...condition, month })}
              />
            )}
          </Field>
          {number('day', condition.day, { min: 1, max: 30 }, (day) => onChange({ ...condition, day }))}
          {number('span', condition.span, planLimits.lunarSpan, (span) => onChange({ ...condition, span }))}
          <Field id={`${id}-leap`} label={t('field.lunar.leap')} problem={problemOf('leap')}>
            {({ status: _, ...tie }) => (
              <Switch
                {...tie}
                checked={condition.leap}
                disabled={disabled}
                style={{ width: 'fit-content', marginTop: 5 }}
                onChange={(leap) => onChange({ ...condition, leap })}
              />
            )}
          </Field>
        </>
      );
    case 'rrule':
      return (
        <>
          {date('start', condition.start, (start) => onChange({ ...condition, start }))}
          <Field
            id={`${id}-rrule`}
            label={t('field.rrule')}
            hint={t('field.rrule.hint')}
            required
            problem={problemOf('rrule')}
          >
            {(tie) => (
              <Input
                {...tie}
                value={condition.rrule}
                disabled={disabled}
                maxLength={planLimits.recurrenceText.max}
                spellCheck={false}
                style={{ width: 320, maxWidth: '100%' }}
                placeholder="FREQ=MONTHLY;BYDAY=1FR"
                onChange={(event) => onChange({ ...condition, rrule: event.target.value })}
              />
            )}
          </Field>
        </>
      );
  }
}

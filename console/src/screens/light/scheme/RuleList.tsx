import { Button, Input, Select, Switch } from 'antd';
import { useEffect, useId, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import type { Calendar, CalendarRule, NamedProgramme } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { Field } from '../../../parts/form/index.ts';
import { Card, Empty, Icon } from '../../../parts/index.ts';
import { below, Trouble, type ProblemOf } from '../../../parts/plan/problems.tsx';
import { ConditionFields, freshCondition } from './ConditionFields.tsx';
import { useRuleWords } from './rule-words.ts';
import styles from './scheme.module.css';

interface Props {
  calendar: Calendar;
  programmes: readonly NamedProgramme[];
  disabled: boolean;
  problemOf: ProblemOf;
  /** Rules with a problem inside. */
  wrong: ReadonlySet<number>;
  /** Names of holidays of the shown year. */
  holidays: readonly string[];
  onChange: (calendar: Calendar) => void;
}

/** The rules in their order, the first that holds wins: dragged, or moved by buttons; one is open at a time. */
export function RuleList({ calendar, programmes, disabled, problemOf, wrong, holidays, onChange }: Props) {
  const { t } = useTranslation('scheme');
  const id = useId();
  const { rules } = calendar;
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<string | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (wanted.current === null) return;
    list.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  const put = (next: readonly CalendarRule[]): void => onChange({ ...calendar, rules: next });
  const nameOf = (index: number): string => rules[index]?.label || t('rule.unnamed', { n: index + 1 });
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= rules.length || to === from) return;
    const next = [...rules];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
    setOpen(open === from ? to : null);
    setSaid(t('rule.moved', { name: nameOf(from), n: to + 1, total: rules.length }));
  };
  const step = (from: number, by: number): void => {
    wanted.current = `[data-rule="${from + by}"] button[data-way="${by}"]:not(:disabled), [data-rule="${from + by}"] button[data-way]:not(:disabled)`;
    move(from, from + by);
  };
  const add = (): void => {
    const other = programmes.find(({ key }) => key !== calendar.default) ?? programmes[0];
    put([...rules, { programme: other?.key ?? 1, label: '', enabled: true, when: [freshCondition('yearly')] }]);
    setOpen(rules.length);
    wanted.current = `[data-rule="${rules.length}"] [data-label-field] input`;
  };
  const drop = (event: DragEvent, to: number): void => {
    event.preventDefault();
    if (dragged !== null) move(dragged, to);
    setDragged(null);
    setOver(null);
  };
  const whole = problemOf('calendar.rules');
  return (
    <Card
      title={t('rules.title')}
      extra={
        <span className={styles.pair}>
          <label htmlFor={`${id}-default`}>{t('rules.default')}</label>
          <Select<number>
            id={`${id}-default`}
            value={calendar.default}
            disabled={disabled}
            popupMatchSelectWidth={false}
            style={{ minWidth: 140 }}
            options={programmes.map(({ key, name }, index) => ({
              value: key,
              label: name === '' ? t('programme.unnamed', { n: index + 1 }) : name,
            }))}
            onChange={(next) => onChange({ ...calendar, default: next })}
          />
        </span>
      }
    >
      <p className={styles.text}>{t('rules.text')}</p>
      {rules.length === 0 ? (
        <Empty
          title={t('rules.none')}
          text={t('rules.noneText')}
          {...(disabled ? {} : { action: { text: t('rule.add'), onClick: add } })}
        />
      ) : (
        <ol ref={list} className={styles.rules}>
          {rules.map((rule, index) => (
            <li
              key={index}
              data-rule={index}
              data-off={!rule.enabled || undefined}
              data-over={(over === index && dragged !== index) || undefined}
              draggable={!disabled && open !== index}
              onDragStart={(event) => {
                event.dataTransfer.setData('text/plain', String(index));
                event.dataTransfer.effectAllowed = 'move';
                setDragged(index);
              }}
              onDragOver={(event) => {
                if (dragged === null) return;
                event.preventDefault();
                setOver(index);
              }}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
              onDrop={(event) => drop(event, index)}
            >
              <Head
                {...{ rule, index, programmes, disabled }}
                name={nameOf(index)}
                open={open === index}
                count={rules.length}
                wrong={wrong.has(index)}
                onOpen={() => setOpen(open === index ? null : index)}
                onEnable={(enabled) => put(rules.map((one, at) => (at === index ? { ...one, enabled } : one)))}
                onStep={(by) => step(index, by)}
                onRemove={() => {
                  put(rules.filter((_, at) => at !== index));
                  setOpen(null);
                }}
              />
              {open === index || wrong.has(index) ? (
                <RuleForm
                  {...{ rule, programmes, disabled, holidays }}
                  problemOf={below(problemOf, `calendar.rules.${index}`)}
                  onChange={(next) => put(rules.map((one, at) => (at === index ? next : one)))}
                />
              ) : null}
            </li>
          ))}
        </ol>
      )}
      {rules.length === 0 || disabled ? null : (
        <Button
          disabled={rules.length >= planLimits.rules.max}
          icon={<Icon name="plus" size={14} />}
          style={{ marginTop: 12 }}
          onClick={add}
        >
          {t('rule.add')}
        </Button>
      )}
      {whole === undefined ? null : <Trouble text={whole} />}
      <span className={styles.hidden} role="status">
        {said}
      </span>
    </Card>
  );
}

interface HeadProps {
  rule: CalendarRule;
  index: number;
  name: string;
  programmes: readonly NamedProgramme[];
  disabled: boolean;
  open: boolean;
  count: number;
  wrong: boolean;
  onOpen: () => void;
  onEnable: (enabled: boolean) => void;
  onStep: (by: number) => void;
  onRemove: () => void;
}

function Head({
  rule,
  index,
  name,
  programmes,
  disabled,
  open,
  count,
  wrong,
  onOpen,
  onEnable,
  onStep,
  onRemove,
}: HeadProps) {
  const { t } = useTranslation('scheme');
  const words = useRuleWords();
  const place = programmes.findIndex(({ key }) => key === rule.programme);
  return (
    <div className={styles.ruleHead}>
      {disabled ? null : <Icon name="drag" size={16} />}
      <span className={styles.ruleNumber}>{index + 1}</span>
      <button type="button" className={styles.ruleName} aria-expanded={open} onClick={onOpen}>
        <b>{name}</b>
        <span>{words(rule)}</span>
      </button>
      <span className={styles.ruleProgramme}>
        <i className={styles.swatch} data-programme={place} aria-hidden />
        {programmes[place]?.name ?? '—'}
      </span>
      {wrong ? <Icon name="warning" size={14} /> : null}
      <span className={styles.ruleActs}>
        <Switch
          size="small"
          checked={rule.enabled}
          disabled={disabled}
          aria-label={t('rule.enabled', { name })}
          onChange={onEnable}
        />
        {disabled
          ? null
          : ([-1, 1] as const).map((by) => (
              <Button
                key={by}
                type="text"
                size="small"
                data-way={by}
                disabled={by < 0 ? index === 0 : index === count - 1}
                aria-label={t(by < 0 ? 'rule.up' : 'rule.down', { name })}
                title={t(by < 0 ? 'rule.up' : 'rule.down', { name })}
                icon={<Icon name={by < 0 ? 'up' : 'down'} size={14} />}
                onClick={() => onStep(by)}
              />
            ))}
        {disabled ? null : (
          <Button
            type="text"
            size="small"
            aria-label={t('rule.remove', { name })}
            title={t('rule.remove', { name })}
            icon={<Icon name="trash" size={14} />}
            onClick={onRemove}
          />
        )}
      </span>
    </div>
  );
}

function RuleForm({
  rule,
  programmes,
  disabled,
  holidays,
  problemOf,
  onChange,
}: {
  rule: CalendarRule;
  programmes: readonly NamedProgramme[];
  disabled: boolean;
  holidays: readonly string[];
  problemOf: ProblemOf;
  onChange: (rule: CalendarRule) => void;
}) {
  const { t } = useTranslation('scheme');
  const id = useId();
  const { when } = rule;
  return (
    <div className={styles.ruleForm}>
      <div className={styles.ruleFields}>
        <div data-label-field>
          <Field id={`${id}-label`} label={t('rule.label')} required problem={problemOf('label')}>
            {(tie) => (
              <Input
                {...tie}
                value={rule.label}
                disabled={disabled}
                maxLength={planLimits.ruleLabel.max}
                placeholder={t('rule.labelPlaceholder')}
                onChange={(event) => onChange({ ...rule, label: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field id={`${id}-programme`} label={t('rule.programme')} problem={problemOf('programme')}>
          {(tie) => (
            <Select<number>
              {...tie}
              value={rule.programme}
              disabled={disabled}
              options={programmes.map(({ key, name }, index) => ({
                value: key,
                label: name === '' ? t('programme.unnamed', { n: index + 1 }) : name,
              }))}
              onChange={(programme) => onChange({ ...rule, programme })}
            />
          )}
        </Field>
      </div>
      {when.map((condition, index) => (
        <ConditionFields
          key={index}
          {...{ condition, disabled, holidays }}
          first={index === 0}
          problemOf={below(problemOf, `when.${index}`)}
          onChange={(next) => onChange({ ...rule, when: when.map((one, at) => (at === index ? next : one)) })}
          onRemove={when.length === 1 ? null : () => onChange({ ...rule, when: when.filter((_, at) => at !== index) })}
        />
      ))}
      {disabled || when.length >= planLimits.conditions.max ? null : (
        <Button
          size="small"
          type="text"
          icon={<Icon name="plus" size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange({ ...rule, when: [...when, freshCondition('weekdays')] })}
        >
          {t('condition.add')}
        </Button>
      )}
    </div>
  );
}

import { Checkbox, InputNumber, Switch } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { limitBounds } from '../../../../../contract/light/command-settings.ts';
import { tied } from '../../../fields/face.ts';
import { Field } from '../../../parts/form/index.ts';
import { formatNumber, Icon } from '../../../parts/index.ts';
import { limitFields, type FieldName, type PolicyForm } from './use-policy-form.ts';
import styles from './command-policy.module.css';

interface Props {
  form: PolicyForm;
  readOnly: boolean;
}

/** What the operator reads of a problem: the screen's own rule in words, or the server's sentence. */
function useProblem(form: PolicyForm): (field: FieldName) => string | undefined {
  const { t } = useTranslation('command-policy');
  return (field) => {
    const problem = form.problems[field];
    return problem === undefined ? undefined : typeof problem === 'string' ? t(`problem.${problem}`) : problem.message;
  };
}

/** A rule as one sentence with its number in it, `{n}` in the text. */
function Sentence({
  id,
  text,
  field,
  problem,
  hint,
  lead,
  children,
}: {
  id: string;
  text: string;
  field: FieldName;
  problem: string | undefined;
  hint?: string | undefined;
  /** Switches the rule on and off. */
  lead?: ReactNode;
  children: (tie: ReturnType<typeof tied> & { 'aria-label': string }) => ReactNode;
}) {
  const { t } = useTranslation('command-policy');
  const [before, after = ''] = text.split('{n}');
  const below = problem ?? hint;
  return (
    <div className={styles.rule}>
      <p className={styles.sentence}>
        {lead}
        <span>{before}</span>
        {text.includes('{n}')
          ? children({
              ...tied(id, problem !== undefined, below === undefined ? undefined : `${id}-below`),
              'aria-label': t(`field.${field}` as 'field.off'),
            })
          : null}
        <span>{after}</span>
      </p>
      {below === undefined ? null : (
        <span id={`${id}-below`} className={problem === undefined ? styles.hint : styles.wrong}>
          {problem === undefined ? null : <Icon name="warning" size={12} />}
          {below}
        </span>
      )}
    </div>
  );
}

/** A rule that holds above or below a number, or never. `usual`: what stands there when it is switched on. */
function Threshold({
  form,
  field,
  usual,
  min,
  max,
  suffix,
  readOnly,
}: Props & {
  field: 'reasonAbove' | 'approvalAbove' | 'dimBelow';
  usual: number;
  min: number;
  max: number;
  suffix: string;
}) {
  const { t } = useTranslation('command-policy');
  const id = useId();
  const problem = useProblem(form);
  const value = form.values[field];
  const on = value !== null;
  return (
    <Sentence
      id={id}
      field={field}
      text={t(on ? `rule.${field}` : `rule.${field}.off`)}
      problem={problem(field)}
      // The sentence about a level, and one of a rule that is off, says all.
      hint={on && field !== 'dimBelow' ? t(`field.${field}.hint`) : undefined}
      lead={
        <Switch
          size="small"
          checked={on}
          disabled={readOnly}
          aria-label={t(`field.${field}.switch`)}
          onChange={(next) => form.set(field, next ? usual : null)}
        />
      }
    >
      {(tie) => (
        <InputNumber
          {...tie}
          className={styles.number ?? ''}
          min={min}
          max={max}
          precision={0}
          disabled={readOnly}
          value={value}
          suffix={suffix}
          onChange={(next) => {
            if (next !== null) form.set(field, next);
          }}
        />
      )}
    </Sentence>
  );
}

/** When a reason or a second person is needed. */
export function PolicyFields({ form, readOnly }: Props) {
  const { t } = useTranslation('command-policy');
  const id = useId();
  const problem = useProblem(form);
  const lamps = t('unit.lamps');
  return (
    <div className={styles.fields}>
      <div className={styles.group} role="group" aria-labelledby={`${id}-darkens`}>
        <b id={`${id}-darkens`}>{t('darkens')}</b>
        <Checkbox
          checked={form.values.off}
          disabled={readOnly}
          onChange={(event) => form.set('off', event.target.checked)}
        >
          {t('field.off')}
        </Checkbox>
        <Threshold form={form} field="dimBelow" usual={20} min={1} max={100} suffix="%" readOnly={readOnly} />
      </div>
      <div className={styles.group} role="group" aria-labelledby={`${id}-needs`}>
        <b id={`${id}-needs`}>{t('needs')}</b>
        <Threshold
          form={form}
          field="reasonAbove"
          usual={50}
          min={0}
          max={1_000_000}
          suffix={lamps}
          readOnly={readOnly}
        />
        <Threshold
          form={form}
          field="approvalAbove"
          usual={200}
          min={0}
          max={1_000_000}
          suffix={lamps}
          readOnly={readOnly}
        />
        {form.values.approvalAbove === null
          ? null
          : (['withinMinutes', 'approvalMinutes'] as const).map((field) => (
              <Sentence
                key={field}
                id={`${id}-${field}`}
                field={field}
                text={t(`rule.${field}`)}
                hint={t(`field.${field}.hint`)}
                problem={problem(field)}
              >
                {(tie) => (
                  <InputNumber
                    {...tie}
                    className={styles.number ?? ''}
                    min={1}
                    max={1440}
                    precision={0}
                    disabled={readOnly}
                    value={form.values[field]}
                    suffix={t('unit.minutes')}
                    onChange={(next) => form.set(field, next as number)}
                  />
                )}
              </Sentence>
            ))}
      </div>
      <p className={styles.note}>{t('emergencyNote')}</p>
    </div>
  );
}

/** How long answers may take, and how fast gateways are spoken to. */
export function LimitFields({ form, readOnly }: Props) {
  const { t, i18n } = useTranslation('command-policy');
  const id = useId();
  const problem = useProblem(form);
  const number = (n: number): string => formatNumber(n, i18n.language, n < 1 ? 1 : 0);
  const field = (name: (typeof limitFields)[number]): ReactNode => {
    const { minimum, maximum, fallback } = limitBounds[name];
    return (
      <Field
        key={name}
        id={`${id}-${name}`}
        label={t(`field.${name}`)}
        hint={`${t(`field.${name}.hint`)} ${t('bounds', { min: number(minimum), max: number(maximum), usual: number(fallback) })}`}
        problem={problem(name)}
        required
      >
        {(tie) => (
          <InputNumber
            {...tie}
            className={styles.number ?? ''}
            min={minimum}
            max={maximum}
            {...(name === 'gatewayPerSecond' ? { step: 1 } : { precision: 0 })}
            disabled={readOnly}
            value={form.values[name]}
            suffix={name === 'gatewayPerSecond' ? t('unit.perSecond') : t('unit.seconds')}
            onChange={(next) => form.set(name, next as number)}
          />
        )}
      </Field>
    );
  };
  return <div className={styles.limits}>{limitFields.map(field)}</div>;
}

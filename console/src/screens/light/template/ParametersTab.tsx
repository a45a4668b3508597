import { Button, InputNumber, Segmented, Switch } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { lampLimits } from '../../../../../catalogue/alarms/lamp-limits.ts';
import { familyOfTemplate } from '../../../../../catalogue/lighting/families.ts';
import { planLimits } from '../../../../../catalogue/lighting/limits.ts';
import type { TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Field } from '../../../parts/form/index.ts';
import { Card, formatNumber, formatPercent, Icon } from '../../../parts/index.ts';
import { NumberInput } from '../../../parts/plan/NumberInput.tsx';
import { usePlace } from '../../../parts/plan/use-place.ts';
import { problemIn } from '../../../parts/plan/use-problem-words.ts';
import { durationText } from '../../../parts/charts/index.ts';
import type { Draft } from '../../../parts/versioned/use-draft.ts';
import {
  lightFieldNames,
  lightFields,
  numberFieldNames,
  numberFields,
  numberSections,
  usualLight,
  type NumberField,
} from './fields.ts';
import styles from './template.module.css';

interface Props {
  draft: Draft<TemplateContent>;
  readOnly: boolean;
}

type Range = { readonly min: number; readonly max: number };

/** What a field may be, after the sentence that says what it does at the lamp. `unit`: null: a plain number. */
function useHint(): (help: ReactNode, range: Range, unit: string | null) => ReactNode {
  const { t, i18n } = useTranslation('template');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const most = (max: number, unit: string | null): string =>
    unit === null
      ? number(max)
      : unit === '%'
        ? formatPercent(max, i18n.language)
        : unit === '°'
          ? `${number(max)}°`
          : t('value', { value: number(max), unit });
  return (help, { min, max }, unit) => (
    <>
      {help}
      <span className={styles.range}>{t('range', { min: number(min), max: most(max, unit) })}</span>
    </>
  );
}

/** Everything of a template but its programme, in sections; each field says what it does at the lamp. */
export function ParametersTab({ draft, readOnly }: Props) {
  const { t } = useTranslation('template');
  const names = useNames();
  return (
    <div className={styles.sections}>
      <p className={styles.family}>
        {t('path.part', { what: t('family'), value: names.family(familyOfTemplate(draft.content)) })}
      </p>
      {numberSections.map((section) => (
        <Section key={section} title={t(`section.${section}`)} text={t(`section.${section}.text`)}>
          <div className={styles.fields}>
            {numberFieldNames
              .filter((name) => numberFields[name].section === section)
              .map((name) => (
                <PlainNumber key={name} name={name} draft={draft} readOnly={readOnly} />
              ))}
          </div>
        </Section>
      ))}
      <LightSection draft={draft} readOnly={readOnly} />
      <PlaceSection draft={draft} readOnly={readOnly} />
      <LimitSection draft={draft} readOnly={readOnly} />
    </div>
  );
}

function Section({
  title,
  text,
  extra,
  children,
}: {
  title: string;
  text: string;
  extra?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Card title={title} extra={extra}>
      <p className={styles.text}>{text}</p>
      {children}
    </Card>
  );
}

function PlainNumber({ name, draft, readOnly }: Props & { name: NumberField }) {
  const { t, i18n } = useTranslation('template');
  const hint = useHint();
  const id = useId();
  const { content, problems, change } = draft;
  const { unit, limit } = numberFields[name];
  const value = content[name];
  const seconds = unit === 'seconds' ? value : unit === 'minutes' ? value * 60 : 0;
  return (
    <Field
      id={id}
      label={t(`field.${name}`)}
      required
      hint={hint(t(`field.${name}.hint`), limit, t(`unit.${unit}`))}
      problem={problems[name]}
    >
      {(tie) => (
        <span className={styles.control}>
          <NumberInput
            tie={tie}
            limit={limit}
            value={value}
            disabled={readOnly}
            width={148}
            suffix={t(`unit.${unit}`)}
            onChange={(next) => change({ ...content, [name]: next })}
          />
          {Number.isFinite(seconds) && seconds >= (unit === 'minutes' ? 7200 : 120) ? (
            <span className={styles.same}>{t('same', { duration: durationText(seconds * 1000, i18n.language) })}</span>
          ) : null}
        </span>
      )}
    </Field>
  );
}

function LightSection({ draft, readOnly }: Props) {
  const { t } = useTranslation('template');
  const hint = useHint();
  const id = useId();
  const { content, problems, change } = draft;
  const { light } = content;
  return (
    <Section
      title={t('section.light')}
      text={t('section.light.text')}
      extra={
        <Switch
          checked={light !== null}
          disabled={readOnly}
          aria-label={t('light.set')}
          onChange={(on) => change({ ...content, light: on ? usualLight : null })}
        />
      }
    >
      {light === null ? (
        <p className={styles.none}>{t('light.none')}</p>
      ) : (
        <div className={styles.fields}>
          {lightFieldNames.map((name) => {
            const { unit, limit } = lightFields[name];
            const suffix = unit === null ? null : t(`unit.${unit}`);
            return (
              <Field
                key={name}
                id={`${id}-${name}`}
                label={t(`field.light.${name}`)}
                required
                hint={hint(t(`field.light.${name}.hint`), limit, suffix)}
                problem={problems[`light.${name}`]}
              >
                {(tie) => (
                  <NumberInput
                    tie={tie}
                    limit={limit}
                    value={light[name]}
                    disabled={readOnly}
                    width={148}
                    {...(suffix === null ? {} : { suffix })}
                    onChange={(next) => change({ ...content, light: { ...light, [name]: next } })}
                  />
                )}
              </Field>
            );
          })}
        </div>
      )}
    </Section>
  );
}

/** Where the sun is reckoned: at each lamp's own place, or at one for all. */
function PlaceSection({ draft, readOnly }: Props) {
  const { t } = useTranslation('template');
  const hint = useHint();
  const id = useId();
  const { place, known } = usePlace();
  const { content, problems, change } = draft;
  const { latitude, longitude } = content;
  const own = latitude === null && longitude === null;
  const problemOf = problemIn(problems);
  const ofProject = (): void => change({ ...content, latitude: place.latitude, longitude: place.longitude });
  return (
    <Section title={t('section.place')} text={t('section.place.text')}>
      <div className={styles.control}>
        <Segmented<'own' | 'fixed'>
          aria-label={t('section.place')}
          value={own ? 'own' : 'fixed'}
          disabled={readOnly}
          options={(['own', 'fixed'] as const).map((value) => ({ value, label: t(`place.${value}`) }))}
          onChange={(next) =>
            next === 'own'
              ? change({ ...content, latitude: null, longitude: null })
              : known
                ? ofProject()
                : change({ ...content, latitude: Number.NaN, longitude: Number.NaN })
          }
        />
        {own || !known || readOnly ? null : (
          <Button icon={<Icon name="target" size={14} />} onClick={ofProject}>
            {t('place.project')}
          </Button>
        )}
      </div>
      {own ? (
        <p className={styles.none}>{t('place.own.text')}</p>
      ) : (
        <div className={styles.fields}>
          {(['latitude', 'longitude'] as const).map((name) => (
            <Field
              key={name}
              id={`${id}-${name}`}
              label={t(`field.${name}`)}
              required
              hint={hint(t(`field.${name}.hint`), planLimits[name], '°')}
              problem={problemOf(name)}
            >
              {(tie) => (
                <NumberInput
                  tie={tie}
                  limit={planLimits[name]}
                  value={content[name] ?? Number.NaN}
                  disabled={readOnly}
                  width={148}
                  suffix="°"
                  onChange={(next) => change({ ...content, [name]: next })}
                />
              )}
            </Field>
          ))}
        </div>
      )}
    </Section>
  );
}

/** Other limits of alarms; left alone, those of the catalogue hold. */
function LimitSection({ draft, readOnly }: Props) {
  const { t, i18n } = useTranslation('template');
  const names = useNames();
  const hint = useHint();
  const id = useId();
  const { content, problems, change } = draft;
  const { thresholds } = content;
  const put = (code: string, value: number | undefined): void => {
    const { [code]: _, ...others } = thresholds;
    change({ ...content, thresholds: value === undefined ? others : { ...others, [code]: value } });
  };
  return (
    <Section title={t('section.limits')} text={t('section.limits.text')}>
      <div className={styles.fields}>
        {lampLimits.map(({ code, quantity, side, unit, value: usual, min, max }) => {
          const value = thresholds[code];
          const unitName = names.unit(unit);
          const usualText = t('limit.usual', { value: formatNumber(usual, i18n.language, 1), unit: unitName });
          return (
            <Field
              key={code}
              id={`${id}-${code}`}
              label={t('limit.label', { code, name: names.fault(code) })}
              hint={
                value === undefined
                  ? t('limit.none')
                  : hint(
                      <>
                        {t(`limit.${side}`, { quantity: names.quantity(quantity) })}
                        <span className={styles.range}>{usualText}</span>
                      </>,
                      { min, max },
                      unitName,
                    )
              }
              problem={problems[`thresholds.${code}`]}
              beside={
                <Switch
                  size="small"
                  checked={value !== undefined}
                  disabled={readOnly}
                  aria-label={t('limit.set', { name: names.fault(code) })}
                  onChange={(on) => put(code, on ? usual : undefined)}
                />
              }
            >
              {(tie) =>
                value === undefined ? (
                  <span id={tie.id} className={styles.usual}>
                    {usualText}
                  </span>
                ) : (
                  <InputNumber<number>
                    {...tie}
                    value={Number.isFinite(value) ? value : null}
                    disabled={readOnly}
                    min={min}
                    max={max}
                    step={0.1}
                    precision={1}
                    suffix={unitName}
                    style={{ width: 148 }}
                    onChange={(next) => put(code, next ?? Number.NaN)}
                  />
                )
              }
            </Field>
          );
        })}
      </div>
    </Section>
  );
}

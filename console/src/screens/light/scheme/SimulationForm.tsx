import { Button, InputNumber, Select } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { reference } from '../../../../../catalogue/fields/reference.ts';
import { controllerFamily } from '../../../../../catalogue/lighting/families.ts';
import { addDays } from '../../../../../catalogue/lighting/zone.ts';
import { listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { simulationBounds, type getSimulation, type simulatePlans } from '../../../../../contract/light/simulations.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { useCall } from '../../../api/index.ts';
import { referenceFace } from '../../../fields/reference-face.tsx';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { Card, formatNumber, Icon } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { DayRangePicker } from '../../../parts/search-fields/DayRangePicker.tsx';
import styles from './simulation.module.css';

/** What a person chooses; ids of places as the filters write them. */
export interface Choice {
  readonly roads: string;
  readonly groups: string;
  readonly controllers: string;
  /** What the form does not choose: a simulation that begins at other pages may name them. */
  readonly workAreaId: number | null;
  readonly deviceIds: readonly number[];
  readonly from: string;
  readonly to: string;
  /** A number of a version; null on A: what lamps follow; null on B: the draft. */
  readonly a: number | null;
  readonly b: number | null;
  readonly price: number | null;
  readonly factor: number | null;
}

type Body = BodyOf<typeof simulatePlans>;
type Problems = Readonly<Record<string, string | undefined>>;
const now = 'now';
const draft = 'draft';
const fields = {
  roads: reference('roadId', { to: { record: 'road' } }),
  groups: reference('equipmentGroup', { to: { record: 'equipment-group' } }),
  controllers: reference('rtuId', { to: { family: controllerFamily } }),
} as const;
type Place = keyof typeof fields;
const Places = referenceFace.Filter;

const idsOf = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

/** Which lamps; without places every lamp that the caller sees. */
export function scopeOf({ roads, groups, controllers, workAreaId, deviceIds }: Choice): Body['scope'] {
  return {
    ...(roads === '' ? {} : { roadIds: idsOf(roads) }),
    ...(groups === '' ? {} : { groupIds: idsOf(groups) }),
    ...(controllers === '' ? {} : { controllerIds: idsOf(controllers) }),
    ...(workAreaId === null ? {} : { workAreaId }),
    ...(deviceIds.length === 0 ? {} : { deviceIds: [...deviceIds] }),
  };
}

/** The body of the call. */
export function bodyOf(schemeId: number, choice: Choice): Body {
  const { from, to, a, b, price, factor } = choice;
  return {
    scope: scopeOf(choice),
    from,
    to,
    ...(a === null ? {} : { a: { schemeId, number: a } }),
    b: b === null ? { schemeId } : { schemeId, number: b },
    pricePerKwh: price,
    kgCo2PerKwh: factor,
  };
}

/** What was chosen for a simulation of this scheme. */
export function choiceOf({ scope, from, to, a, b, pricePerKwh, kgCo2PerKwh }: ReplyOf<typeof getSimulation>): Choice {
  const { roadIds = [], groupIds = [], controllerIds = [], workAreaId = null, deviceIds = [] } = scope;
  return {
    roads: roadIds.join(','),
    groups: groupIds.join(','),
    controllers: controllerIds.join(','),
    workAreaId,
    deviceIds,
    from,
    to,
    a: a?.schemeId === b.schemeId ? a.number : null,
    b: b.number,
    price: pricePerKwh,
    factor: kgCo2PerKwh,
  };
}

/** A year from a day on. */
export const yearFrom = (from: string): Pick<Choice, 'from' | 'to'> => ({ from, to: addDays(from, 364) });

interface Props {
  schemeId: number;
  hasDraft: boolean;
  choice: Choice;
  problems: Problems;
  busy: boolean;
  onChange: (choice: Choice) => void;
  onBegin: () => void;
}

/** Which lamps, which nights, which two plans. */
export function SimulationForm({ schemeId, hasDraft, choice, problems, busy, onChange, onBegin }: Props) {
  const { t } = useTranslation('scheme');
  const id = useId();
  const versions = useCall(listSchemeVersions, { params: { id: schemeId } });
  const numbers = (versions.data?.data ?? []).map(({ number }) => ({
    value: String(number),
    label: t('sim.version', { n: number }),
  }));
  const put = (more: Partial<Choice>): void => onChange({ ...choice, ...more });
  const place = (key: Place) => (
    <Field id={`${id}-${key}`} label={t(`sim.scope.${key}`)} problem={problems[`scope.${key}`]}>
      {() =>
        Places === null ? null : (
          <Places
            field={fields[key]}
            id={`${id}-${key}`}
            value={choice[key]}
            onChange={(next) => put({ [key]: next })}
          />
        )
      }
    </Field>
  );
  const rate = (key: 'price' | 'factor', name: string, step: number) => (
    <Field id={`${id}-${key}`} label={t(`sim.${key}`)} problem={problems[name]}>
      {(tie) => (
        <InputNumber<number>
          {...tie}
          value={choice[key]}
          min={0}
          step={step}
          style={{ width: '100%' }}
          onChange={(next) => put({ [key]: next })}
        />
      )}
    </Field>
  );
  return (
    <Card title={t('sim.title')}>
      <p className={styles.lead}>{t('sim.lead')}</p>
      <div className={styles.form}>
        {place('roads')}
        {place('groups')}
        {place('controllers')}
        <Others
          choice={choice}
          problems={Object.keys(problems)
            .filter((field) => /^scope\.(workAreaId|deviceIds)\b/.test(field))
            .flatMap((field) => problems[field] ?? [])}
          onClear={() => put({ workAreaId: null, deviceIds: [] })}
        />
        <Field
          id={`${id}-days`}
          label={t('sim.days')}
          hint={t('sim.daysHint', { n: simulationBounds.nights })}
          problem={problems['from'] ?? problems['to']}
        >
          {() => (
            <DayRangePicker
              id={`${id}-days`}
              label={t('sim.days')}
              value={{ from: choice.from, to: choice.to }}
              onChange={({ from, to }) => {
                if (from !== undefined && to !== undefined) put({ from, to });
              }}
            />
          )}
        </Field>
        <Field id={`${id}-a`} label={t('sim.a')} problem={undefined}>
          {(tie) => (
            <Select<string>
              {...tie}
              value={choice.a === null ? now : String(choice.a)}
              options={[{ value: now, label: t('sim.current') }, ...numbers]}
              onChange={(next) => put({ a: next === now ? null : Number(next) })}
            />
          )}
        </Field>
        <Field id={`${id}-b`} label={t('sim.b')} problem={undefined}>
          {(tie) => (
            <Select<string>
              {...tie}
              value={choice.b === null ? draft : String(choice.b)}
              options={[{ value: draft, label: t(hasDraft ? 'sim.draft' : 'sim.newest') }, ...numbers]}
              onChange={(next) => put({ b: next === draft ? null : Number(next) })}
            />
          )}
        </Field>
        {rate('price', 'pricePerKwh', 0.01)}
        {rate('factor', 'kgCo2PerKwh', 0.01)}
      </div>
      <Button type="primary" disabled={inPreview()} loading={busy} onClick={onBegin}>
        {t('sim.begin')}
      </Button>
    </Card>
  );
}

/** Lamps of the simulation that its fields cannot name, and what the server says of them. */
function Others({
  choice: { workAreaId, deviceIds },
  problems,
  onClear,
}: {
  choice: Choice;
  problems: readonly string[];
  onClear: () => void;
}) {
  const { t, i18n } = useTranslation('scheme');
  if (workAreaId === null && deviceIds.length === 0) return null;
  return (
    <p className={styles.others}>
      {[...new Set(problems)].map((problem) => (
        <span key={problem} className={formStyles.error} role="alert">
          <Icon name="warning" size={12} />
          {problem}
        </span>
      ))}
      {workAreaId === null ? null : <span>{t('sim.scope.area')}</span>}
      {deviceIds.length === 0 ? null : (
        <span>{t('sim.scope.devices', { n: formatNumber(deviceIds.length, i18n.language, 0) })}</span>
      )}
      <Button size="small" type="text" onClick={onClear}>
        {t('sim.scope.clear')}
      </Button>
    </p>
  );
}

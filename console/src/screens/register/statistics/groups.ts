import { ageYears } from '../../../../../contract/register/statistics.ts';
import type { getAssetStatistics } from '../../../../../contract/register/statistics.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { Names } from '../../../../../catalogue/names.ts';
import type { TFunction } from 'i18next';
import type { MarkState } from '../../../parts/index.ts';

export type Told = ReplyOf<typeof getAssetStatistics>;
export type FigureName = 'families' | 'workAreas' | 'roads' | 'ages' | 'vendors' | 'states';
/** The mark of a state; what is no lamp is online, never lit. */
export const markOf = (state: string): MarkState => (state === 'online' ? 'on' : (state as MarkState));
/** A row of a figure's table; `key` null: not given. `rest`: all the groups that are not told one by one. */
export interface Group {
  readonly key: string | null;
  readonly name: string;
  readonly count: number;
  readonly rest?: true;
}

/** What a group is called: rows by their name, everything else by the words of the catalogue. */
function nameOf(figure: FigureName, key: string | null, names: Names, t: TFunction<'statistics'>): string {
  if (key === null) return t(figure === 'states' ? 'silent' : 'none');
  if (figure === 'families') return names.family(key);
  if (figure === 'states') return key === 'online' ? t('online') : names.state(key);
  if (figure !== 'ages') return key;
  if (key === 'future') return t('age.future');
  const from = Number(key);
  const to = ageYears[ageYears.findIndex((years) => years === from) + 1];
  return to === undefined
    ? t('age.over', { from })
    : from === 0
      ? t('age.under', { to })
      : t('age.between', { from, to });
}

/** The groups of a figure in words, largest first (ages: youngest first), what was left out summed up at the end. */
export function groupsOf(figure: FigureName, told: Told, names: Names, t: TFunction<'statistics'>): Group[] {
  const { groups, omitted } = told[figure];
  const rest: Group[] =
    omitted.groups > 0
      ? [{ key: null, name: t('others', { n: omitted.groups }), count: omitted.count, rest: true }]
      : [];
  return [
    ...groups.map(({ key, label, count }) => ({ key, name: label ?? nameOf(figure, key, names, t), count })),
    ...rest,
  ];
}

export interface Order {
  readonly by: 'name' | 'count';
  readonly down: boolean;
}

/** Groups in an order that was asked for; null: as they are told. What was left out stays at the end. */
export function sorted(groups: readonly Group[], order: Order | null, language: string): readonly Group[] {
  if (order === null) return groups;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  const sign = order.down ? -1 : 1;
  return groups.toSorted(
    (a, b) =>
      Number(a.rest === true) - Number(b.rest === true) ||
      sign * (order.by === 'name' ? compare(a.name, b.name) : a.count - b.count),
  );
}

import type { Language } from '../../../../catalogue/languages.ts';
import type { MonthSums } from '../../../../catalogue/lighting/plan/difference.ts';
import type { YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import { namesIn } from '../../../../catalogue/locales/index.ts';
import { fill } from '../../../../catalogue/names.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { findResult } from './simulations.store.ts';
import { costed, totalOf } from './sums.ts';
import type { AskedSimulation, KeptFinding } from './simulations.types.ts';
import { simulationTexts } from './texts.ts';

export interface SimulationSheetParams {
  readonly resultId: number;
  readonly rates: Pick<AskedSimulation, 'pricePerKwh' | 'kgCo2PerKwh'>;
  readonly language: Language;
  readonly count: number;
}

const figures = ['kwh', 'hours', 'switches', 'cost', 'kgCo2'] as const;

/** Months of both plans, their sums, then what was found. */
export const simulationSheet: SheetKind<SimulationSheetParams> = {
  module: import.meta.url,
  name: 'simulationSheet',
  open(db, params) {
    const texts = simulationTexts[params.language];
    const number = (title: string) => ({ title, kind: 'decimal' as const, width: Math.max(12, title.length + 2) });
    return {
      name: texts.title,
      count: params.count,
      columns: [
        { title: texts.what, kind: 'text', width: 60 },
        number(texts.lamps),
        number(texts.nights),
        ...figures.flatMap((key) => [
          number(fill(texts.side, { name: texts[key], side: 'A' })),
          number(fill(texts.side, { name: texts[key], side: 'B' })),
          number(fill(texts.difference, { name: texts[key] })),
        ]),
      ],
      rows: rowsOf(db, params),
    };
  },
};

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

async function* rowsOf(db: Db, params: SimulationSheetParams): AsyncGenerator<readonly SheetRow[]> {
  const result = await findResult(db, params.resultId);
  if (!result) return;
  const { months, lamps, findings, days } = result.outcome;
  const texts = simulationTexts[params.language];
  const sides = { a: totalOf(months, 'a'), b: totalOf(months, 'b') };
  yield [
    ...months.map(({ month, nights, ...of }) => [month, lamps, nights, ...sumsOf(of, params)]),
    [texts.total, lamps, days, ...sumsOf(sides, params)],
    ...findings.map((finding) => rowOfFinding(finding, params.language)),
  ];
}

function sumsOf(of: Readonly<Record<YearSide, MonthSums>>, { rates }: SimulationSheetParams): (number | null)[] {
  const [a, b] = [costed(of.a, rates), costed(of.b, rates)];
  return figures.flatMap((key) => {
    const [before, after] = [a[key], b[key]];
    if (before === null || after === null) return [null, null, null];
    return [rounded(before), rounded(after), rounded(after - before)];
  });
}

function rowOfFinding(finding: KeptFinding, language: Language): SheetRow {
  const texts = simulationTexts[language];
  const names = namesIn(language);
  const { side, code, severity, label, programme, period, road, lamps, nights, hours } = finding;
  const what = [
    `${names.option('findingSeverity', severity)} ${side.toUpperCase()}`,
    names.option('planFinding', code),
    label,
    programme,
    period === null ? null : fill(texts.period, { n: period + 1 }),
    road === null ? null : names.option('roadClass', road),
  ];
  const inHours = hours === null ? null : rounded(hours);
  return [
    what.filter((part) => part !== null && part !== '').join(' · '),
    lamps,
    nights,
    ...figures.flatMap((key) =>
      key === 'hours' ? [side === 'a' ? inHours : null, side === 'b' ? inHours : null, null] : [null, null, null],
    ),
  ];
}

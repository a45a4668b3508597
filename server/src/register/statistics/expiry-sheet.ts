import { namesIn, type Language, type Names } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetColumn, SheetRow } from '../../platform/sheet/sheet.ts';
import type { DeviceScope } from '../devices/index.ts';
import { findExpiries, type ExpiringField, type ExpiryRow, type Span } from './expiries.store.ts';
import type { Filters } from './statistics.store.ts';
import { statisticsTexts } from './texts.ts';

export interface ExpirySheetParams {
  readonly filters: Filters;
  readonly field: ExpiringField;
  readonly within: Span;
  readonly now: Date;
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly count: number;
}

const rowsARead = 2000;

/** What ends within a span, or has ended, all of it. */
export const expirySheet: SheetKind<ExpirySheetParams> = {
  module: import.meta.url,
  name: 'expirySheet',
  open(db, params) {
    const names = namesIn(params.language);
    return {
      name: statisticsTexts[params.language].expiries[params.field],
      columns: columnsOf(params, names),
      rows: rowsOf(db, params, names),
      count: params.count,
    };
  },
};

async function* rowsOf(
  db: Db,
  { filters, field, within, now, scope }: ExpirySheetParams,
  names: Names,
): AsyncGenerator<readonly SheetRow[]> {
  for (let rows: readonly ExpiryRow[] | undefined; rows === undefined || rows.length === rowsARead;) {
    rows = await findExpiries(db, scope, filters, { field, within, now, limit: rowsARead, after: rows?.at(-1) });
    yield rows.map((row) => cellsOf(row, field, names));
  }
}

function columnsOf({ field, language }: ExpirySheetParams, names: Names): SheetColumn[] {
  const t = statisticsTexts[language];
  const text = (title: string, width = 18) => ({ title, kind: 'text' as const, width });
  return [
    text(t.code),
    text(t.name, 24),
    text(t.families),
    text(t.workAreas),
    text(t.roads),
    text(names.field('manufacturer')),
    text(names.field('model')),
    ...(field === 'simExpiry' ? [text(names.field('simNum'), 24)] : []),
    text(names.field(field), 14),
    { title: t.expiries.days, kind: 'number' as const, width: 12 },
  ];
}

const cellsOf = (row: ExpiryRow, field: ExpiringField, names: Names): SheetRow => [
  row.code,
  row.name,
  names.family(row.family),
  row.workAreaName,
  row.roadName,
  row.manufacturer,
  row.model,
  ...(field === 'simExpiry' ? [row.simNum] : []),
  row.day,
  row.days,
];

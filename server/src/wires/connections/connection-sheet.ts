import type { Language, Names } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { namesFrom } from '../../register/dictionaries/index.ts';
import { findEntries, type Entry, type Filters } from './connections.store.ts';
import { connectionTexts } from './texts.ts';

export interface ConnectionSheetParams {
  readonly filters: Filters;
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}

const rowsARead = 2000;

/** The connection log as it is filtered, the latest first, in the reader's language and time. */
export const connectionSheet: SheetKind<ConnectionSheetParams> = {
  module: import.meta.url,
  name: 'connectionSheet',
  open: (db, params) => ({
    name: connectionTexts[params.language].title,
    columns: columnsOf(params.language),
    rows: rowsOf(db, params),
    count: params.count,
  }),
};

async function* rowsOf(
  db: Db,
  { filters, scope, language, timezoneOffset }: ConnectionSheetParams,
): AsyncGenerator<readonly SheetRow[]> {
  const names = await namesFrom(db, language);
  for (let rows: readonly Entry[] | undefined; rows === undefined || rows.length === rowsARead;) {
    rows = await findEntries(db, scope, filters, { limit: rowsARead, after: rows?.at(-1) });
    yield rows.map((row) => cellsOf(row, names, language, timezoneOffset));
  }
}

function columnsOf(language: Language) {
  const t = connectionTexts[language].columns;
  const text = (title: string, width = 18) => ({ title, kind: 'text' as const, width });
  const time = (title: string) => ({ title, kind: 'time' as const, width: 20 });
  return [
    text(t.code),
    text(t.name, 24),
    text(t.family),
    text(t.area),
    text(t.road),
    text(t.kind),
    text(t.reason, 30),
    time(t.began),
    time(t.ended),
    { title: t.seconds, kind: 'number' as const, width: 12 },
    { title: t.times, kind: 'number' as const, width: 8 },
    text(t.via),
    text(t.address),
  ];
}

function cellsOf(row: Entry, names: Names, language: Language, timezoneOffset: number): SheetRow {
  const texts = connectionTexts[language];
  return [
    row.device.code,
    row.device.name,
    names.family(row.device.family),
    row.device.workAreaName,
    row.device.roadName,
    texts.kinds[row.kind],
    texts.reasons[row.reason],
    wallTime(row.beganAt, timezoneOffset),
    row.endedAt === null ? null : wallTime(row.endedAt, timezoneOffset),
    row.seconds === null ? null : Math.round(row.seconds),
    row.times,
    row.via?.code ?? null,
    row.address,
  ];
}

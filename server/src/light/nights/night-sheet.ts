import type { Language } from '../../../../catalogue/languages.ts';
import { namesIn } from '../../../../catalogue/locales/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import type { LampsAsked } from './nights.query.ts';
import { findLampsAfter } from './reading.store.ts';
import { nightTexts } from './texts.ts';

export interface NightSheetParams {
  readonly scope: DeviceScope;
  readonly asked: LampsAsked;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}

const times: ReadonlySet<string> = new Set(['since', 'stepAt', 'readingAt']);
const numbers: ReadonlySet<string> = new Set(['expected', 'observed', 'misses']);
const rowsARead = 1000;

/** Lamps of a night, each with its outcome and why. */
export const nightSheet: SheetKind<NightSheetParams> = {
  module: import.meta.url,
  name: 'nightSheet',
  open(db, params) {
    const { title, columns } = nightTexts[params.language];
    return {
      name: `${title} ${params.asked.day}`,
      count: params.count,
      rows: rowsOf(db, params),
      columns: Object.entries(columns).map(([key, name]) => ({
        title: name,
        kind: times.has(key) ? ('time' as const) : numbers.has(key) ? ('decimal' as const) : ('text' as const),
        width: times.has(key) ? 20 : Math.max(12, name.length + 4),
      })),
    };
  },
};

async function* rowsOf(
  db: Db,
  { scope, asked, language, timezoneOffset }: NightSheetParams,
): AsyncGenerator<readonly SheetRow[]> {
  const names = namesIn(language);
  const local = (at: Date | null): Date | null => (at === null ? null : wallTime(at, timezoneOffset));
  for (let after = 0; ;) {
    const rows = await findLampsAfter(db, scope, asked, { after, limit: rowsARead });
    if (rows.length === 0) return;
    yield rows.map((row) => [
      row.code,
      row.name,
      row.areaName,
      row.roadName,
      names.option('nightOutcome', row.outcome),
      row.reason === null ? null : names.option('nightReason', row.reason),
      local(row.since),
      row.detail,
      local(row.stepAt),
      row.expected,
      row.observed,
      local(row.readingAt),
      row.misses,
    ]);
    after = rows.at(-1)?.deviceId ?? after;
  }
}

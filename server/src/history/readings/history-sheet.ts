import { namesIn, wordsOf, type Language, type Names, type Quantity } from '../../../../catalogue/index.ts';
import { qualities } from '../../../../contract/history/history.ts';
import type { Resolution } from '../../../../contract/history.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetCell, SheetColumn, SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { askedDevices, askedQuantities, curveKind, optionsOf, type AskedDevice } from './asked.ts';
import { beginningOf } from './history.service.ts';
import { keptSince } from './storage.store.ts';
import { quantityNumbers } from './quantity-numbers.store.ts';
import { findSeries, type Point } from './series.store.ts';
import { historyTexts } from './texts.ts';

export interface HistorySheetParams {
  readonly deviceIds: readonly number[];
  readonly quantities: readonly string[];
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly resolution: Resolution;
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}

/** So many rows one file holds: what a sheet can. */
export const mostRows = 1_000_000;
const dayMs = 86_400_000;
/** So much of one device is read at a time: some ten thousand values whatever the resolution. */
const windowDays: Readonly<Record<Resolution, number>> = { raw: 3, '15m': 31, hour: 120, day: 3700 };

/** What devices sent as a table: a row a device and instant, columns by quantity; in the reader's language and time. */
export const historySheet: SheetKind<HistorySheetParams> = {
  module: import.meta.url,
  name: 'historySheet',
  open(db, params) {
    const texts = historyTexts[params.language];
    const names = namesIn(params.language);
    const isRaw = params.resolution === 'raw';
    const columns: SheetColumn[] = [
      { title: texts.time, kind: 'time', width: 20 },
      { title: texts.code, kind: 'text', width: 18 },
      { title: texts.name, kind: 'text', width: 26 },
      ...askedQuantities(params.quantities).flatMap((quantity) =>
        columnsOf(quantity, names, isRaw ? [''] : ['', ` · ${texts.least}`, ` · ${texts.greatest}`]),
      ),
      ...(isRaw ? [] : [{ title: texts.readings, kind: 'number' as const, width: 10 }]),
      { title: texts.quality, kind: 'text', width: 10 },
    ];
    return { name: texts.title, columns, rows: rowsOf(db, params, names), count: params.count };
  },
};

function columnsOf(quantity: Quantity, names: Names, suffixes: readonly string[]): SheetColumn[] {
  const unit = quantity.kind === 'number' ? names.unit(quantity.unit) : '';
  const title = `${names.quantity(quantity.key)}${unit === '' ? '' : ` (${unit})`}`;
  const isMeasured = curveKind(quantity) === 'measured';
  return suffixes
    .filter((suffix) => isMeasured || suffix === '')
    .map((suffix) => ({
      title: `${title}${suffix}`,
      kind: quantity.kind === 'number' ? ('decimal' as const) : ('text' as const),
      width: Math.max(12, title.length + suffix.length + 2),
    }));
}

async function* rowsOf(db: Db, params: HistorySheetParams, names: Names): AsyncGenerator<SheetRow[]> {
  const [devices, quantities, numbers] = [
    await askedDevices(db, params.scope, params.deviceIds),
    askedQuantities(params.quantities),
    await quantityNumbers(db),
  ];
  let count = 0;
  for (const device of devices) {
    for (
      let from = beginningOf(params.resolution, params.from, [device]);
      from < params.to;
      from += windowDays[params.resolution] * dayMs
    ) {
      const { rolledTo } = await keptSince(db);
      const series = await findSeries(db, params.resolution, {
        deviceIds: [device.id],
        quantities,
        numbers,
        from,
        to: Math.min(params.to, from + windowDays[params.resolution] * dayMs),
        rolledTo,
        most: Number.MAX_SAFE_INTEGER,
      });
      const rows = tabled(quantities, new Map(series.map(({ i, points }) => [i, points])), device, params, names);
      count += rows.length;
      // How many there will be is only about known beforehand.
      if (count > mostRows) throw refuse('exportTooLarge', { count, limit: mostRows });
      if (rows.length > 0) yield rows;
    }
  }
}

/** Points of several quantities beside one another. */
function tabled(
  quantities: readonly Quantity[],
  series: ReadonlyMap<number, readonly Point[]>,
  device: AskedDevice,
  { resolution, language, timezoneOffset }: HistorySheetParams,
  names: Names,
): SheetRow[] {
  const byTime = new Map<number, (Point | undefined)[]>();
  for (const [i, points] of series) {
    for (const point of points) {
      const row = byTime.get(point[0]) ?? [];
      row[i] = point;
      byTime.set(point[0], row);
    }
  }
  const words = historyTexts[language].qualities;
  return [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([at, points]) => {
      const known = points.filter((point) => point !== undefined);
      const quality = qualities[Math.max(...known.map((point) => point[5]))];
      const cells = quantities.flatMap((quantity, i) => cellsOf(quantity, points[i], resolution === 'raw', names));
      return [
        wallTime(at, timezoneOffset),
        device.code,
        device.name,
        ...cells,
        ...(resolution === 'raw' ? [] : [Math.max(...known.map((point) => point[4]))]),
        quality === undefined ? null : words[quality],
      ];
    });
}

function cellsOf(quantity: Quantity, point: Point | undefined, isRaw: boolean, names: Names): SheetCell[] {
  const [, value = null, least = null, greatest = null] = point ?? [];
  // Two places more than it is measured with: a mean is no reading.
  const rounded = (x: number | null) =>
    x === null || quantity.kind !== 'number' ? x : Number(x.toFixed(quantity.decimals + 2));
  if (curveKind(quantity) === 'measured') return isRaw ? [value] : [rounded(value), rounded(least), rounded(greatest)];
  if (quantity.kind === 'number' || value === null) return [value];
  const option = optionsOf(quantity)?.[value];
  return [names.option(wordsOf(quantity), option ?? String(value === 1))];
}

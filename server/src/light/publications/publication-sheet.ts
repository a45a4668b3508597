import type { Language } from '../../../../catalogue/languages.ts';
import { fill } from '../../../../catalogue/names.ts';
import type { itemReasons, itemStates, publicationPhases } from '../../../../contract/light/publications.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import {
  findItemsAfter,
  findRows,
  type ItemFilter,
  type PublicationFilter,
  type StoredItem,
  type StoredPublication,
} from './reading.store.ts';
import { seenScope } from './scope.ts';
import { whyTakenBack } from './taken-back.ts';
import { publicationTexts } from './texts.ts';

interface Reader {
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}
export interface PublicationSheetParams extends Reader {
  readonly filter: PublicationFilter;
}
export interface LampSheetParams extends Reader {
  readonly id: number;
  readonly filter: ItemFilter;
}

const rowsARead = 200;
const lampsARead = 1000;
const counted = ['told', 'reported', 'proven', 'diverged', 'away', 'cannot'] as const;

/** The kind of a column by its name; what is none of these is text. */
const kinds: Readonly<Record<string, 'number' | 'decimal' | 'time'>> = {
  ...Object.fromEntries(['id', 'total', 'darkens'].map((key) => [key, 'number' as const])),
  ...Object.fromEntries(['created', 'ended', 'step', 'read', 'heard'].map((key) => [key, 'time' as const])),
  expected: 'decimal',
  observed: 'decimal',
};
const columnsOf = (titles: Readonly<Record<string, string>>, more: typeof kinds) =>
  Object.entries(titles).map(([key, title]) => {
    const kind = more[key] ?? kinds[key] ?? ('text' as const);
    return { title, kind, width: kind === 'time' ? 20 : Math.max(12, title.length + 4) };
  });

/** The list of publications as it is filtered, the newest first. */
export const publicationSheet: SheetKind<PublicationSheetParams> = {
  module: import.meta.url,
  name: 'publicationSheet',
  open(db, params) {
    const { title, columns } = publicationTexts[params.language];
    const numbers = Object.fromEntries(counted.map((state) => [state, 'number' as const]));
    return { name: title, count: params.count, columns: columnsOf(columns, numbers), rows: rowsOf(db, params) };
  },
};

/** The lamps of one publication: where each stands, since when, its proof, and why not. */
export const publicationLampSheet: SheetKind<LampSheetParams> = {
  module: import.meta.url,
  name: 'publicationLampSheet',
  open(db, params) {
    const { lampsTitle, lampColumns } = publicationTexts[params.language];
    const times = Object.fromEntries(['told', 'reported', 'proven'].map((key) => [key, 'time' as const]));
    return {
      name: `${lampsTitle} ${params.id}`,
      count: params.count,
      columns: columnsOf(lampColumns, times),
      rows: lampsOf(db, params),
    };
  },
};

async function* rowsOf(db: Db, params: PublicationSheetParams): AsyncGenerator<readonly SheetRow[]> {
  for (let before: number | undefined, more = true; more;) {
    const rows = await findRows(db, params.scope, params.filter, {
      limit: rowsARead,
      ...(before === undefined ? {} : { before }),
    });
    yield rows.map((row) => rowOf(row, params));
    before = rows.at(-1)?.id;
    more = rows.length === rowsARead;
  }
}

function rowOf(row: StoredPublication, { language, timezoneOffset }: Reader): SheetRow {
  const texts = publicationTexts[language];
  const versions = [row.scheme, row.template].flatMap((one) =>
    one ? [fill(texts.version, { name: one.name, n: one.number })] : [],
  );
  const { names = [] } = seenScope(row);
  const local = (at: Date | null) => (at === null ? null : wallTime(at, timezoneOffset));
  return [
    row.id,
    row.reverts === null ? versions.join(' + ') : fill(texts.revert, { id: row.reverts }),
    texts.phases[row.phase as (typeof publicationPhases)[number]],
    names.join(' · '),
    row.effectiveFrom,
    row.total,
    ...counted.map((state) => row.states[state] ?? 0),
    row.darkens,
    row.takenBack ? whyTakenBack(row.takenBack, language) : row.reason,
    row.actorName,
    local(row.createdAt),
    local(row.endedAt),
  ];
}

async function* lampsOf(
  db: Db,
  { id, filter, scope, ...reader }: LampSheetParams,
): AsyncGenerator<readonly SheetRow[]> {
  for (let after = 0, more = true; more;) {
    const items = await findItemsAfter(db, scope, { id, filter, after, limit: lampsARead });
    yield items.map((item) => lampRow(item, reader));
    after = items.at(-1)?.deviceId ?? after;
    more = items.length === lampsARead;
  }
}

function lampRow(
  item: StoredItem,
  { language, timezoneOffset }: Pick<Reader, 'language' | 'timezoneOffset'>,
): SheetRow {
  const texts = publicationTexts[language];
  const local = (at: Date | string | null | undefined) =>
    at === null || at === undefined ? null : wallTime(at, timezoneOffset);
  const proof = item.proof as {
    readonly stepAt: string;
    readonly expected: number;
    readonly observed: number | null;
    readonly readingAt: string | null;
  } | null;
  return [
    item.code,
    item.name,
    item.roadName,
    item.canary ? texts.yes : null,
    texts.states[item.state as (typeof itemStates)[number]],
    item.reason === null ? null : texts.reasons[item.reason as (typeof itemReasons)[number]],
    local(item.toldAt),
    local(item.reportedAt),
    local(item.provenAt),
    local(proof?.stepAt),
    proof?.expected ?? null,
    proof?.observed ?? null,
    local(proof?.readingAt),
    local(item.heardAt),
  ];
}

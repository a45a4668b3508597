import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { cursorOf, placeOf, type Place } from './cursor.ts';
import type { Order, OrderPart } from './devices.order.query.ts';
import { joined, type ListTable } from './devices.query.ts';

/** Which rows a list is about. */
export interface Chosen {
  readonly tables: readonly ListTable[];
  readonly where: RawBuilder<SqlBool>;
}
/** Where a page begins: so many rows into the list, or next to a row that was seen before. */
export type Start = { readonly offset: number } | { readonly after: string } | { readonly before: string };
export interface PageOfIds {
  readonly ids: readonly number[];
  readonly next?: string;
  readonly previous?: string;
}

interface Found {
  readonly id: number;
  readonly key: string | null;
  readonly part: number;
}

/** The ids of one page, and the places from which its neighbours are read without counting the rows before them. */
export async function findIds(db: Db, chosen: Chosen, order: Order, start: Start, limit: number): Promise<PageOfIds> {
  const backwards = 'before' in start;
  const offset = 'offset' in start ? start.offset : 0;
  const from = 'offset' in start ? null : read(order, start);
  // One more than is shown: whether there are further ones.
  const found = await walk(db, chosen, order, { backwards, from, offset, limit: limit + 1 });
  const more = found.length > limit;
  const page = backwards ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  return pageOf(order, page, { next: backwards || more, previous: backwards ? more : from !== null || offset > 0 });
}

/** The same for a page in the second half of so many rows: counted from the end. */
export async function findIdsFromEnd(
  db: Db,
  chosen: Chosen,
  order: Order,
  offset: number,
  limit: number,
  total: number,
): Promise<PageOfIds> {
  const shown = Math.min(limit, total - offset);
  const found =
    shown > 0
      ? await walk(db, chosen, order, { backwards: true, from: null, offset: total - offset - shown, limit: shown })
      : [];
  return pageOf(order, found.toReversed(), { next: offset + shown < total, previous: offset > 0 });
}

function pageOf(
  order: Order,
  page: readonly Found[],
  there: { readonly next: boolean; readonly previous: boolean },
): PageOfIds {
  const [first, last] = [page[0], page.at(-1)];
  return {
    ids: page.map((row) => row.id),
    ...(last && there.next ? { next: cursorOf(order.sort, last) } : {}),
    ...(first && there.previous ? { previous: cursorOf(order.sort, first) } : {}),
  };
}

function read(order: Order, start: { readonly after: string } | { readonly before: string }): Place {
  const parts = order.parts.map(({ key }) => ({ keyed: key !== null, fits: fitting[key?.type ?? 'text'] }));
  return 'after' in start
    ? placeOf('after', start.after, order.sort, parts)
    : placeOf('before', start.before, order.sort, parts);
}

/** What the database can read as a key; a text must hold no NUL. */
const fitting = {
  text: (key: string) => !key.includes('\0'),
  float8: (key: string) =>
    /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(key) &&
    Number.isFinite(Number(key)) &&
    (Number(key) !== 0 || !key.includes('e')),
  boolean: (key: string) => key === 'true' || key === 'false',
  timestamptz: (key: string) => isMoment(key),
};
/** As PostgreSQL writes a time: a day that exists, a time, a zone. */
function isMoment(key: string): boolean {
  const [, day = '', time = ''] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)[+-]\d\d(?::\d\d)?$/.exec(key) ?? [];
  const read = new Date(`${day}T${time}Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}

interface Walk {
  readonly backwards: boolean;
  readonly from: Place | null;
  readonly offset: number;
  readonly limit: number;
}

/** Goes through the parts of the order, in the direction asked for, until there are enough. */
async function walk(db: Db, chosen: Chosen, order: Order, { backwards, from, offset, limit }: Walk): Promise<Found[]> {
  const descending = order.descending !== backwards;
  const numbered = order.parts.map((part, number) => ({ part, number }));
  const found: Found[] = [];
  let skip = offset;
  for (const { part, number } of backwards ? numbered.toReversed() : numbered) {
    if (from && (backwards ? number > from.part : number < from.part)) continue;
    const place = from?.part === number ? from : null;
    const rows = await findPart(db, chosen, part, { descending, place, offset: skip, limit: limit - found.length });
    found.push(...rows.map((row) => ({ ...row, part: number })));
    if (found.length === limit || number === (backwards ? 0 : numbered.length - 1)) break;
    if (skip > 0) skip = rows.length > 0 ? 0 : skip - (await countPart(db, chosen, part, skip));
  }
  return found;
}

interface PartWalk {
  readonly descending: boolean;
  readonly place: Place | null;
  readonly offset: number;
  readonly limit: number;
}

async function findPart(
  db: Db,
  chosen: Chosen,
  part: OrderPart,
  { descending, place, offset, limit }: PartWalk,
): Promise<{ id: number; key: string | null }[]> {
  const direction = sql.raw(descending ? 'DESC' : 'ASC');
  const order = [part.lead, part.key?.by, sql.ref('d.id')].flatMap((by) => (by ? [sql`${by} ${direction}`] : []));
  const where = sql.join(
    [chosen.where, ...(part.where ? [part.where] : []), ...(place ? [beyond(part, place, descending)] : [])],
    sql` AND `,
  );
  const { rows } = await sql<{
    id: number;
    key: string | null;
  }>`SELECT d.id, ${part.key ? sql`(${part.key.by})::text` : sql`NULL::text`} AS key
    FROM device d ${joined([...chosen.tables, ...part.tables])} WHERE ${where} ORDER BY ${sql.join(order)}
      LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows;
}

/** What comes behind a place in this direction. */
function beyond({ key, ofOther }: OrderPart, place: Place, descending: boolean): RawBuilder<SqlBool> {
  const than = sql.raw(descending ? '<' : '>');
  if (!key) return sql<SqlBool>`d.id ${than} ${place.id}`;
  const at = sql`${place.key}::${sql.raw(key.type)}${key.collation ? sql` COLLATE ${sql.ref(key.collation)}` : sql``}`;
  const both = sql<SqlBool>`(${key.by}, d.id) ${than} (${at}, ${place.id})`;
  // Says nothing new, but leads into the index of the other table; on an index of `d` it would lead to the first of all
  // with this key.
  return ofOther ? sql<SqlBool>`${key.by} ${than}= ${at} AND ${both}` : both;
}

async function countPart(db: Db, chosen: Chosen, part: OrderPart, most: number): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM (SELECT 1 FROM device d ${joined([...chosen.tables, ...part.tables])}
    WHERE ${sql.join([chosen.where, ...(part.where ? [part.where] : [])], sql` AND `)}
      LIMIT ${most}) AS counted`.execute(db);
  return rows[0]?.n ?? 0;
}

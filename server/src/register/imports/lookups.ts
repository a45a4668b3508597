import { sql } from 'kysely';
import type { Field } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';

/** What a text in a reference field may mean. */
export interface Candidate {
  readonly id: number;
  readonly area: number;
  readonly name: string;
  readonly isCode: boolean;
  readonly family: string | null;
}
type ReferenceField = Extract<Field, { kind: 'reference' }>;
type Asked = Pick<ReferenceField, 'to'>;

const keyOf = (text: string): string => text.normalize('NFKC').toLowerCase();
/**
 * `name [code]`, as an export writes what would be ambiguous by its name alone; both may hold brackets, so there may be
 * several codes to try.
 */
const codesIn = (text: string): string[] =>
  text.endsWith(']')
    ? [...text.matchAll(/ \[/g)]
        .slice(0, 4)
        .map(({ index }) => text.slice(index + 2, -1))
        .filter((code) => code !== '')
    : [];
const targetOf = ({ to }: Asked): string => ('record' in to ? `record ${to.record}` : `family ${to.family}`);

const codeKey = (column: string) => sql`lower(normalize(${sql.ref(column)}, NFKC))`;
/** Where a reference's codes and names stand. */
const records: Readonly<
  Record<
    string,
    {
      readonly table: string;
      readonly code: string;
      readonly name: string;
      readonly area: string;
      readonly family?: string;
    }
  >
> = {
  'work-area': { table: 'work_area', code: 'work_code', name: 'work_name', area: 'id' },
  road: { table: 'road', code: 'road_code', name: 'road_name', area: 'work_area_id' },
  'equipment-group': {
    table: 'equipment_group',
    code: 'group_code',
    name: 'group_name',
    area: 'work_area_id',
    family: 'family',
  },
  channel: { table: 'channel', code: 'channel_code', name: 'channel_name', area: 'work_area_id' },
};

async function find(
  db: Db,
  { to }: Asked,
  texts: readonly string[],
): Promise<(Candidate & { readonly key: string; readonly plain: string })[]> {
  const codes = [...new Set(texts.flatMap((text) => [text, ...codesIn(text)].map(keyOf)))];
  if ('family' in to) {
    const { rows } = await sql<
      Candidate & { key: string; plain: string }
    >`SELECT id, work_area_id AS area, equipment_code AS name, true AS "isCode", NULL AS family, code_key AS key,
      '' AS plain
      FROM device WHERE family = ${to.family} AND code_key = ANY(${codes}::text[]) LIMIT 20000`.execute(db);
    return rows;
  }
  if (to.record === 'loop') return findLoops(db, codes, texts);
  const at = records[to.record];
  if (!at) return [];
  const { rows } = await sql<
    Candidate & { key: string; plain: string }
  >`SELECT id, ${sql.ref(at.area)} AS area, ${sql.ref(at.name)} AS name,
    ${codeKey(at.code)} = ANY(${codes}::text[]) AS "isCode",
      ${at.family ? sql.ref(at.family) : sql`NULL`} AS family, ${codeKey(at.code)} AS key, ${codeKey(at.name)} AS plain
    FROM ${sql.table(at.table)} WHERE ${codeKey(at.code)} = ANY(${codes}::text[])
      OR ${sql.ref(at.name)} = ANY(${[...texts]}::text[]) LIMIT 20000`.execute(db);
  return rows;
}

/** Loops, by `<box>/<loop>`, or by their code or name alone where that means one thing in the area. */
async function findLoops(
  db: Db,
  codes: readonly string[],
  texts: readonly string[],
): Promise<(Candidate & { readonly key: string; readonly plain: string })[]> {
  const own = codeKey('o.loop_code');
  const { rows } = await sql<
    Candidate & { key: string; plain: string }
  >`SELECT o.id, o.work_area_id AS area, '' AS name, true AS "isCode", NULL AS family, x.key, '' AS plain
    FROM loop o JOIN device b ON b.id = o.control_box_id
      CROSS JOIN LATERAL (VALUES (b.code_key || '/' || ${own}), (${own})) AS x(key)
      WHERE x.key = ANY(${[...codes]}::text[])
    UNION ALL SELECT o.id, o.work_area_id, o.loop_name, false, NULL, '', '' FROM loop o
      WHERE o.loop_name = ANY(${[...texts]}::text[]) LIMIT 20000`.execute(db);
  return rows;
}

export type Lookup = ReturnType<typeof createLookup>;

/**
 * Finds what references mean, many at a time; what was found once is kept while the file is read, at most 50,000 texts.
 */
export function createLookup(db: Db) {
  const known = new Map<string, readonly Candidate[]>();
  const key = (asked: Asked, text: string) => `${targetOf(asked)}\n${text}`;
  return {
    /** Looks up all that is not known yet, one query a kind of target. */
    async load(wanted: readonly { readonly field: ReferenceField; readonly text: string }[]): Promise<void> {
      if (known.size > 50_000) known.clear();
      const missing = new Map<string, { readonly field: ReferenceField; readonly texts: Set<string> }>();
      for (const { field, text } of wanted) {
        if (known.has(key(field, text))) continue;
        const of = missing.get(targetOf(field)) ?? { field, texts: new Set<string>() };
        missing.set(targetOf(field), of);
        of.texts.add(text);
      }
      for (const { field, texts } of missing.values()) {
        const rows = await find(db, field, [...texts]);
        const byCode = Map.groupBy(rows, (row) => row.key);
        const byName = Map.groupBy(rows, (row) => row.name);
        for (const text of texts) {
          const coded =
            [text, ...codesIn(text)].map((one) => byCode.get(keyOf(one))).find((found) => found !== undefined) ?? [];
          known.set(
            key(field, text),
            coded.length > 0
              ? coded.map((row) => ({ ...row, isCode: true }))
              : (byName.get(text) ?? []).map((row) => ({ ...row, isCode: false })),
          );
        }
      }
    },
    candidates: (field: ReferenceField, text: string): readonly Candidate[] => known.get(key(field, text)) ?? [],
  };
}

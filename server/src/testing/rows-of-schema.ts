import type pg from 'pg';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly refTable: string | null;
  readonly refColumn: string | null;
  readonly isArray: boolean;
}

/** Ids of made rows begin here: above those that migrations make themselves. */
const firstId = 1001;
const day = (index: number): string => `2026-11-${String((index % 27) + 2).padStart(2, '0')}`;
/** Of columns whose values are bounded there are so many. */
const small = (index: number): number => index % 3;

/**
 * Puts `count` rows into every table of a schema, whatever it is: values by type, references to the row of the same
 * index, words that a CHECK lists. Those of another `first` may be there already. Returns how many rows each table has
 * then. Tables whose checks allow none of that are named by the error.
 */
export async function fillTables(client: pg.ClientBase, count: number, first = 0): Promise<Record<string, number>> {
  await client.query('SET session_replication_role = replica');
  for (const { parent, type } of await partitioned(client)) {
    const [from, to] = type === 'date' ? ['2026-11-01', '2026-12-01'] : ['2026-11-01Z', '2026-12-01Z'];
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${parent}_202611 PARTITION OF ${parent} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  }
  const columns = await columnsOf(client);
  const words = await wordsOf(client);
  const singles = await singlesOf(client);
  for (const table of new Set(columns.map((column) => column.table))) {
    if (written.has(table)) continue;
    const own = columns.filter((column) => column.table === table);
    for (let index = first; index < first + (singles.has(table) ? 1 : count); index += 1) {
      const values = own.map((column) =>
        singles.get(table) === column.name ? true : valueOf(column, columns, words, index),
      );
      await client
        .query(
          `INSERT INTO ${table} (${own.map(({ name }) => `"${name}"`).join(', ')}) OVERRIDING SYSTEM VALUE
            VALUES (${values.map((_value, at) => `$${at + 1}`).join(', ')})
            ${singles.has(table) ? 'ON CONFLICT DO NOTHING' : ''}`,
          values,
        )
        .catch((thrown: unknown) => {
          throw new Error(`${table}: ${String(thrown)} ${JSON.stringify(values)}`);
        });
    }
  }
  await client.query('SET session_replication_role = origin');
  return countTables(client);
}

/** Rows of every table that is no part of another, by name. */
export async function countTables(client: pg.ClientBase): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND relname <> 'schema_migration' ORDER BY 1`,
  );
  if (rows.length === 0) return {};
  const counted = await client.query<{ name: string; rows: string }>(
    rows.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM ${name}`).join(' UNION ALL '),
  );
  return Object.fromEntries(counted.rows.map(({ name, rows: found }) => [name, Number(found)]));
}

async function partitioned(client: pg.ClientBase): Promise<{ parent: string; type: string }[]> {
  return (
    await client.query<{ parent: string; type: string }>(
      `SELECT c.relname AS parent, format_type(a.atttypid, NULL) AS type FROM pg_partitioned_table p
        JOIN pg_class c ON c.oid = p.partrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]`,
    )
  ).rows;
}

async function columnsOf(client: pg.ClientBase): Promise<Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type, f.relname AS "refTable",
      fa.attname AS "refColumn", t.typcategory = 'A' AS "isArray"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND a.attgenerated = '' JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'f' AND k.conkey = ARRAY[a.attnum]
      LEFT JOIN pg_class f ON f.oid = k.confrelid LEFT JOIN pg_attribute fa ON fa.attrelid = f.oid
      AND fa.attnum = k.confkey[1]
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'schema_migration' ORDER BY c.relname, a.attnum`);
  return rows;
}

/** Words that a check lists for a column. */
async function wordsOf(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ key: string; text: string }>(
    `SELECT c.relname || '.' || a.attname AS key, pg_get_constraintdef(k.oid) AS text FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_attribute a ON a.attrelid = c.oid AND k.conkey = ARRAY[a.attnum]
      WHERE k.contype = 'c'`,
  );
  return new Map(
    rows
      .map(({ key, text }): [string, string[]] => [
        key,
        [...text.matchAll(/'([^']*)'::/g)].map(([, word]) => word ?? ''),
      ])
      .filter(([, found]) => found.length > 0),
  );
}

/** Tables that have one row at most, by the column whose check says so. */
async function singlesOf(client: pg.ClientBase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{
    name: string;
    column: string;
  }>(`SELECT c.relname AS name, a.attname AS column FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND k.conkey = ARRAY[a.attnum]
    WHERE k.contype = 'c' AND a.atttypid = 'boolean'::regtype`);
  return new Map(rows.map(({ name, column }) => [name, column]));
}

/** Tables whose rows migrations write, all of them. */
const written: ReadonlySet<string> = new Set(['log_chain', 'rights_counter']);
/** Columns that a check ties to another one: empty is always allowed. */
const empty: ReadonlySet<string> = new Set([
  'session.preview_by',
  'session.preview_session_id',
  'command_item.ended_at',
  'plan_exception.scheme_version_id',
  'plan_exception.programme_key',
]);
/** Values of columns whose check bounds them, or ties them to another one. */
const fitting: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['plan_exception.level', 50],
  ['plan_exception.to_at', '2027-01-01T12:00:00Z'],
]);

function valueOf(
  column: Column,
  columns: readonly Column[],
  words: ReadonlyMap<string, readonly string[]>,
  index: number,
): unknown {
  const name = `${column.table}.${column.name}`;
  if (empty.has(name)) return null;
  if (fitting.has(name)) return fitting.get(name);
  const target =
    column.refTable === column.table && column.name !== 'id'
      ? undefined
      : columns.find(({ table, name }) => table === column.refTable && name === column.refColumn);
  if (column.refTable !== null && target === undefined) return null;
  if (target) return valueOf(target, columns, words, index);
  const listed = words.get(`${column.table}.${column.name}`);
  if (listed && column.type === 'text') return listed[index % listed.length];
  if (column.isArray) return '{}';
  return byType[column.type]?.(index, column.name);
}

const byType: Readonly<Record<string, (index: number, name: string) => unknown>> = {
  bigint: (index) => firstId + index,
  integer: (index, name) => (name === 'tile_size' ? 256 : firstId + index),
  smallint: (index, name) => (name === 'id' ? index : small(index)),
  text: (index, name) => `${name} ${index}`,
  boolean: () => false,
  jsonb: () => '{}',
  'timestamp with time zone': (index) => `${day(index)}T12:${String(Math.floor(index / 27)).padStart(2, '0')}:00Z`,
  date: (index) => day(index),
  'double precision': (index) => 10 + small(index),
  real: (index) => 10 + small(index),
  bytea: (index, name) => Buffer.from(`${name} ${index}`),
  uuid: (index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
};

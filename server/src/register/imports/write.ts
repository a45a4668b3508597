import { sql } from 'kysely';
import { familyOf } from '../../../../catalogue/index.ts';
import { takeLockOf, type Db, type Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { lockChains, selfReferences, writtenColumns } from '../devices/index.ts';
import { recordRemoved, recordRestored, recordWritten, type Removed } from './history.ts';
import { countOutcomes, refuseCycles, type Counts } from './imports.store.ts';

const names = Object.keys(writtenColumns) as (keyof typeof writtenColumns)[];
const cast = (name: keyof typeof writtenColumns) => sql`(r.columns ->> ${name})::${sql.raw(writtenColumns[name])}`;
/**
 * What a reference column points at, so that what vanished since the look is found before the database refuses
 * everything.
 */
const targets = {
  road_id: 'road',
  group_id: 'equipment_group',
  pole_id: 'device',
  parent_id: 'device',
  channel_id: 'channel',
  transformer_id: 'device',
  box_id: 'device',
  gateway_id: 'device',
  loop_id: 'loop',
  work_area_id: 'work_area',
} as const;

/**
 * What people and devices hang on a device: undoing its import would take it along. What the program derives of a
 * device (its state, its events) goes with it.
 */
export const hangingOnDevice = [
  ['device', 'pole_id'],
  ['device', 'parent_id'],
  ['device', 'transformer_id'],
  ['device', 'box_id'],
  ['device', 'gateway_id'],
  ['loop', 'control_box_id'],
  ['reading', 'device_id'],
  ['channel_reading', 'device_id'],
  ['command_item', 'device_id'],
  ['device_credential', 'device_id'],
  ['device_address', 'device_id'],
  ['device_account', 'device_id'],
  ['attachment', 'device_id'],
  ['newcomer', 'device_id'],
  ['plan_assignment', 'device_id'],
  ['publication_item', 'device_id'],
  ['plan_exception_item', 'device_id'],
] as const;

/**
 * Keeps the devices of an import as they are, by a statement of its own: whoever is just changing one, or hanging
 * something on it, is waited for, and seen by the next. In the order of ids, as moves take them, so that neither waits
 * for the other in a circle.
 */
async function lockRows(tx: Transaction, id: number, outcomes: readonly ('new' | 'update')[]): Promise<void> {
  await sql`SELECT 1 FROM device d JOIN import_row r ON r.device_id = d.id
    WHERE r.import_id = ${id} AND r.outcome = ANY(${[...outcomes]}) ORDER BY d.id FOR UPDATE OF d`.execute(tx);
}

/** Rows that the register has overtaken since they were looked at: they become errors. */
async function refuseOvertaken(tx: Transaction, id: number, family: string): Promise<void> {
  const late = (rule: string, field: string, row: string) =>
    sql`outcome = 'error', problems = ${sql.ref(`${row}.problems`)} || jsonb_build_array(jsonb_build_object('field', ${field}::text, 'rule', ${rule}::text, 'text', ${sql.ref(`${row}.code`)}))`;
  await sql`UPDATE import_row r SET ${late('changedMeanwhile', 'equipmentCode', 'r')}
    WHERE r.import_id = ${id} AND r.outcome = 'update'
    AND NOT EXISTS (SELECT 1 FROM device d WHERE d.id = r.device_id AND d.version = r.base_version)`.execute(tx);
  await sql`UPDATE import_row r SET ${late('changedMeanwhile', 'equipmentCode', 'r')} FROM device d
    WHERE r.import_id = ${id} AND r.outcome = 'new'
    AND d.family = ${family} AND d.work_area_id = r.work_area_id AND d.code_key = r.code_key`.execute(tx);
  for (const [column, table] of Object.entries(targets)) {
    await sql`UPDATE import_row r SET ${late('notFound', column, 'r')}
      WHERE r.import_id = ${id} AND r.outcome IN ('new', 'update') AND (r.columns ->> ${column}) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${sql.table(table)} t WHERE t.id = (r.columns ->> ${column})::bigint)`.execute(tx);
  }
}

/**
 * Roads named by rows that are to be written, and not there yet, in the area of their rows; then the rows get their
 * ids.
 */
async function makeRoads(tx: Transaction, id: number): Promise<void> {
  await sql`WITH named AS (SELECT DISTINCT work_area_id, new_road FROM import_row
    WHERE import_id = ${id} AND outcome IN ('new', 'update') AND new_road IS NOT NULL),
      missing AS (SELECT n.* FROM named n
        WHERE NOT EXISTS (SELECT 1 FROM road x WHERE x.work_area_id = n.work_area_id AND x.road_name = n.new_road))
    INSERT INTO road (work_area_id, road_code, road_name, road_class)
    SELECT work_area_id, 'IMP' || ${id} || '-' || row_number() OVER (PARTITION BY work_area_id ORDER BY new_road),
      new_road, 'branch' FROM missing`.execute(tx);
  await sql`UPDATE import_row r
    SET columns = r.columns || jsonb_build_object('road_id',
    (SELECT min(x.id) FROM road x WHERE x.work_area_id = r.work_area_id AND x.road_name = r.new_road))
    WHERE r.import_id = ${id} AND r.outcome IN ('new', 'update') AND r.new_road IS NOT NULL`.execute(tx);
}

/**
 * Writes the rows of a checked import, all in this transaction: new devices, updates, with what undoing will need. With
 * `all`, one bad row refuses the whole. Two imports of a family write one after the other. Returns what was written and
 * the counts.
 */
export async function writeRows(
  tx: Transaction,
  id: number,
  family: string,
  which: 'valid' | 'all',
  at: Date,
): Promise<{ readonly counts: Counts; readonly ids: readonly number[] }> {
  await takeLockOf(tx, 'import', family);
  const declared = familyOf(family);
  if (declared) await lockChains(tx, declared);
  await lockRows(tx, id, ['update']);
  await refuseOvertaken(tx, id, family);
  if (declared) await refuseCycles(tx, id, declared);
  const counts = await countOutcomes(tx, id);
  if (which === 'all' && counts.error > 0) throw refuse('importHasErrors', { count: counts.error });
  if (counts.new + counts.update === 0) throw refuse('importWritesNothing');
  await makeRoads(tx, id);
  await sql`UPDATE import_row SET device_id = nextval(pg_get_serial_sequence('device', 'id')), after_version = 1
    WHERE import_id = ${id} AND outcome = 'new'`.execute(tx);
  await sql`INSERT INTO device (id, family, ${sql.join(names.map((name) => sql.ref(name)))}, props)
    SELECT r.device_id, ${family},
      ${sql.join(names.map((name) => (name === 'enabled' ? sql`coalesce(${cast(name)}, true)` : cast(name))))}, r.props
    FROM import_row r WHERE r.import_id = ${id} AND r.outcome = 'new' ORDER BY r.row_number`.execute(tx);
  await sql`UPDATE import_row r SET before = to_jsonb(d) - 'search_key', after_version = d.version + 1 FROM device d
    WHERE r.import_id = ${id} AND r.outcome = 'update' AND d.id = r.device_id`.execute(tx);
  await sql`UPDATE device d
    SET ${sql.join(
      names.map(
        (name) => sql`${sql.ref(name)} = CASE WHEN r.columns ? ${name} THEN ${cast(name)}
    ELSE ${sql.ref(`d.${name}`)} END`,
      ),
    )},
      props = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(d.props || r.props)
        WHERE value <> 'null'::jsonb), version = d.version + 1, updated_at = ${at}
    FROM import_row r WHERE r.import_id = ${id} AND r.outcome = 'update' AND d.id = r.device_id`.execute(tx);
  await recordWritten(tx, id, family, at);
  await sql`UPDATE import SET state = 'applied', applied_at = ${at}, counts = ${JSON.stringify(counts)}::jsonb
    WHERE id = ${id}`.execute(tx);
  const { rows } = await sql<{
    id: number;
  }>`SELECT device_id AS id FROM import_row WHERE import_id = ${id} AND outcome IN ('new', 'update')
    ORDER BY row_number`.execute(tx);
  return { counts, ids: rows.map((row) => row.id) };
}

/**
 * Takes back what an import wrote, all in this transaction: devices nobody changed since and nothing hangs on are as
 * before, or gone; the others stay and are marked. Returns the ids that changed and how many stayed.
 */
export async function unwriteRows(
  tx: Transaction,
  id: number,
  family: string,
  at: Date,
): Promise<{ readonly ids: readonly number[]; readonly stayed: number }> {
  await sql`UPDATE import_row SET is_undone = false WHERE import_id = ${id} AND outcome IN ('new', 'update')`.execute(
    tx,
  );
  await lockRows(tx, id, ['new', 'update']);
  const removed = await sql<Removed>`DELETE FROM device d USING import_row r
      WHERE r.import_id = ${id} AND r.outcome = 'new' AND d.id = r.device_id AND d.version = r.after_version
    AND ${sql.join(
      hangingOnDevice.map(
        ([table, column]) =>
          sql`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} x WHERE ${sql.ref(`x.${column}`)} = d.id)`,
      ),
      sql` AND `,
    )}
    RETURNING d.id, d.family, d.equipment_code AS code, d.work_area_id AS area, d.pole_id AS pole`.execute(tx);
  // What the row pointed at may be gone since: then that field is empty, as it would be had it never been imported.
  const back = (name: keyof typeof writtenColumns) => {
    const value = sql`(r.before ->> ${name})::${sql.raw(writtenColumns[name])}`;
    return name in targets
      ? sql`(SELECT t.id FROM ${sql.table(targets[name as keyof typeof targets])} t WHERE t.id = ${value})`
      : value;
  };
  const restored = await sql<{
    id: number;
  }>`UPDATE device d
    SET ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${name === 'work_area_id' ? sql`d.work_area_id` : back(name)}`))},
      props = r.before -> 'props', version = d.version + 1, updated_at = ${at}
    FROM import_row r WHERE r.import_id = ${id} AND r.outcome = 'update' AND d.id = r.device_id
      AND d.version = r.after_version RETURNING d.id`.execute(tx);
  await openCircles(
    tx,
    family,
    restored.rows.map((row) => row.id),
  );
  await recordRemoved(tx, id, removed.rows, at);
  await recordRestored(
    tx,
    id,
    family,
    restored.rows.map((row) => row.id),
    at,
  );
  const ids = [...removed.rows, ...restored.rows].map((row) => row.id);
  await sql`UPDATE import_row SET is_undone = true WHERE import_id = ${id} AND outcome IN ('new', 'update')
    AND device_id = ANY(${ids}::bigint[])`.execute(tx);
  const {
    rows: [left],
  } = await sql<{
    n: number;
  }>`SELECT count(*)::int AS n FROM import_row WHERE import_id = ${id} AND is_undone = false`.execute(tx);
  await sql`UPDATE import SET state = 'undone', undone_at = ${at}, not_undone = ${left?.n ?? 0}
    WHERE id = ${id}`.execute(tx);
  return { ids, stayed: left?.n ?? 0 };
}

/**
 * What a restored device hung on may hang on it by now: then that field is empty, like one that points at nothing any
 * more.
 */
async function openCircles(tx: Transaction, family: string, ids: readonly number[]): Promise<void> {
  const declared = familyOf(family);
  for (const { column } of declared ? selfReferences(declared) : []) {
    const up = sql.ref(`d.${column}`);
    await sql`WITH RECURSIVE walk AS (SELECT id AS start, ${up} AS at FROM device d
      WHERE id = ANY(${[...ids]}::bigint[]) AND ${up} IS NOT NULL
        UNION SELECT w.start, ${up} FROM walk w JOIN device d ON d.id = w.at
          WHERE w.at <> w.start AND ${up} IS NOT NULL)
      UPDATE device SET ${sql.ref(column)} = NULL WHERE id IN (SELECT start FROM walk WHERE at = start)`.execute(tx);
  }
}

/**
 * What PostgreSQL should know before it plans over freshly staged rows; counting what their JSON holds would take
 * longer than the plans.
 */
export const analyse = async (db: Db): Promise<void> =>
  void (await sql`ANALYZE import_row (import_id, row_number, outcome, work_area_id, code_key, device_id, new_road, longitude, latitude)`.execute(
    db,
  ));

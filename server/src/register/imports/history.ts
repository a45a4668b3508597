import { sql, type RawBuilder } from 'kysely';
import { familyOf } from '../../../../catalogue/index.ts';
import type { Transaction } from '../../platform/db/index.ts';

type Sql = RawBuilder<unknown>;
const named: Readonly<Record<string, readonly [table: string, name: string]>> = {
  'work-area': ['work_area', 'work_name'],
  road: ['road', 'road_name'],
  'equipment-group': ['equipment_group', 'group_name'],
  channel: ['channel', 'channel_name'],
};

/**
 * What the id in a change of a reference field is called; a road that the import made stands there by its name already.
 */
function labelOf(family: string, value: 'from' | 'to'): Sql {
  const text = sql`c ->> ${value}`;
  const cases = (familyOf(family)?.fields ?? []).flatMap((field) => {
    if (field.kind !== 'reference') return [];
    if ('record' in field.to && field.to.record === 'loop')
      return [
        sql`WHEN c ->> 'field' = ${field.key} THEN (SELECT b.equipment_code || '/' || x.loop_code FROM loop x
          JOIN device b ON b.id = x.control_box_id WHERE x.id = (${text})::bigint)`,
      ];
    const [table, name] = 'record' in field.to ? (named[field.to.record] ?? []) : ['device', 'equipment_code'];
    if (!table || !name) return [];
    return [
      sql`WHEN c ->> 'field' = ${field.key}
        AND ${text} ~ '^[0-9]{1,15}$' THEN (SELECT ${sql.ref(`x.${name}`)} FROM ${sql.table(table)} x
        WHERE x.id = (${text})::bigint)
      WHEN c ->> 'field' = ${field.key} THEN ${text}`,
    ];
  });
  return cases.length === 0 ? sql`NULL` : sql`CASE ${sql.join(cases, sql` `)} END`;
}

/**
 * The changes of a staged row as the history of its device keeps them; backwards for an undoing. Secrets and pictures
 * only say that they changed.
 */
function fieldsOf(family: string, backwards: boolean): Sql {
  const masked = sql`c ->> 'field' = ANY(${(familyOf(family)?.fields ?? []).filter(({ kind }) => kind === 'secret' || kind === 'picture').map(({ key }) => key)}::text[])`;
  const [from, to] = backwards ? (['to', 'from'] as const) : (['from', 'to'] as const);
  const shown = (value: Sql) => sql`CASE WHEN NOT ${masked} THEN ${value} END`;
  return sql`(SELECT
    coalesce(jsonb_agg(jsonb_build_object('field', c -> 'field', 'from', ${shown(sql`c -> ${from}`)}, 'to',
    ${shown(sql`c -> ${to}`)},
    'fromLabel', ${shown(labelOf(family, from))}, 'toLabel', ${shown(labelOf(family, to))}, 'masked', ${masked})), '[]')
      FROM jsonb_array_elements(r.changes) c)`;
}

const columns = sql`(at, device_id, family, equipment_code, work_area_id, left_pole_id, kind, source, import_id, note, actor_id, actor_name, fields)`;
const actor = sql`i.id, i.file_name, i.account_id, coalesce(a.username, '')`;
const of = (id: number) => sql`JOIN import i ON i.id = ${id} LEFT JOIN account a ON a.id = i.account_id`;

/** Writes into the history of devices what an import has just written, in the same transaction. */
export async function recordWritten(tx: Transaction, id: number, family: string, at: Date): Promise<void> {
  await sql`INSERT INTO device_change ${columns}
    SELECT ${at}, d.id, d.family, d.equipment_code, coalesce((r.before ->> 'work_area_id')::bigint, d.work_area_id),
      CASE WHEN (r.before ->> 'pole_id')::bigint IS DISTINCT FROM d.pole_id THEN (r.before ->> 'pole_id')::bigint END,
      CASE r.outcome WHEN 'new' THEN 'created' ELSE 'updated' END, 'import', ${actor}, CASE r.outcome
        WHEN 'new' THEN '[]'::jsonb ELSE ${fieldsOf(family, false)} END
    FROM import_row r JOIN device d ON d.id = r.device_id ${of(id)}
      WHERE r.import_id = ${id} AND r.outcome IN ('new', 'update')`.execute(tx);
}

/** Writes that devices which an import had changed are as before. */
export async function recordRestored(
  tx: Transaction,
  id: number,
  family: string,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  await sql`INSERT INTO device_change ${columns}
    SELECT ${at}, d.id, d.family, d.equipment_code, d.work_area_id, NULL, 'updated', 'import.undo', ${actor},
      ${fieldsOf(family, true)}
    FROM import_row r JOIN device d ON d.id = r.device_id ${of(id)}
      WHERE r.import_id = ${id} AND r.outcome = 'update' AND d.id = ANY(${[...ids]}::bigint[])`.execute(tx);
}

export interface Removed {
  readonly id: number;
  readonly family: string;
  readonly code: string;
  readonly area: number;
  readonly pole: number | null;
}
/** Writes that devices which an import had brought are gone again. */
export async function recordRemoved(tx: Transaction, id: number, removed: readonly Removed[], at: Date): Promise<void> {
  if (removed.length === 0) return;
  await sql`INSERT INTO device_change ${columns}
    SELECT ${at}, x.id, x.family, x.code, x.area, x.pole, 'deleted', 'import.undo', ${actor}, '[]'
    FROM jsonb_to_recordset(${JSON.stringify(removed)}::jsonb)
      AS x(id bigint, family text, code text, area bigint, pole bigint) ${of(id)}`.execute(tx);
}

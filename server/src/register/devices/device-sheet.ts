import { sql } from 'kysely';
import {
  fromRow,
  namesIn,
  type Family,
  type Field,
  type FieldValue,
  type Language,
  type Names,
} from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetCell, SheetRow } from '../../platform/sheet/sheet.ts';
import { namesFrom } from '../dictionaries/index.ts';
import { conditionsOf, familyNamed, type DeviceQuery } from './devices.query.ts';
import { codesOfLooseReferences, fedBy } from './devices.store.ts';
import type { DeviceScope } from './visible.query.ts';

export interface DeviceSheetParams {
  readonly query: DeviceQuery & { readonly family: string };
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly count: number;
}

const rowsARead = 500;
/** What a spreadsheet can add up. */
const isNumber = (field: Field): boolean => ['number', 'integer', 'coordinate', 'port'].includes(field.kind);
/** Secrets are never written out, pictures do not travel in cells. */
const written = (family: Family): Field[] =>
  family.fields.filter((field) => field.kind !== 'picture' && field.kind !== 'secret');

/**
 * The devices of a family that a list's filters leave, as an import takes them back unchanged: options and references
 * in words that mean one thing.
 */
export const deviceSheet: SheetKind<DeviceSheetParams> = {
  module: import.meta.url,
  name: 'deviceSheet',
  open(db, { query, scope, language, count }) {
    const family = familyNamed(query.family);
    const names = namesIn(language);
    const columns = written(family).map((field) => {
      const title = `${names.field(field.key, family.key)}${'unit' in field && field.unit && names.unit(field.unit) ? ` (${names.unit(field.unit)})` : ''}`;
      return {
        title,
        kind: isNumber(field) ? ('decimal' as const) : ('text' as const),
        width: Math.max(12, Math.min(30, title.length * 2)),
      };
    });
    return { name: names.family(family.key), columns, rows: rowsOf(db, family, query, scope, language), count };
  },
};

interface Row {
  readonly id: number;
  readonly props: Readonly<Record<string, unknown>>;
  readonly told: Readonly<Record<string, string | null>>;
  readonly refs: Readonly<Record<string, string>> | null;
  readonly [column: string]: unknown;
}

/** `name [code]`: readable, and one thing only. */
const coded = (alias: string, name: string, code: string) =>
  sql`${sql.ref(`${alias}.${name}`)} || ' [' || ${sql.ref(`${alias}.${code}`)} || ']'`;

async function* rowsOf(
  db: Db,
  family: Family,
  query: DeviceQuery,
  scope: DeviceScope,
  language: Language,
): AsyncGenerator<SheetRow[]> {
  const names = await namesFrom(db, language);
  const fields = written(family);
  const where = conditionsOf(scope, query);
  for (let after = 0; ;) {
    const { rows } = await sql<Row>`SELECT d.*, d.props - 'pic' AS props, ${codesOfLooseReferences} AS refs,
        jsonb_build_object('work_area_id', ${coded('a', 'work_name', 'work_code')}, 'road_id',
          ${coded('r', 'road_name', 'road_code')}, 'group_id', ${coded('g', 'group_name', 'group_code')},
          'channel_id', ${coded('ch', 'channel_name', 'channel_code')}, 'pole_id', p.equipment_code, 'parent_id',
            c.equipment_code, ${fedBy}) AS told
      FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN road r ON r.id = d.road_id
        LEFT JOIN equipment_group g ON g.id = d.group_id LEFT JOIN channel ch ON ch.id = d.channel_id
        LEFT JOIN device p ON p.id = d.pole_id LEFT JOIN device c ON c.id = d.parent_id
          LEFT JOIN device_state s ON s.device_id = d.id
      WHERE ${where} AND d.id > ${after} ORDER BY d.id LIMIT ${rowsARead}`.execute(db);
    if (rows.length === 0) return;
    yield rows.map((row) => {
      const values = fromRow(family, row);
      return fields.map((field) => cellOf(field, values[field.key] ?? null, row, names));
    });
    after = rows.at(-1)?.id ?? after;
  }
}

function cellOf(field: Field, value: FieldValue, row: Row, names: Names): SheetCell {
  if (value === null) return null;
  if (field.kind === 'reference') return (field.column ? row.told[field.column] : row.refs?.[field.key]) ?? null;
  return isNumber(field) && typeof value === 'number' ? value : names.value(field, value);
}

import { families, sqlTypeOf, type Field } from '../../../../catalogue/index.ts';

export interface ListIndex {
  readonly name: string;
  readonly table: string;
  readonly on: string;
  readonly where: string | null;
}

const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const code = 'equipment_code COLLATE natural_order';

/** What a field sorts by in the words of an index; the same as in `devices.order.query.ts`. */
function sortedBy(field: Field): string {
  const type = sqlTypeOf(field);
  const at = field.column ?? `(props ->> '${field.key}')`;
  if (field.column === 'enabled') return at;
  if (type === 'text') return `${at} COLLATE natural_order`;
  if (type === 'date') return `${at} COLLATE "C"`;
  return field.column ? at : `(${at}::double precision)`;
}

/**
 * The indexes that lists of devices are read off, derived from the catalogue: every field marked `sort`, every
 * reference marked `filter` with the order of codes behind it. Other filters have the one index over all properties. A
 * migration makes them; a test says which one lacks.
 */
export function listIndexes(): readonly ListIndex[] {
  return [
    { name: 'device_order', table: 'device', on: `family, ${code}, id`, where: null },
    // Over all families.
    { name: 'device_by_code', table: 'device', on: `${code}, id`, where: null },
    { name: 'device_list', table: 'device', on: `family, work_area_id, ${code}, id`, where: null },
    { name: 'road_order', table: 'road', on: 'road_name COLLATE natural_order, id', where: null },
    { name: 'channel_order', table: 'channel', on: 'channel_name COLLATE natural_order, id', where: null },
    ...referenceIndexes(),
    ...sortIndexes(),
  ];
}

function referenceIndexes(): ListIndex[] {
  const columns = new Set(
    families.flatMap((family) =>
      family.fields.flatMap((field) =>
        field.kind === 'reference' && field.column && field.column !== 'work_area_id' && (field.filter || field.sort)
          ? [field.column]
          : [],
      ),
    ),
  );
  // Nearly every device stands on a road; the few that do not are found as quickly.
  return [...columns].map((column) => ({
    name: `device_by_${column.replace(/_id$/, '')}`,
    table: 'device',
    on: `${column}, family, ${code}, id`,
    where: column === 'road_id' ? null : `${column} IS NOT NULL`,
  }));
}

function sortIndexes(): ListIndex[] {
  const sorted = new Map<string, { readonly key: string; readonly of: string[] }>();
  for (const family of families) {
    for (const field of family.fields) {
      if (!field.sort || field.kind === 'reference' || field.column === 'equipment_code') continue;
      const by = sortedBy(field);
      const known = sorted.get(by) ?? { key: field.key, of: [] };
      sorted.set(by, { ...known, of: [...known.of, family.key] });
    }
  }
  return [...sorted].map(([by, { key, of }]) => ({
    name: `device_sort_${snake(key)}`,
    table: 'device',
    on: `family, ${by}, id`,
    where: of.length === families.length ? null : `family IN (${of.map((family) => `'${family}'`).join(', ')})`,
  }));
}

/** The statement that makes an index, for a migration. */
export const createIndex = ({ name, table, on, where }: ListIndex): string =>
  `CREATE INDEX ${name} ON ${table} (${on})${where === null ? '' : ` WHERE ${where}`};`;

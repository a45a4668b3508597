import type { Family, Values } from './family.ts';
import type { Field, FieldValue } from './fields/index.ts';

/** Where a field is stored: a column of `device`, or `props`. */
export interface DeviceColumn {
  readonly column: string;
  readonly toColumn: (v: FieldValue) => FieldValue;
  readonly fromColumn: (v: FieldValue) => FieldValue;
}

const same = (v: FieldValue): FieldValue => v;

/** Columns by wire name, for fields that are columns. `status` travels as a word; the flag `enabled` stores it. */
function deviceColumns(family: Family): ReadonlyMap<string, DeviceColumn> {
  const columns =
    known.get(family) ??
    new Map(
      family.fields.flatMap((field) => (field.column ? [[field.key, columnOf(field, field.column)] as const] : [])),
    );
  known.set(family, columns);
  return columns;
}
// Families are constants; a city asks 100,000 times.
const known = new WeakMap<Family, ReadonlyMap<string, DeviceColumn>>();

function columnOf(field: Field, column: string): DeviceColumn {
  if (column !== 'enabled') return { column, toColumn: same, fromColumn: same };
  return { column, toColumn: (v) => v !== 'disabled', fromColumn: (v) => (v === false ? 'disabled' : 'enabled') };
}

/** Splits wire values into column values and props. Fields absent from `values` are absent from both. */
export function toRow(
  family: Family,
  values: Values,
): { columns: Record<string, FieldValue>; props: Record<string, FieldValue> } {
  const map = deviceColumns(family);
  const columns: Record<string, FieldValue> = {};
  const props: Record<string, FieldValue> = {};
  for (const [key, v] of Object.entries(values)) {
    const at = map.get(key);
    if (at) columns[at.column] = at.toColumn(v);
    else props[key] = v;
  }
  return { columns, props };
}

/** Restores a row by wire names: every field of the family, null where empty. */
export function fromRow(
  family: Family,
  row: { readonly [column: string]: unknown; readonly props: Readonly<Record<string, unknown>> },
): Record<string, FieldValue> {
  const map = deviceColumns(family);
  return Object.fromEntries(
    family.fields.map((field) => {
      const at = map.get(field.key);
      return [
        field.key,
        at ? at.fromColumn((row[at.column] ?? null) as FieldValue) : ((row.props[field.key] ?? null) as FieldValue),
      ];
    }),
  );
}

import { byWorst, levelOf } from '../../../../catalogue/faults.ts';
import {
  docsOfField,
  families,
  familyOf,
  fromRow,
  schemaOfField,
  type Family,
  type Field,
  type Names,
  type Quantity,
} from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDevice, listFamilies } from '../../../../contract/register/devices.ts';
import type { StoredDevice } from './devices.store.ts';

type Row = ReplyOf<typeof getDevice>;
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A stored device as callers see it: wire names, reference labels, latest values; secrets are named, never shown. */
export function view(row: StoredDevice): Row {
  const family = familyOf(row.family);
  if (!family) throw new Error(`device ${row.id} is of family ${row.family}, which the catalogue does not have`);
  const values = fromRow(family, row);
  const secrets = family.fields
    .filter((field) => field.kind === 'secret' && values[field.key] !== null)
    .map((field) => field.key);
  for (const key of secrets) values[key] = null;
  if (row.props['pic'] === undefined) delete values['pic'];
  const position =
    row.longitude !== null
      ? [row.longitude, row.latitude]
      : row.pole_longitude !== null
        ? [row.pole_longitude, row.pole_latitude]
        : null;
  return {
    ...values,
    id: row.id,
    family: row.family,
    version: row.version,
    createTime: row.created_at.toISOString(),
    updateTime: family.report ? iso(row.received_at) : row.updated_at.toISOString(),
    isOnline: family.report ? row.online : null,
    state: row.state,
    fault: row.fault,
    faults: faultsIn(row),
    since: iso(row.since),
    latchedPosition: position?.map((degrees) => (degrees ?? 0).toFixed(6)).join(', ') ?? null,
    labels: labelsOf(family, row),
    secrets,
    latest:
      row.values === null
        ? null
        : { at: iso(row.at), receivedAt: iso(row.received_at), values: { ...row.values }, connected: row.connected },
  };
}

function faultsIn({ fault, fault_since, faults }: StoredDevice) {
  const since = new Map((faults ?? []).map((one) => [one.code, new Date(one.since)] as const));
  if (fault !== null && !since.has(fault) && fault_since !== null) since.set(fault, fault_since);
  return [...since]
    .toSorted(([a], [b]) => Number(b === fault) - Number(a === fault) || byWorst(a, b))
    .map(([code, at]) => ({ code, level: levelOf(code), since: at.toISOString() }));
}

function labelsOf(family: Family, row: StoredDevice): Record<string, string> {
  return Object.fromEntries(
    family.fields.flatMap((field) => {
      const label =
        field.kind !== 'reference'
          ? null
          : field.column
            ? row.names[field.column as keyof StoredDevice['names']]
            : row.refs?.[field.key];
      return label === null || label === undefined ? [] : [[field.key, label]];
    }),
  );
}

/** The catalogue for integrators, in one language; open sets with the values they offer now. */
export function familiesIn(names: Names, open: ReadonlyMap<string, readonly string[]>): ReplyOf<typeof listFamilies> {
  const data = families.map((family) => ({
    key: family.key,
    name: names.family(family.key),
    fields: family.fields.map((field) => fieldIn(names, open, field, family.key)),
    quantities: family.quantities.map((quantity) => quantityIn(names, quantity)),
    commands: family.commands.map((command) => ({
      key: command.key,
      name: names.command(command.key),
      args: command.args.map((arg) => fieldIn(names, open, arg)),
      lasting: command.lasting,
    })),
    alarms: family.alarms.map(({ code, level, role, counts }) => ({
      code,
      name: names.fault(code),
      level,
      role,
      counts,
      whatToDo: names.whatToDo(code),
    })),
    reportSeconds: family.report ? { ...family.report } : null,
  }));
  return { data, recordsTotal: data.length };
}

function fieldIn(names: Names, open: ReadonlyMap<string, readonly string[]>, field: Field, owner?: string) {
  return {
    key: field.key,
    name: names.field(field.key, owner),
    kind: field.kind,
    required: field.required ?? false,
    filter: field.filter ?? false,
    sort: field.sort ?? false,
    unit: 'unit' in field && field.unit ? names.unit(field.unit) : null,
    options:
      field.kind === 'select'
        ? (field.open ? (open.get(field.optionSet) ?? field.options) : field.options).map((value) => ({
            value,
            name: names.option(field.optionSet, value),
          }))
        : null,
    to: field.kind === 'reference' ? ({ ...field.to } as Record<string, string>) : null,
    schema: schemaOfField(field),
    description: docsOfField(field),
  };
}

function quantityIn(names: Names, quantity: Quantity) {
  const measured = quantity.kind === 'number';
  return {
    key: quantity.key,
    name: names.quantity(quantity.key),
    kind: quantity.kind,
    unit: measured ? names.unit(quantity.unit) || null : null,
    min: measured ? quantity.min : null,
    max: measured ? quantity.max : null,
    decimals: measured ? quantity.decimals : null,
    cumulative: measured && quantity.cumulative === true,
    options: quantity.kind === 'enum' ? [...quantity.options] : null,
  };
}

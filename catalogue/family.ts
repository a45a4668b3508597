import { isSilence, overlaps, readBy, type Alarm } from './alarms/alarm.ts';
import type { Field, FieldValue } from './fields/index.ts';
import type { Fault } from './fields/kind.ts';
import { quantities, type Quantity, type ReadingValues } from './quantities/index.ts';

/** Values of a record by wire name; a field that is empty is null. */
export type Values = Readonly<Record<string, FieldValue>>;

/** A rule over several fields: what is wrong with the whole record, each problem beside its field. */
export interface CrossRule {
  readonly name: string;
  /** English sentence of the documentation page. */
  readonly statement: string;
  check(values: Values): readonly (Fault & { readonly field: string })[];
}

/** Arguments of a command by their keys. */
export type Args = Readonly<Record<string, unknown>>;

/** What a reading has to show: these quantities with these values, a number `within` so many of its units. */
export type Shown = Readonly<Record<string, boolean | { readonly about: number; readonly within: number }>>;

/**
 * What an operator can ask of a device of the family. Arguments are declared like any other field; functions get them
 * checked.
 */
export interface Command {
  readonly key: string;
  readonly args: readonly Field[];
  /** It changes what the device does until an end that the command carries. */
  readonly lasting: boolean;
  /** A question changes nothing: it has a lane of its own, which it cannot choose. */
  readonly question?: true;
  /**
   * What a reading taken after the execution shows when the command was carried out; absent: any full reading answers
   * it.
   */
  readonly proves?: (args: Args) => Shown;
  /**
   * The level in % at which it keeps the light; null: it gives the light back to its programme; absent: it leaves light
   * alone.
   */
  readonly light?: (args: Args) => number | null;
  /** It may be an emergency: it never takes light away. */
  readonly emergency?: true;
}

/** A part of the form, in order; fields not named in any section are not offered for editing. */
export interface Section {
  readonly key: string;
  readonly fields: readonly string[];
}

/** A column every list of devices can show besides the family's fields: derived by the server. */
export const derivedColumns = ['isOnline', 'updateTime', 'latchedPosition'] as const;

/** How often a device reports by itself; `lit` and `unlit` are equal where light plays no part. */
export interface ReportPeriod {
  readonly lit: number;
  readonly unlit: number;
  readonly heartbeat: number;
}

interface Shared {
  /** Key in every path, query and locale. */
  readonly key: string;
  readonly fields: readonly Field[];
  readonly sections: readonly Section[];
  /** The list's first choice of columns, in order: wire names, derived columns, or `latest.<quantity>`. */
  readonly listColumns: readonly string[];
  readonly rules: readonly CrossRule[];
  readonly commands: readonly Command[];
  /** What can be found wrong with a device of the family; of one level the most telling first. Absent: nothing. */
  readonly alarms?: readonly Alarm[];
  /** Seconds; null: the family sends nothing by itself (a pole). */
  readonly report: ReportPeriod | null;
  /** Complete inputs that must validate; the first one is shown in the documentation. */
  readonly examples: readonly Values[];
  readonly exampleReading: ReadingValues | null;
}
export interface FamilyInput extends Shared {
  readonly quantities: readonly string[];
}
export interface Family extends Shared {
  readonly alarms: readonly Alarm[];
  readonly quantities: readonly Quantity[];
  readonly field: ReadonlyMap<string, Field>;
  readonly quantity: ReadonlyMap<string, Quantity>;
}

/** Declares a device family. A name that no field or quantity has ends the start, not a request. */
export function defineFamily(input: FamilyInput): Family {
  const field = new Map(input.fields.map((f) => [f.key, f]));
  const own = input.quantities.map((key) => quantities.get(key) ?? missing(input.key, key));
  const quantity = new Map(own.map((q) => [q.key, q]));
  for (const key of input.sections.flatMap((s) => s.fields)) if (!field.has(key)) missing(input.key, key);
  for (const key of input.listColumns) {
    if (
      !field.has(key) &&
      !quantity.has(key.replace(/^latest\./, '')) &&
      !(derivedColumns as readonly string[]).includes(key)
    )
      missing(input.key, key);
  }
  const alarms = input.alarms ?? [];
  for (const alarm of alarms) {
    if (isSilence(alarm)) continue;
    for (const key of readBy(alarm)) if (!quantity.has(key)) missing(input.key, key);
    for (const code of alarm.explainedBy ?? []) if (!alarms.some((one) => one.code === code)) missing(input.key, code);
    if (overlaps(alarm)) throw new Error(`The alarm ${alarm.code} is raised and cleared by the same value`);
  }
  return { ...input, alarms, quantities: own, field, quantity };
}

function missing(family: string, name: string): never {
  throw new Error(`The family ${family} names "${name}", which does not exist`);
}

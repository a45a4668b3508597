import type { CrossRule, Section, Values } from './family.ts';
import type { Field } from './fields/index.ts';

/** Plain master data: a table, its fields (all are columns), and the references that block a deletion. */
export interface MasterRecord {
  readonly key: string;
  readonly table: string;
  readonly fields: readonly Field[];
  readonly codeField: string;
  /**
   * A code is unique among the rows with the same value of this field; absent: within the site. A unique index of the
   * table enforces it.
   */
  readonly codeWithin?: string;
  readonly nameField: string;
  /** The column with the work area of a row. For a work area it is its own id. null: rows belong to the whole site. */
  readonly areaColumn: string | null;
  /** The field that names the device whose work area the row has; absent: the row has its own (`workId`). */
  readonly areaOf?: string;
  /** Its name is the label in the caller's language (`labelFields`). */
  readonly labelled?: boolean;
  /** The global search covers it: its table has the column `search_words`. */
  readonly searched?: boolean;
  readonly rules: readonly CrossRule[];
  readonly sections: readonly Section[];
  readonly listColumns: readonly string[];
  /** References from other tables that block a deletion. `text`: locale key of their name. */
  readonly usedBy: readonly { readonly table: string; readonly column: string; readonly text: string }[];
  readonly examples: readonly Values[];
}

/** Declares a record. Every field is a column: a record has no `props`. */
export function defineRecord(record: MasterRecord): MasterRecord {
  const keys = new Set(record.fields.map((field) => field.key));
  for (const name of [
    record.codeField,
    record.nameField,
    ...(record.codeWithin === undefined ? [] : [record.codeWithin]),
    ...record.listColumns,
    ...record.sections.flatMap((s) => s.fields),
  ]) {
    if (!keys.has(name)) throw new Error(`The record ${record.key} names "${name}", which does not exist`);
  }
  for (const field of record.fields)
    if (!field.column) throw new Error(`The field ${field.key} of ${record.key} has no column`);
  return record;
}

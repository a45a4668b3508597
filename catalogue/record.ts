import type { CrossRule, Section, Values } from './family.ts';
import type { Field } from './fields/index.ts';

/** Plain master data: a table, its fields (all are columns), and what keeps it from being deleted. */
export interface MasterRecord {
  readonly key: string;
  readonly table: string;
  readonly fields: readonly Field[];
  readonly codeField: string;
  /**
   * The field within whose value a code is one row's; absent: within the whole site. The table has a unique index that
   * says the same.
   */
  readonly codeWithin?: string;
  readonly nameField: string;
  /**
   * The column that says to which work area a row belongs; the work area itself is its own. null: a row belongs to the
   * whole site.
   */
  readonly areaColumn: string | null;
  /** The field that names the device whose work area a row has; absent: the row says its own (`workId`). */
  readonly areaOf?: string;
  /** It is called by the six label fields (`labelFields`): what it is called depends on who asks. */
  readonly labelled?: boolean;
  /** The global search finds it: its table has `search_words`. */
  readonly searched?: boolean;
  readonly rules: readonly CrossRule[];
  readonly sections: readonly Section[];
  readonly listColumns: readonly string[];
  /** Rows elsewhere that hang on it: `text` is the locale key that names them. */
  readonly usedBy: readonly { readonly table: string; readonly column: string; readonly text: string }[];
  readonly examples: readonly Values[];
}

/** Declares a record; every field must be a column, for there is no `props` to search in. */
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

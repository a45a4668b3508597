import type { ReactNode } from 'react';
import type { FieldValue } from '../../../catalogue/fields/index.ts';

/** What an input knows of the form around it. */
export interface FormAround {
  /** Key of the family or record, for names of its own. */
  owner: string;
  /** The work area chosen in the form: references are offered from it only. */
  workId: number | null;
  /** What stored references are called, by field. */
  labels: Readonly<Record<string, string>>;
  /** Secret fields that hold a value which is not shown. */
  secrets: readonly string[];
}

export interface InputProps<F> {
  field: F;
  id: string;
  value: FieldValue;
  onChange: (value: FieldValue) => void;
  invalid: boolean;
  /** Id of the text that says what is wrong. */
  describedBy: string | undefined;
  around: FormAround;
}

export interface CellProps<F> {
  field: F;
  value: FieldValue;
  /** What the id of a reference is called. */
  label: string | undefined;
}

export interface FilterProps<F> {
  field: F;
  id: string;
  /** As it stands in the address: empty, one value, or several comma-separated. */
  value: string;
  onChange: (value: string) => void;
}

/** The face of a field kind: how it is edited, shown in a cell, and filtered by (null: it is not). */
export interface Face<F> {
  Input: (props: InputProps<F>) => ReactNode;
  Cell: (props: CellProps<F>) => ReactNode;
  Filter: ((props: FilterProps<F>) => ReactNode) | null;
  /** Right-aligned in tables. */
  numeric?: boolean;
}

/** Attributes that tie an input to its error text. */
export const tied = (id: string, invalid: boolean, describedBy: string | undefined) => ({
  id,
  'aria-invalid': invalid || undefined,
  ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
  status: invalid ? ('error' as const) : ('' as const),
});

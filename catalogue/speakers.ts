import { families } from './families/index.ts';

/**
 * Families that speak for other devices on the wire: a field of some family refers to them as its parent (`parent_id`).
 */
export const speaksForOthers: ReadonlySet<string> = new Set(
  families.flatMap(({ fields }) =>
    fields.flatMap((field) =>
      field.kind === 'reference' && field.column === 'parent_id' && 'family' in field.to ? [field.to.family] : [],
    ),
  ),
);

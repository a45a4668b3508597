import { families } from './families/index.ts';

/** Families that speak for others on the wire: some field of theirs names one as the parent. */
export const speaksForOthers: ReadonlySet<string> = new Set(
  families.flatMap(({ fields }) =>
    fields.flatMap((field) =>
      field.kind === 'reference' && field.column === 'parent_id' && 'family' in field.to ? [field.to.family] : [],
    ),
  ),
);

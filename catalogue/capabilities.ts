import { families } from './families/index.ts';

/**
 * Families that references by a column of `device` lead to: what `pole_id` names carries others, what `box_id` names
 * feeds them.
 */
export const namedBy = (column: string): readonly string[] => [
  ...new Set(
    families.flatMap(({ fields }) =>
      fields.flatMap((field) =>
        field.kind === 'reference' && field.column === column && 'family' in field.to ? [field.to.family] : [],
      ),
    ),
  ),
];

/** Families that speak for others on the wire: some field of theirs names one as the parent. */
export const speaksForOthers: ReadonlySet<string> = new Set(namedBy('parent_id'));

const carriers: ReadonlySet<string | null> = new Set(namedBy('pole_id'));
/** Whether other devices are mounted on the devices of a family. */
export const carriesOthers = (family: string | null): boolean => carriers.has(family);

const feeding: ReadonlySet<string> = new Set(namedBy('box_id'));
/** Whether loops and what hangs on them are fed by the devices of a family. */
export const feedsOthers = (family: string): boolean => feeding.has(family);

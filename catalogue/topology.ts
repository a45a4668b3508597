import { familyOf } from './families/index.ts';
import type { Field } from './fields/index.ts';

/** The trees of the register: what feeds what, what speaks through what, what is mounted where. */
export const treeNames = ['power', 'communication', 'mounting'] as const;
export type TreeName = (typeof treeNames)[number];

/**
 * A way of standing below something in a tree: below what kind (a family or `loop`), and by which column; what else
 * that empties.
 */
export interface Hanging {
  readonly to: string;
  readonly column: string;
  readonly empties: readonly string[];
  /** It cannot stand nowhere. */ readonly required: boolean;
}

const lamp = 'single-lamp-controller';
const columnsOf: Readonly<Record<TreeName, readonly string[]>> = {
  power: ['transformer_id', 'box_id', 'loop_id'],
  communication: ['gateway_id'],
  mounting: ['pole_id'],
};

function byColumn(fields: readonly Field[], column: string, empties: readonly string[] = []): Hanging[] {
  return fields.flatMap((field) =>
    field.kind === 'reference' && field.column === column
      ? [
          {
            to: 'family' in field.to ? field.to.family : field.to.record,
            column,
            empties,
            required: field.required ?? false,
          },
        ]
      : [],
  );
}

/**
 * Below what a device of a family, or a loop, can be hung in a tree; empty: it has no place there that could be
 * changed.
 */
export function hangings(tree: TreeName, kind: string): readonly Hanging[] {
  if (kind === 'loop')
    return tree === 'power' ? [{ to: 'control-box', column: 'control_box_id', empties: [], required: true }] : [];
  const family = familyOf(kind);
  if (!family || (tree === 'communication' && family.report === null)) return [];
  // A lamp speaks through its controller or straight through a gateway, never through both.
  if (tree === 'communication' && kind === lamp)
    return [
      ...byColumn(family.fields, 'parent_id', ['gateway_id']),
      ...byColumn(family.fields, 'gateway_id', ['parent_id']),
    ];
  return columnsOf[tree].flatMap((column) => byColumn(family.fields, column));
}

import { familyOf } from './families/index.ts';
import type { Field } from './fields/index.ts';

/** The trees of the register: what feeds what, what speaks through what, what is mounted where. */
export const treeNames = ['power', 'communication', 'mounting'] as const;
export type TreeName = (typeof treeNames)[number];

/**
 * A way to hang below a node: the kind of that node (a family or `loop`), the column that refers to it, and the columns
 * that are emptied with it.
 */
export interface Hanging {
  readonly to: string;
  readonly column: string;
  readonly empties: readonly string[];
  /** The column is never empty. */
  readonly required: boolean;
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

/** The ways to hang a device of a family, or a loop, in a tree. Empty: its place there cannot be changed. */
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

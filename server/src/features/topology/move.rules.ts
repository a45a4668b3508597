import { familyOf, type Family } from '../../../../catalogue/index.ts';
import type { TreeName } from '../../../../contract/routes/topology.ts';
import { lampFamily } from './trees.ts';

/** What a move writes: columns of the row, all of them. `ref`: the field of the family that names the target, by its wire name. */
export interface Write { readonly columns: Readonly<Record<string, number | null>>; readonly ref: string }
/** A node or a target: a family, `loop`, or null for nowhere. */
type Kind = string | null;

const reference = (family: Family, column: string) => family.fields.find((field) => field.kind === 'reference' && field.column === column);

/** One column that names the target, if the family has it and its field points at such a kind. */
function naming(family: Family, column: string, to: Kind, id: number | null, alsoEmpty: readonly string[] = []): Write | 'placement' | 'required' {
  const field = reference(family, column);
  if (field?.kind !== 'reference') return 'placement';
  if (to === null && field.required) return 'required';
  if (to !== null && ('family' in field.to ? field.to.family : field.to.record) !== to) return 'placement';
  return { columns: { ...Object.fromEntries(alsoEmpty.map((other) => [other, null])), [column]: id }, ref: field.key };
}

/** What hanging a device below a target means, or why that cannot be. */
export function deviceWrite(tree: TreeName, key: string, to: Kind, id: number | null): Write | 'placement' | 'required' {
  const family = familyOf(key);
  if (!family) return 'placement';
  if (tree === 'mounting') return naming(family, 'pole_id', to, id);
  if (tree === 'power') {
    const column = ['transformer_id', 'box_id', 'loop_id'].find((name) => reference(family, name));
    return column === undefined ? 'placement' : naming(family, column, to, id);
  }
  if (family.report === null) return 'placement';
  if (key !== lampFamily) return naming(family, 'gateway_id', to, id);
  // A lamp speaks through its controller or straight through a gateway, never through both.
  return to === 'central-controller' ? naming(family, 'parent_id', to, id, ['gateway_id']) : naming(family, 'gateway_id', to, id, ['parent_id']);
}

/** A loop always has a box. */
export function loopWrite(tree: TreeName, to: Kind, id: number | null): Write | 'placement' | 'required' {
  if (tree !== 'power') return 'placement';
  if (to === null || id === null) return 'required';
  return to === 'control-box' ? { columns: { control_box_id: id }, ref: 'controlBoxId' } : 'placement';
}

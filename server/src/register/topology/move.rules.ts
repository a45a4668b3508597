import { hangings } from '../../../../catalogue/topology.ts';
import type { TreeName } from '../../../../contract/register/topology.ts';

/** Columns of the row that a move writes, all of them. */
export type Write = Readonly<Record<string, number | null>>;

/**
 * What hanging a device or loop below a target (kind and id; null: nowhere) means for its row, or why that cannot be.
 */
export function writeOf(
  tree: TreeName,
  kind: string,
  to: { readonly kind: string; readonly id: number } | null,
): Write | 'placement' | 'required' {
  const ways = hangings(tree, kind);
  if (ways.length === 0) return 'placement';
  if (to === null)
    return ways.some(({ required }) => required)
      ? 'required'
      : Object.fromEntries(ways.map(({ column }) => [column, null]));
  const way = ways.find((one) => one.to === to.kind);
  return way
    ? { ...Object.fromEntries(way.empties.map((column) => [column, null])), [way.column]: to.id }
    : 'placement';
}

import { isWithin, lastRowOf, type TreeNode, type TreeRow } from './model.ts';

export type Where = 'before' | 'inside' | 'after';

/**
 * A node put before, inside (as the last child) or after another one; `parent` is where it lands, undefined: beside the
 * roots.
 */
export interface Drop<N extends TreeNode> {
  readonly node: N;
  readonly target: N;
  readonly where: Where;
  readonly parent: N | undefined;
}

/** The screen's rule: undefined when the drop is allowed, else the reason against it, for people. */
export type MayDrop<N extends TreeNode> = (drop: Drop<N>) => string | undefined;

/** A drop by its row. */
export interface Place<N extends TreeNode> {
  readonly row: TreeRow<N>;
  readonly where: Where;
}

export const dropOf = <N extends TreeNode>(moved: TreeRow<N>, { row, where }: Place<N>): Drop<N> => ({
  node: moved.node,
  target: row.node,
  where,
  parent: where === 'inside' ? row.node : row.parent?.node,
});

/** Beside itself, or where it stands already: nothing would change. */
function isIdle<N extends TreeNode>(moved: TreeRow<N>, { row, where }: Place<N>): boolean {
  if (row.node.id === moved.node.id) return true;
  if (where === 'inside') return moved.parent?.node.id === row.node.id && moved.position === moved.size;
  const beside = row.parent?.node.id === moved.parent?.node.id;
  return beside && row.position === moved.position + (where === 'before' ? 1 : -1);
}

const isAllowed = <N extends TreeNode>(moved: TreeRow<N>, place: Place<N>, mayDrop: MayDrop<N>): boolean =>
  !isWithin(place.row, moved.node.id) && !isIdle(moved, place) && mayDrop(dropOf(moved, place)) === undefined;

/**
 * Every place a node may be put by keyboard, from top to bottom, none twice: before a first child, inside a closed or
 * empty node, after each node.
 */
export function placesFor<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  moved: TreeRow<N>,
  mayDrop: MayDrop<N>,
): Place<N>[] {
  const places: Place<N>[] = [];
  const waiting: TreeRow<N>[] = [];
  const close = (level: number): void => {
    while ((waiting.at(-1)?.level ?? 0) >= level) {
      const row = waiting.pop();
      if (row) places.push({ row, where: 'after' });
    }
  };
  rows.forEach((row, index) => {
    close(row.level);
    if (row.position === 1) places.push({ row, where: 'before' });
    const hasVisibleChildren = (rows[index + 1]?.level ?? 0) > row.level;
    if (!hasVisibleChildren) places.push({ row, where: 'inside' });
    waiting.push(row);
  });
  close(1);
  return places.filter((place) => isAllowed(moved, place, mayDrop));
}

/** The place at which a keyboard move begins: the first one below the node, else the last one. */
export function firstPlace<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  moved: TreeRow<N>,
  places: readonly Place<N>[],
): number {
  const from = rows.indexOf(moved);
  const below = places.findIndex(({ row }) => rows.indexOf(row) > from);
  return below < 0 ? places.length - 1 : below;
}

/** So much of a row is its edge, above and below. */
const EDGE = 0.25;

/**
 * Where a pointer stands on a row: `share` from 0 (upper edge) to 1, `level` that its distance from the left speaks of.
 */
export interface Aim {
  readonly share: number;
  readonly level: number;
}

/**
 * The place a pointer means: the outer quarters are before and after, the middle is inside and refused where that is
 * not allowed; at an edge, what is not allowed gives its room to what is. Further left at the end of a group is after
 * the group. A text is the reason against every one of them; null: nothing would change.
 */
export function placeAt<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  moved: TreeRow<N>,
  row: TreeRow<N>,
  aim: Aim,
  mayDrop: MayDrop<N>,
): Place<N> | string | null {
  if (isWithin(row, moved.node.id)) return null;
  const candidates = new Map<Where, Place<N>>([
    ['before', { row, where: 'before' }],
    ['inside', { row, where: 'inside' }],
    ['after', afterRow(rows, row, aim.level)],
  ]);
  const allowed = (where: Where): boolean => {
    const place = candidates.get(where);
    return place !== undefined && isAllowed(moved, place, mayDrop);
  };
  // The middle means inside and nothing else: what is refused there is not put beside instead.
  const wanted: Where[] =
    aim.share < EDGE
      ? ['before', 'inside', 'after']
      : aim.share > 1 - EDGE
        ? ['after', 'inside', 'before']
        : ['inside'];
  // Resting on what would change nothing is no wish to go elsewhere.
  const meant = candidates.get(wanted[0] ?? 'inside');
  if (meant && isIdle(moved, meant)) return null;
  const where = wanted.find(allowed);
  if (where !== undefined) return candidates.get(where) ?? null;
  return (
    wanted
      .flatMap((one) => candidates.get(one) ?? [])
      .filter((place) => !isIdle(moved, place))
      .map((place) => mayDrop(dropOf(moved, place)))
      .find((reason) => reason !== undefined) ?? null
  );
}

/** Below an open node stands its first child; at the end of a group the level decides whose end is meant. */
function afterRow<N extends TreeNode>(rows: readonly TreeRow<N>[], row: TreeRow<N>, level: number): Place<N> {
  const next = rows[rows.indexOf(row) + 1];
  if (next && next.level > row.level) return { row: next, where: 'before' };
  let target = row;
  while (target.parent && target.level > level && target.position === target.size) target = target.parent;
  return { row: target, where: 'after' };
}

/** On which line a place is drawn, at which edge, and at whose level. */
export function markOf<N extends TreeNode>(
  rows: readonly TreeRow<N>[],
  { row, where }: Place<N>,
): { id: number; edge: Where; level: number } {
  return { id: (where === 'after' ? lastRowOf(rows, row) : row).node.id, edge: where, level: row.level };
}

import { useState } from 'react';
import type { TreeNode, TreeRow } from './model.ts';
import { firstPlace, placesFor, type MayDrop, type Place, type Where } from './places.ts';

interface Moving {
  readonly id: number;
  readonly targetId: number;
  readonly where: Where;
}

export interface Move<N extends TreeNode> {
  readonly row: TreeRow<N>;
  readonly place: Place<N>;
  readonly count: number;
  /** From 1. */
  readonly position: number;
}

/**
 * Moving a node without dragging: it is picked up, the place goes from one allowed place to the next, and it is put
 * down or the move given up.
 */
export function useMove<N extends TreeNode>(rows: readonly TreeRow<N>[], mayDrop: MayDrop<N> | undefined) {
  const [moving, setMoving] = useState<Moving | null>(null);
  const row = moving ? rows.find(({ node }) => node.id === moving.id) : undefined;
  const places = row && mayDrop ? placesFor(rows, row, mayDrop) : [];
  // An opened or closed node changes the places: the one that was chosen stays, else its first child's, else the
  // nearest on its line.
  const exact = places.findIndex((place) => place.row.node.id === moving?.targetId && place.where === moving.where);
  const child = places.findIndex((place) => place.row.parent?.node.id === moving?.targetId);
  const beside = places.findIndex((place) => place.row.node.id === moving?.targetId);
  const index = [exact, child, beside].find((found) => found >= 0) ?? 0;
  const at = (to: number): void => {
    const place = places[Math.min(places.length - 1, Math.max(0, to))];
    if (moving && place) setMoving({ id: moving.id, targetId: place.row.node.id, where: place.where });
  };
  const place = places[index];
  return {
    current: row && place ? ({ row, place, count: places.length, position: index + 1 } satisfies Move<N>) : undefined,
    /** False: there is no other place. */
    begin(from: TreeRow<N>): boolean {
      const all = mayDrop ? placesFor(rows, from, mayDrop) : [];
      const first = all[firstPlace(rows, from, all)];
      if (!first) return false;
      setMoving({ id: from.node.id, targetId: first.row.node.id, where: first.where });
      return true;
    },
    step: (by: number) => at(index + by),
    first: () => at(0),
    last: () => at(places.length - 1),
    /** To the place above that lies less deep. */
    outwards(): void {
      const level = place?.row.level ?? 0;
      at(places.findLastIndex((other, at) => at < index && other.row.level < level));
    },
    choose: (chosen: Place<N>) =>
      setMoving(moving && { id: moving.id, targetId: chosen.row.node.id, where: chosen.where }),
    end: () => setMoving(null),
  };
}

import { MercatorLocal } from './mercator.ts';
import { severity, type LampField } from './lamp-field.ts';

/** Lamps near each other of which at least one is not well. */
export interface Cluster {
  key: string;
  /** Where its troubled lamps are, local units. */
  x: number;
  y: number;
  /** The worst state in it (index into lampStates), how many lamps have it, and how many lamps there are. */
  state: number;
  inState: number;
  total: number;
  /** The single lamp in trouble, when there is only one. */
  only: number | null;
}

interface Cell {
  total: number;
  worst: number;
  inState: number;
  state: number;
  x: number;
  y: number;
  only: number;
  troubled: number;
}

/** Room one pill takes on the screen. */
const pillPixels = { width: 112, height: 34 };

/** Below this zoom single lamps cannot be told apart: pills; from it on: shapes. */
export const shapesFromZoom = 14;

/**
 * Groups the visible lamps into squares of `cellPixels` at this zoom and keeps the squares where not all is well. A
 * pill stands at the middle of the lamps in its worst state. Zoom counts in whole steps, so that panning and small
 * zooms move nothing.
 */
export function clusterLamps(field: LampField, zoom: number, cellPixels = 120): Cluster[] {
  const size = cellPixels / MercatorLocal.pixelsPerUnit(Math.floor(zoom));
  const cells = new Map<string, Cell>();
  for (let index = 0; index < field.size; index++) {
    if (!field.visible[index]) continue;
    const x = field.positions[index * 2]!;
    const y = field.positions[index * 2 + 1]!;
    const key = `${Math.floor(x / size)}:${Math.floor(y / size)}`;
    let cell = cells.get(key);
    if (!cell) cells.set(key, (cell = { total: 0, worst: 0, inState: 0, state: 0, x: 0, y: 0, only: -1, troubled: 0 }));
    addLamp(cell, index, field.states[index]!, x, y);
  }
  const clusters: Cluster[] = [];
  for (const [key, cell] of cells) {
    if (cell.worst === 0) continue;
    clusters.push({
      key,
      x: cell.x / cell.inState,
      y: cell.y / cell.inState,
      state: cell.state,
      inState: cell.inState,
      total: cell.total,
      only: cell.troubled === 1 ? cell.only : null,
    });
  }
  clusters.sort((a, b) => severity[b.state]! - severity[a.state]! || b.inState - a.inState || (a.key < b.key ? -1 : 1));
  const pixel = size / cellPixels;
  return mergeTouching(clusters, pillPixels.width * pixel, pillPixels.height * pixel);
}

function addLamp(cell: Cell, index: number, state: number, x: number, y: number): void {
  cell.total++;
  // A state that only devices of other families have is none to worry about.
  const bad = severity[state] ?? 0;
  if (bad === 0) return;
  cell.troubled++;
  if (bad < cell.worst) return;
  if (bad > cell.worst) {
    cell.worst = bad;
    cell.state = state;
    cell.inState = 0;
    cell.x = 0;
    cell.y = 0;
  }
  cell.inState++;
  cell.x += x;
  cell.y += y;
  cell.only = index;
}

/**
 * Two pills that would touch become one at the place of the worse: nothing is covered and nobody's count is lost.
 * `clusters` come worst first; `width` and `height` are a pill's size in local units.
 */
export function mergeTouching(clusters: readonly Cluster[], width: number, height: number): Cluster[] {
  const kept: Cluster[] = [];
  for (const cluster of clusters) {
    const near = kept.find((other) => Math.abs(other.x - cluster.x) < width && Math.abs(other.y - cluster.y) < height);
    if (!near) {
      kept.push({ ...cluster });
      continue;
    }
    near.total += cluster.total;
    near.only = null;
    if (near.state === cluster.state) near.inState += cluster.inState;
  }
  return kept;
}

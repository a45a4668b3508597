import { fromWgs84, type GeographicSystem } from '../../../../../catalogue/coordinates.ts';
import { fromMercator, mercator } from '../mercator.ts';

/** A rectangle of a tile in its service's own system, and where it lies in a WGS-84 tile; pixels. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Squares a tile is cut into: the shift grows by at most 5 m a kilometre, so that within one it is the same to a
 * fraction of a pixel.
 */
const squares = 4;

/**
 * How a WGS-84 tile is put together of tiles in a shifted system (GCJ-02, BD-09). So the map itself, and everything on
 * it, stays in WGS-84: only pictures are moved. Where the shift does not exist, the tile is its own single picture, cut
 * into squares.
 */
export function patchesOf(system: GeographicSystem, z: number, x: number, y: number, size: number): Patch[] {
  const world = 2 ** z * size;
  const side = size / squares;
  const patches: Patch[] = [];
  for (let row = 0; row < squares; row++) {
    for (let column = 0; column < squares; column++) {
      const [left, top] = [x * size + column * side, y * size + row * side];
      const [u, v] = [(left + side / 2) / world, (top + side / 2) / world];
      const [shiftedU, shiftedV] = mercator(...(fromWgs84(system, fromMercator(u, v)) as [number, number]));
      // Whole pixels: letters stay sharp, and a square meets its neighbour without a seam.
      const [dx, dy] = [Math.round((shiftedU - u) * world), Math.round((shiftedV - v) * world)];
      cut(patches, left + dx, top + dy, column * side, row * side, side, size);
    }
  }
  return patches;
}

/** One square over up to four tiles. */
function cut(patches: Patch[], left: number, top: number, toX: number, toY: number, side: number, size: number): void {
  for (let y = Math.floor(top / size); y * size < top + side; y++) {
    for (let x = Math.floor(left / size); x * size < left + side; x++) {
      const [fromLeft, fromTop] = [Math.max(left, x * size), Math.max(top, y * size)];
      const [width, height] = [
        Math.min(left + side, (x + 1) * size) - fromLeft,
        Math.min(top + side, (y + 1) * size) - fromTop,
      ];
      patches.push({
        x,
        y,
        fromX: fromLeft - x * size,
        fromY: fromTop - y * size,
        toX: toX + fromLeft - left,
        toY: toY + fromTop - top,
        width,
        height,
      });
    }
  }
}

/** A grid in memory over lamp positions: what is under the pointer, what is in a box. Local units (see mercator.ts). */
export class PointGrid {
  private readonly cells = new Map<number, number[]>();
  private readonly positions: Float32Array;
  private readonly cell: number;

  /** `cell`: width of a cell in local units; about the distance of neighbouring lamps times ten is good. */
  constructor(positions: Float32Array, cell = 4096) {
    this.positions = positions;
    this.cell = cell;
    for (let index = 0; index * 2 < positions.length; index++) {
      const key = this.key(this.column(positions[index * 2]!), this.column(positions[index * 2 + 1]!));
      const list = this.cells.get(key);
      if (list) list.push(index);
      else this.cells.set(key, [index]);
    }
  }

  /** Where point `index` lies. */
  at(index: number): readonly [x: number, y: number] {
    return [this.positions[index * 2]!, this.positions[index * 2 + 1]!];
  }

  /** The nearest point within `radius` that `accept` takes, or null. */
  nearest(x: number, y: number, radius: number, accept: (index: number) => boolean = () => true): number | null {
    let best: number | null = null;
    let bestDistance = radius * radius;
    this.visit(x - radius, y - radius, x + radius, y + radius, (index) => {
      const distance = (this.positions[index * 2]! - x) ** 2 + (this.positions[index * 2 + 1]! - y) ** 2;
      if (distance > bestDistance || !accept(index)) return;
      best = index;
      bestDistance = distance;
    });
    return best;
  }

  /** Every point in the box, in no particular order. Corners may come in any order. */
  inside(x0: number, y0: number, x1: number, y1: number): number[] {
    const [left, right] = x0 < x1 ? [x0, x1] : [x1, x0];
    const [top, bottom] = y0 < y1 ? [y0, y1] : [y1, y0];
    const found: number[] = [];
    this.visit(left, top, right, bottom, (index) => {
      const x = this.positions[index * 2]!;
      const y = this.positions[index * 2 + 1]!;
      if (x >= left && x <= right && y >= top && y <= bottom) found.push(index);
    });
    return found;
  }

  private visit(left: number, top: number, right: number, bottom: number, take: (index: number) => void): void {
    const columns = this.column(right) - this.column(left) + 1;
    const rows = this.column(bottom) - this.column(top) + 1;
    if (columns * rows > this.cells.size) {
      for (const list of this.cells.values()) list.forEach(take);
      return;
    }
    for (let row = this.column(top); row <= this.column(bottom); row++) {
      for (let column = this.column(left); column <= this.column(right); column++)
        this.cells.get(this.key(column, row))?.forEach(take);
    }
  }

  private column(value: number): number {
    return Math.floor(value / this.cell);
  }

  private key(column: number, row: number): number {
    return column * 4_194_304 + row;
  }
}

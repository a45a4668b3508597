import { lampStates } from '../../../../contract/light/lamps.ts';
import { MercatorLocal } from './mercator.ts';

/** All lamps of a map as parallel columns, as `GET /api/v1/lamps/map` brings them. */
export interface LampColumns {
  ids: readonly number[];
  codes: readonly string[];
  longitudes: readonly number[];
  latitudes: readonly number[];
  ratedWatts: readonly number[];
  cct: readonly number[];
  /** Indexes into `lampStates`. */
  states: readonly number[];
  /** 0–100; −1 unknown. */
  levels: readonly number[];
}

/** One change, as the live socket brings it: id, state index, level. */
export type LampChange = readonly [id: number, state: number, level: number, ...rest: unknown[]];

export type LampStateName = (typeof lampStates)[number];

/** States that are not all well, the worst first: what clusters and shapes are about. */
export const exceptionStates: readonly LampStateName[] = ['alarm', 'offline', 'maintenance'];

export const stateIndex: Readonly<Record<LampStateName, number>> = Object.fromEntries(
  lampStates.map((name, index) => [name, index]),
) as Record<LampStateName, number>;

/** How bad a state is, by its index: 0 all well, then maintenance, offline, alarm. */
export const severity: readonly number[] = lampStates.map((name) => {
  const place = exceptionStates.indexOf(name);
  return place < 0 ? 0 : exceptionStates.length - place;
});

/**
 * The lamps a map draws, kept outside React: 10,000 of them change a few at a time, and a change must cost what
 * changed, not what exists. Positions are metres-like offsets from the middle of the city (see MercatorLocal).
 */
export class LampField {
  readonly ids: readonly number[];
  readonly codes: readonly string[];
  readonly place: MercatorLocal;
  /** x0, y0, x1, y1 … in local units. */
  readonly positions: Float32Array;
  readonly ratedWatts: readonly number[];
  readonly cct: readonly number[];
  readonly states: Uint8Array;
  readonly levels: Float32Array;
  /** 1: matches the filters; 0: drawn only as a faint neutral point. */
  readonly visible: Uint8Array;
  readonly selected: Uint8Array;
  private readonly indexById: ReadonlyMap<number, number>;
  private readonly listeners = new Set<() => void>();
  /** The filters: asked again about whatever changes its state. */
  private matches: (index: number) => boolean = () => true;
  /** Span of indexes whose state, level, visibility or selection changed since the GPU last took them. */
  private dirtyFrom = Infinity;
  private dirtyTo = -1;

  constructor(columns: LampColumns) {
    const count = columns.ids.length;
    this.ids = columns.ids;
    this.codes = columns.codes;
    this.ratedWatts = columns.ratedWatts;
    this.cct = columns.cct;
    this.place = MercatorLocal.around(columns.longitudes, columns.latitudes);
    this.positions = new Float32Array(count * 2);
    for (let index = 0; index < count; index++) {
      const [x, y] = this.place.toLocal(columns.longitudes[index]!, columns.latitudes[index]!);
      this.positions[index * 2] = x;
      this.positions[index * 2 + 1] = y;
    }
    this.states = Uint8Array.from(columns.states);
    this.levels = Float32Array.from(columns.levels);
    this.visible = new Uint8Array(count).fill(1);
    this.selected = new Uint8Array(count);
    this.indexById = new Map(columns.ids.map((id, index) => [id, index]));
  }

  /** How many lamps are selected. */
  selectedCount = 0;

  get size(): number {
    return this.ids.length;
  }

  indexOf(id: number): number | undefined {
    return this.indexById.get(id);
  }

  stateName(index: number): LampStateName {
    return lampStates[this.states[index]!] ?? 'unknown';
  }

  lngLat(index: number): [number, number] {
    return this.place.toLngLat(this.positions[index * 2]!, this.positions[index * 2 + 1]!);
  }

  /** Takes live changes; unknown ids are left out (a new lamp comes with the next full fetch). */
  apply(changes: readonly LampChange[]): void {
    let any = false;
    for (const [id, state, level] of changes) {
      const index = this.indexById.get(id);
      if (index === undefined || (this.states[index] === state && this.levels[index] === level)) continue;
      this.states[index] = state;
      this.levels[index] = level;
      this.visible[index] = this.matches(index) ? 1 : 0;
      this.touch(index);
      any = true;
    }
    if (any) this.announce();
  }

  /** Shows only lamps in `ids` (null: all) whose state is in `states` (null: any). */
  filter(ids: ReadonlySet<number> | null, states: ReadonlySet<number> | null): void {
    this.narrow(
      (index) => (ids === null || ids.has(this.ids[index]!)) && (states === null || states.has(this.states[index]!)),
    );
  }

  select(ids: ReadonlySet<number>): void {
    this.selectedCount = ids.size;
    this.rewrite(this.selected, (index) => ids.has(this.ids[index]!));
  }

  /** Lamps per state over those in `ids` (null: all). */
  counts(ids: ReadonlySet<number> | null): Record<LampStateName, number> {
    const numbers = lampStates.map(() => 0);
    for (let index = 0; index < this.size; index++) {
      if (ids !== null && !ids.has(this.ids[index]!)) continue;
      numbers[this.states[index]!]!++;
    }
    return Object.fromEntries(lampStates.map((name, index) => [name, numbers[index]!])) as Record<
      LampStateName,
      number
    >;
  }

  /** West, south, east, north of the lamps that match, or of all when none does; null without lamps. */
  bounds(ids: ReadonlySet<number> | null = null): [number, number, number, number] | null {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let index = 0; index < this.size; index++) {
      if (ids !== null && !ids.has(this.ids[index]!)) continue;
      const x = this.positions[index * 2]!;
      const y = this.positions[index * 2 + 1]!;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    if (box.left === Infinity) return ids === null ? null : this.bounds(null);
    const [west, north] = this.place.toLngLat(box.left, box.top);
    const [east, south] = this.place.toLngLat(box.right, box.bottom);
    return [west, south, east, north];
  }

  /** The changed span [from, to], once; null when nothing changed. */
  takeDirty(): [number, number] | null {
    if (this.dirtyTo < 0) return null;
    const span: [number, number] = [this.dirtyFrom, this.dirtyTo];
    this.dirtyFrom = Infinity;
    this.dirtyTo = -1;
    return span;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Shows only what `matches` says yes to, now and after every change. */
  protected narrow(matches: (index: number) => boolean): void {
    this.matches = matches;
    this.rewrite(this.visible, matches);
  }

  private rewrite(column: Uint8Array, decide: (index: number) => boolean): void {
    let any = false;
    for (let index = 0; index < this.size; index++) {
      const value = decide(index) ? 1 : 0;
      if (column[index] === value) continue;
      column[index] = value;
      this.touch(index);
      any = true;
    }
    if (any) this.announce();
  }

  private touch(index: number): void {
    this.dirtyFrom = Math.min(this.dirtyFrom, index);
    this.dirtyTo = Math.max(this.dirtyTo, index);
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }
}

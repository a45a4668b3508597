import { decodePlaced, mapStates, type MapStateName, type PlacedColumns } from '../../../../contract/device-map.ts';
import { LampField, type LampStateName } from './lamp-field.ts';

/**
 * Devices of all families on a map, as `GET /api/v1/devices/map` brings them: a field of lamps that also know their
 * family and their place.
 */
export class DeviceField extends LampField {
  /** Keys by the index that `families` holds. */
  readonly familyKeys: readonly string[];
  readonly families: Uint8Array;
  /** 1: stands where its pole does and moves with it. */
  readonly atPole: Uint8Array;
  /** The first device of the same place: all with the same `places` value are one stack. */
  readonly places: Int32Array;
  private readonly columns: PlacedColumns;
  private readonly members: ReadonlyMap<number, readonly number[]>;

  constructor(familyKeys: readonly string[], columns: PlacedColumns) {
    const placed = decodePlaced(columns);
    const none = new Array<number>(placed.ids.length).fill(0);
    super({
      ...placed,
      codes: new Array<string>(placed.ids.length).fill(''),
      ratedWatts: none,
      cct: none,
      levels: none,
    });
    this.familyKeys = familyKeys;
    this.columns = columns;
    this.families = Uint8Array.from(placed.families);
    this.atPole = Uint8Array.from(placed.atPole);
    this.places = new Int32Array(placed.ids.length);
    this.members = stacks(columns, this.places);
  }

  /** Takes over an answer in which nothing but states differs; false when it is of other devices or other places. */
  take(familyKeys: readonly string[], { ids, kinds, dx, dy }: PlacedColumns): boolean {
    const { columns } = this;
    const same =
      familyKeys.join() === this.familyKeys.join() &&
      equal(ids, columns.ids) &&
      equal(dx, columns.dx) &&
      equal(dy, columns.dy) &&
      kinds.every((kind, index) => (kind & ~14) === (columns.kinds[index]! & ~14));
    if (!same) return false;
    this.apply(this.ids.map((id, index) => [id, (kinds[index]! >> 1) & 7, this.levels[index]!]));
    return true;
  }

  /** Takes over states as the live line tells them; what is not on this map is left out. */
  tell(changes: readonly { readonly id: number; readonly state?: string | null }[]): void {
    const known = changes.flatMap(({ id, state }): (readonly [number, number, number])[] => {
      const index = this.indexOf(id);
      if (index === undefined || typeof state !== 'string' || this.mapState(index) === 'inUse') return [];
      // What is out of use is shown as off, as the map's answer has it.
      const shown = mapStates.indexOf((state === 'maintenance' ? 'off' : state) as MapStateName);
      return shown < 0 ? [] : [[id, shown, this.levels[index]!]];
    });
    if (known.length > 0) this.apply(known);
  }

  familyOf(index: number): string {
    return this.familyKeys[this.families[index]!] ?? '';
  }

  mapState(index: number): MapStateName {
    return mapStates[this.states[index]!] ?? 'unknown';
  }

  override stateName(index: number): LampStateName {
    const state = this.mapState(index);
    return state === 'inUse' ? 'unknown' : state;
  }

  /** Everything at the same place, the pole first; itself alone where nothing else stands. */
  stackOf(index: number): readonly number[] {
    return this.members.get(this.places[index]!) ?? [index];
  }

  /** Shows families, states and (where not null) ids. */
  show({
    families,
    states,
    ids,
  }: {
    families: ReadonlySet<string>;
    states: ReadonlySet<MapStateName>;
    ids: ReadonlySet<number> | null;
  }): void {
    const family = this.familyKeys.map((key) => families.has(key));
    const state = mapStates.map((name) => states.has(name));
    this.narrow(
      (index) =>
        family[this.families[index]!] === true &&
        state[this.states[index]!] === true &&
        (ids === null || ids.has(this.ids[index]!)),
    );
  }

  /** Devices by family and by state, whatever is shown. */
  tally(): { readonly families: ReadonlyMap<string, number>; readonly states: Readonly<Record<MapStateName, number>> } {
    const families = this.familyKeys.map(() => 0);
    const states = mapStates.map(() => 0);
    for (let index = 0; index < this.size; index++) {
      families[this.families[index]!]!++;
      states[this.states[index]!]!++;
    }
    return {
      families: new Map(this.familyKeys.map((key, index) => [key, families[index]!])),
      states: Object.fromEntries(mapStates.map((name, index) => [name, states[index]!])) as Record<
        MapStateName,
        number
      >,
    };
  }
}

/** Writes the first index of every place into `places`; the members of places with more than one. */
function stacks({ dx, dy }: PlacedColumns, places: Int32Array): Map<number, number[]> {
  const first = new Map<number, number>();
  const members = new Map<number, number[]>();
  let [x, y] = [0, 0];
  for (let index = 0; index < places.length; index++) {
    const same = index > 0 && dx[index] === 0 && dy[index] === 0;
    x += dx[index]!;
    y += dy[index]!;
    // Latitudes repeat after 33 degrees: what is so far away on the very same meridian is not there by chance.
    const key = x * 2 ** 25 + (y & (2 ** 25 - 1));
    const head = same ? places[index - 1]! : (first.get(key) ?? index);
    if (head === index) first.set(key, index);
    else {
      const list = members.get(head);
      if (list) list.push(index);
      else members.set(head, [head, index]);
    }
    places[index] = head;
  }
  return members;
}

const equal = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

import type { DeviceDelta } from '../../../../contract/live.ts';

export type Values = Readonly<Record<string, number | boolean | string | null>>;
/** A device as lists and maps show it now. */
export interface Picture {
  readonly id: number;
  readonly family: string;
  readonly workAreaId: number;
  readonly state: string | null;
  readonly online: boolean | null;
  readonly fault: string | null;
  readonly at: Date | null;
  readonly receivedAt: Date | null;
  readonly values: Values | null;
}

/** What a map shows of a device. */
export type States = Pick<Picture, 'state' | 'online' | 'fault'>;

/**
 * So many devices are remembered with the values that were told last (some 600 bytes each), of others all values are
 * told; of how many their state alone.
 */
const mostPictures = 50_000;
const mostStates = 1_000_000;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** State alone: what a map shows. `before` undefined: all of it; null: nothing changed. */
export function stateDelta(now: Picture, before: States | undefined): DeviceDelta | null {
  const { id, family, state, online, fault } = now;
  const changed = {
    ...(before && before.state === state ? {} : { state }),
    ...(before && before.online === online ? {} : { online }),
    ...(before && before.fault === fault ? {} : { fault }),
  };
  return Object.keys(changed).length === 0 ? null : { id, family, ...changed };
}

/** State and values: what a list shows. */
export function fullDelta(now: Picture, before: Picture | undefined): DeviceDelta | null {
  const values = Object.fromEntries(
    Object.entries(now.values ?? {}).filter(([key, value]) => before?.values?.[key] !== value),
  );
  const changed = {
    ...(stateDelta(now, before) ?? { id: now.id, family: now.family }),
    ...(before?.at?.getTime() === now.at?.getTime() && before ? {} : { at: iso(now.at) }),
    ...(before?.receivedAt?.getTime() === now.receivedAt?.getTime() && before
      ? {}
      : { receivedAt: iso(now.receivedAt) }),
    ...(Object.keys(values).length === 0 ? {} : { values }),
  };
  return Object.keys(changed).length === 2 ? null : changed;
}

/** How a device was told last, as far as it is remembered. */
export interface Before {
  readonly picture: Picture | undefined;
  readonly states: States | undefined;
}

/** How devices were told last, of as many as fit: the ones that changed longest ago go first. */
export class Remembered {
  readonly #pictures = new Map<number, Picture>();
  /** The same for all devices in the same state: a city costs little more than its numbers. */
  readonly #states = new Map<number, States>();
  readonly #kinds = new Map<string, States>();

  /** What was told last of this device; from now on it is `now`. */
  replace(now: Picture): Before {
    const before = { picture: this.#pictures.get(now.id), states: this.#states.get(now.id) };
    this.#pictures.delete(now.id);
    this.#pictures.set(now.id, now);
    forgetOldest(this.#pictures, mostPictures);
    const kind = this.#kindOf(now);
    if (before.states === kind) return before;
    this.#states.delete(now.id);
    this.#states.set(now.id, kind);
    forgetOldest(this.#states, mostStates);
    return before;
  }

  #kindOf({ state, online, fault }: Picture): States {
    const key = `${state} ${online} ${fault}`;
    const kind = this.#kinds.get(key) ?? { state, online, fault };
    this.#kinds.set(key, kind);
    return kind;
  }

  /** Nobody watches any more: what comes next is not what was told last. */
  clear(): void {
    this.#pictures.clear();
    this.#states.clear();
    this.#kinds.clear();
  }
}

function forgetOldest(map: Map<number, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

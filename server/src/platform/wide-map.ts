/** The ids of a part stand together. */
const idsAPart = 4096;
export const partOfId = (id: number): number => Math.floor(id / idsAPart);

/**
 * A map of up to millions of entries, in parts that `partOf` names by the key. A single map doubles its table in one go:
 * 230 ms of the event loop when the millionth entry comes.
 */
export class WideMap<Key, Value> {
  readonly #partOf: (key: Key) => number;
  readonly #parts = new Map<number, Map<Key, Value>>();

  constructor(partOf: (key: Key) => number) {
    this.#partOf = partOf;
  }

  get(key: Key): Value | undefined {
    return this.#parts.get(this.#partOf(key))?.get(key);
  }

  set(key: Key, value: Value): void {
    const place = this.#partOf(key);
    let part = this.#parts.get(place);
    if (!part) this.#parts.set(place, (part = new Map()));
    part.set(key, value);
  }

  delete(key: Key): void {
    const place = this.#partOf(key);
    const part = this.#parts.get(place);
    if (part?.delete(key) && part.size === 0) this.#parts.delete(place);
  }

  *[Symbol.iterator](): Generator<readonly [Key, Value]> {
    for (const part of this.#parts.values()) yield* part;
  }
}

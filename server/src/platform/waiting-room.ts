export interface WaitingLimits {
  /** Of one address. */
  readonly ofAddress: number;
  /** Of all of them together. */
  readonly all: number;
}

/**
 * Who has connected and not said yet who he is. Nobody is turned away for others: one more than an address may have costs the one of that address that waits
 * longest its place, one more than there is room for the longest waiting one of the address that has most. A flood from one address displaces itself.
 */
export class WaitingRoom<T> {
  readonly #limits: WaitingLimits;
  readonly #end: (one: T) => void;
  readonly #addresses = new Map<string, Set<T>>();
  #size = 0;

  /** `end` closes the connection of one that lost its place. */
  constructor(limits: WaitingLimits, end: (one: T) => void) {
    this.#limits = limits;
    this.#end = end;
  }

  get size(): number {
    return this.#size;
  }

  enter(one: T, address: string): void {
    const own = this.#addresses.get(address) ?? new Set<T>();
    if (own.size >= this.#limits.ofAddress) this.#displace(address, own);
    else if (this.#size >= this.#limits.all) this.#displace(...this.#fullest());
    this.#addresses.set(address, own.add(one));
    this.#size += 1;
  }

  /** It said who it is, or went away. */
  leave(one: T, address: string): void {
    const own = this.#addresses.get(address);
    if (!own?.delete(one)) return;
    this.#size -= 1;
    if (own.size === 0) this.#addresses.delete(address);
  }

  #displace(address: string, own: ReadonlySet<T>): void {
    for (const oldest of own) {
      this.leave(oldest, address);
      return this.#end(oldest);
    }
  }

  #fullest(): [string, ReadonlySet<T>] {
    let found: [string, ReadonlySet<T>] = ['', new Set()];
    for (const entry of this.#addresses) if (entry[1].size > found[1].size) found = entry;
    return found;
  }
}

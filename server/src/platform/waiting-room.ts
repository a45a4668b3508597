export interface WaitingLimits {
  /** Limit of one address. */
  readonly ofAddress: number;
  /** Limit of all addresses together. */
  readonly all: number;
}

/**
 * The connections of one address: silent ones, the longest waiting one first, and those whose identity is being
 * checked.
 */
interface Own<T> {
  readonly silent: Set<T>;
  readonly checked: Set<T>;
}
const sizeOf = ({ silent, checked }: Own<unknown>): number => silent.size + checked.size;

/**
 * Connections that have not proved their identity. None is turned away for others: one above the limit of its address
 * displaces the longest silent one of that address, one above the common limit the longest silent one of the fullest
 * address. A flood from one address displaces itself. A connection under check keeps its place; if all are, the
 * newcomer gets none.
 */
export class WaitingRoom<T> {
  readonly #limits: WaitingLimits;
  readonly #end: (one: T) => void;
  readonly #addresses = new Map<string, Own<T>>();
  #size = 0;

  /** `end` closes a connection that has no place any more. */
  constructor(limits: WaitingLimits, end: (one: T) => void) {
    this.#limits = limits;
    this.#end = end;
  }

  get size(): number {
    return this.#size;
  }

  enter(one: T, address: string): void {
    const own = this.#addresses.get(address);
    const isFull = own !== undefined && sizeOf(own) >= this.#limits.ofAddress;
    const full = isFull ? address : this.#size >= this.#limits.all ? this.#fullest() : undefined;
    if (full !== undefined && !this.#displace(full)) return this.#end(one);
    // The displaced connection may have been the last of this address.
    const room = this.#addresses.get(address) ?? { silent: new Set<T>(), checked: new Set<T>() };
    room.silent.add(one);
    this.#addresses.set(address, room);
    this.#size += 1;
  }

  /** Its identity is being looked up: it is not displaced until it leaves. */
  check(one: T, address: string): void {
    const own = this.#addresses.get(address);
    if (own?.silent.delete(one)) own.checked.add(one);
  }

  /** It has proved its identity, or went away. */
  leave(one: T, address: string): void {
    const own = this.#addresses.get(address);
    if (!own || !(own.silent.delete(one) || own.checked.delete(one))) return;
    this.#size -= 1;
    if (sizeOf(own) === 0) this.#addresses.delete(address);
  }

  /** Whether a silent connection of this address lost its place. */
  #displace(address: string): boolean {
    for (const oldest of this.#addresses.get(address)?.silent ?? []) {
      this.leave(oldest, address);
      this.#end(oldest);
      return true;
    }
    return false;
  }

  /** The address with the most silent connections. */
  #fullest(): string {
    let found = '';
    let most = -1;
    for (const [address, { silent }] of this.#addresses) {
      if (silent.size <= most) continue;
      found = address;
      most = silent.size;
    }
    return found;
  }
}

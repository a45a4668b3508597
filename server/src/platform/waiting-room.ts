export interface WaitingLimits {
  /** Of one address. */
  readonly ofAddress: number;
  /** Of all of them together. */
  readonly all: number;
}

/** Those of one address: who is silent still, the longest waiting one first, and whose word is being checked. */
interface Own<T> {
  readonly silent: Set<T>;
  readonly checked: Set<T>;
}
const sizeOf = ({ silent, checked }: Own<unknown>): number => silent.size + checked.size;

/**
 * Who has connected and not shown yet who he is. Nobody is turned away for others: one more than an address may have
 * costs the one of that address that is silent longest its place, one more than there is room for the longest silent
 * one of the address that has most. A flood from one address displaces itself. Whose word is being checked keeps his
 * place until that is done; where all are, the newcomer gets none.
 */
export class WaitingRoom<T> {
  readonly #limits: WaitingLimits;
  readonly #end: (one: T) => void;
  readonly #addresses = new Map<string, Own<T>>();
  #size = 0;

  /** `end` closes the connection of one that has no place any more. */
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
    // Who was displaced may have been the last of this address.
    const room = this.#addresses.get(address) ?? { silent: new Set<T>(), checked: new Set<T>() };
    room.silent.add(one);
    this.#addresses.set(address, room);
    this.#size += 1;
  }

  /** It says who it is, and that is looked up: until it leaves it is not displaced. */
  check(one: T, address: string): void {
    const own = this.#addresses.get(address);
    if (own?.silent.delete(one)) own.checked.add(one);
  }

  /** It has shown who it is, or went away. */
  leave(one: T, address: string): void {
    const own = this.#addresses.get(address);
    if (!own || !(own.silent.delete(one) || own.checked.delete(one))) return;
    this.#size -= 1;
    if (sizeOf(own) === 0) this.#addresses.delete(address);
  }

  /** Whether somebody silent of this address lost its place. */
  #displace(address: string): boolean {
    for (const oldest of this.#addresses.get(address)?.silent ?? []) {
      this.leave(oldest, address);
      this.#end(oldest);
      return true;
    }
    return false;
  }

  /** The address with most silent ones. */
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

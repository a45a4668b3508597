import type pg from 'pg';
import type { Clock, Stop } from '../clock.ts';
import { connect, type Db, type Transaction } from '../db/index.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import {
  findHolders,
  isHeld,
  prepareLease,
  releaseAll,
  releaseLeases,
  renewLeases,
  takeLeases,
  type Taken,
} from './leases.store.ts';
import { LeaseLost } from './lost.ts';
import { isGone } from './process-name.ts';

/** Ends a part and resolves when it has come to its end. */
export type AsyncStop = () => void | Promise<void>;

/** A lease while this process has it. */
export interface Held {
  readonly name: string;
  /** Grows with every change of the holder. */
  readonly token: number;
  /** Aborted when the lease is lost or given back. */
  readonly signal: AbortSignal;
  /**
   * Whether the lease is ours, as far as the process knows without a query: false at once after a standstill that was
   * too long, and from then on.
   */
  isMine(): boolean;
  /** The first statement of a transaction that nobody may write any more who lost the lease: throws LeaseLost then. */
  fence(tx: Transaction): Promise<void>;
  /** This process cannot do the work: others get their turn, and it asks again after this time. */
  giveBack(pauseMs: number): void;
}

export interface Leases {
  /**
   * Calls `start` in one process at a time, and what it returned when the lease is lost or the program stops; then
   * another process starts. What throws in `start` is logged, and the next one tries. Returns how to stop, which gives
   * the lease back.
   */
  hold(name: string, start: (held: Held) => AsyncStop | Promise<AsyncStop>): () => Promise<void>;
  /**
   * Calls `run` at once and at this interval, in one process at a time; the lease is given back after a run under way.
   */
  every(name: string, milliseconds: number, run: (held: Held) => void | Promise<void>): () => Promise<void>;
  /** Resolves when all that is wanted now was tried for once. */
  tried(): Promise<void>;
  /** The names that this process has now. */
  held(): string[];
  /** Ends the renewing; what is held still is given back. */
  stop(): Promise<void>;
}

export interface LeasesParts {
  /** For a connection of its own: renewing waits for nobody's queries. */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** What this process calls itself; no other one does. */
  readonly holder: string;
  /** How long a lease lives without a renewal; default 10,000 ms. */
  readonly leaseMs?: number;
  /** No other process can be there: what a killed one held is free at once. */
  readonly alone?: boolean;
  /** Milliseconds that only ever grow. */
  readonly monotonic?: () => number;
}

/** One name that this process wants, and what it does while it has it. */
interface Wanted {
  readonly name: string;
  readonly start: Start;
  prepared: boolean;
  /** Not taken before, by the monotonic clock: what failed to start is not started again at every beat. */
  notBefore: number;
  mine: Mine | undefined;
  /** From taking to the end of what was started: nothing is taken before that. */
  life: Promise<void> | undefined;
}
interface Mine {
  readonly name: string;
  readonly token: number;
  readonly abort: AbortController;
  deadline: number;
}
type Start = (held: Held) => AsyncStop | Promise<AsyncStop>;

/**
 * Leases in the database (decision record 25): by its time, renewed at a third of it. A process that cannot renew gives
 * up by its own monotonic clock before the database lets anybody else in.
 */
export const createLeases = (parts: LeasesParts): Leases => new LeaseBook(parts);

class LeaseBook implements Leases {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #holder: string;
  readonly #leaseMs: number;
  readonly #monotonic: () => number;
  readonly #db: Db;
  readonly #disconnect: () => Promise<void>;
  readonly #wanted = new Map<string, Wanted>();
  readonly #stops: Stop[];
  /** What a predecessor left is given back first, where it can be no other process's. */
  #freed: boolean;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #round: Promise<void> | undefined;

  constructor({
    connection,
    clock,
    log,
    holder,
    leaseMs = 10_000,
    alone = false,
    monotonic = () => performance.now(),
  }: LeasesParts) {
    const { db, stop } = connect({ ...connection, application_name: 'lampyris leases', max: 1 }, log);
    this.#db = db;
    this.#disconnect = stop;
    this.#clock = clock;
    this.#log = log;
    this.#holder = holder;
    this.#leaseMs = leaseMs;
    this.#monotonic = monotonic;
    this.#freed = !alone;
    const beatMs = Math.min(1000, leaseMs / 6);
    this.#stops = [clock.every(beatMs, () => this.#watch()), clock.every(beatMs, () => this.#beat())];
  }

  /** Handed on by itself, too. */
  readonly hold: Leases['hold'] = (name, start) => {
    if (this.#wanted.has(name)) throw new Error(`the lease "${name}" is wanted twice in one process`);
    const want: Wanted = {
      name,
      start,
      prepared: false,
      notBefore: Number.NEGATIVE_INFINITY,
      mine: undefined,
      life: undefined,
    };
    this.#wanted.set(name, want);
    void this.#beat();
    return async () => {
      this.#wanted.delete(name);
      await this.#round;
      end(want);
      await want.life;
    };
  };

  every(name: string, milliseconds: number, run: (held: Held) => void | Promise<void>): () => Promise<void> {
    return this.hold(name, (held) => this.#repeat(held, milliseconds, run));
  }

  async tried(): Promise<void> {
    // What was wanted while a round was under way is tried by the next one.
    await this.#round;
    await this.#beat();
  }

  held(): string[] {
    return this.#mine().map(({ name }) => name);
  }

  async stop(): Promise<void> {
    this.#stops.forEach((stop) => stop());
    await this.#round;
    const left = [...this.#wanted.values()];
    this.#wanted.clear();
    left.forEach(end);
    await Promise.all(left.flatMap(({ life }) => life ?? []));
    await this.#disconnect();
  }

  #mine(): Mine[] {
    return [...this.#wanted.values()].flatMap(({ mine }) => mine ?? []);
  }

  #isMine(mine: Mine): boolean {
    return !mine.abort.signal.aborted && this.#monotonic() < mine.deadline;
  }

  /** Also while a question to the database hangs. */
  #watch(): void {
    for (const want of this.#wanted.values())
      if (want.mine && !this.#isMine(want.mine)) this.#lose(want, 'it was not renewed in time');
  }

  #lose(want: Wanted, why: string): void {
    this.#log.warn({ lease: want.name, why }, 'a lease was lost');
    end(want);
  }

  /** One at a time; the next beat does what this one could not. */
  #beat(): Promise<void> {
    this.#round ??= this.#renewAndTake()
      .catch((thrown: unknown) =>
        this.#log.warn({ reason: reasonOf(thrown) }, 'leases could not be renewed or taken; trying on'),
      )
      .finally(() => {
        this.#round = undefined;
      });
    return this.#round;
  }

  async #renewAndTake(): Promise<void> {
    if (!this.#freed) await releaseAll(this.#db);
    this.#freed = true;
    await this.#renew();
    await this.#take();
  }

  async #renew(): Promise<void> {
    const asked = this.#monotonic();
    const mine = this.#mine();
    if (mine.length === 0 || asked - this.#renewedAt < this.#leaseMs / 3) return;
    const kept = await renewLeases(this.#db, mine, this.#leaseMs);
    this.#renewedAt = asked;
    // After its time each question was answered with no, and the work ended: it stays so, even if no other process took
    // the lease.
    this.#watch();
    for (const one of mine) if (kept.has(one.name)) one.deadline = asked + this.#leaseMs;
    for (const want of this.#wanted.values())
      if (want.mine && mine.includes(want.mine) && !kept.has(want.name)) this.#lose(want, 'another process has it');
  }

  async #take(): Promise<void> {
    const free = [...this.#wanted.values()].filter(
      ({ life, notBefore }) => life === undefined && notBefore <= this.#monotonic(),
    );
    if (free.length === 0) return;
    for (const want of free.filter(({ prepared }) => !prepared)) {
      await prepareLease(this.#db, want.name);
      want.prepared = true;
    }
    await this.#freeTheDead(free.map(({ name }) => name));
    const asked = this.#monotonic();
    for (const taken of await takeLeases(
      this.#db,
      free.map(({ name }) => name),
      this.#holder,
      this.#leaseMs,
    )) {
      const want = this.#wanted.get(taken.name);
      if (want && !want.life)
        want.life = this.#live(want, taken, asked).finally(() => {
          want.life = undefined;
        });
      else await releaseLeases(this.#db, [taken]);
    }
  }

  /** Nobody waits for a process of this machine that is gone. */
  async #freeTheDead(names: readonly string[]): Promise<void> {
    const left = (await findHolders(this.#db, names)).filter(({ holder }) => isGone(holder));
    if (left.length === 0) return;
    this.#log.warn(
      { leases: left.map(({ name }) => name), holder: left[0]?.holder },
      'leases of a process that is gone are free',
    );
    await releaseLeases(this.#db, left);
  }

  /** From the moment it was taken until what was started has ended and the lease is given back. */
  async #live(want: Wanted, { name, token, before }: Taken, asked: number): Promise<void> {
    const mine: Mine = { name, token, abort: new AbortController(), deadline: asked + this.#leaseMs };
    const { signal } = mine.abort;
    want.mine = mine;
    this.#log[before === null ? 'debug' : 'warn']({ lease: name, fence: token, before }, 'a lease was taken');
    const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    try {
      const stop = await want.start(this.#heldOf(want, mine));
      await gone;
      await stop();
    } catch (thrown) {
      this.#log.error({ err: thrown, lease: name }, 'what runs under a lease failed');
      want.notBefore = this.#monotonic() + this.#leaseMs / 2;
      if (want.mine === mine) end(want);
    }
    await releaseLeases(this.#db, [mine]).catch((thrown: unknown) =>
      this.#log.warn({ lease: name, reason: reasonOf(thrown) }, 'a lease could not be given back; it runs out'),
    );
  }

  #heldOf(want: Wanted, mine: Mine): Held {
    return {
      name: mine.name,
      token: mine.token,
      signal: mine.abort.signal,
      isMine: () => this.#isMine(mine),
      fence: async (tx) => {
        if (!this.#isMine(mine) || !(await isHeld(tx, mine, this.#leaseMs))) throw new LeaseLost(mine.name);
      },
      giveBack: (pauseMs) => {
        if (want.mine !== mine) return;
        want.notBefore = this.#monotonic() + pauseMs;
        end(want);
      },
    };
  }

  #repeat(held: Held, milliseconds: number, run: (held: Held) => void | Promise<void>): AsyncStop {
    let work: Promise<void> | undefined;
    const runOnce = async () => {
      try {
        await run(held);
      } catch (thrown) {
        if (!(thrown instanceof LeaseLost)) this.#log.error({ err: thrown, lease: held.name }, 'a job failed');
      }
    };
    const once = (): Promise<void> | undefined => {
      if (held.isMine())
        work ??= runOnce().finally(() => {
          work = undefined;
        });
      return work;
    };
    void once();
    const stop = this.#clock.every(milliseconds, once);
    return async () => {
      stop();
      await work;
    };
  }
}

function end(want: Wanted): void {
  const { mine } = want;
  want.mine = undefined;
  mine?.abort.abort();
}

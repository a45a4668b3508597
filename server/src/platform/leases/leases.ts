import type pg from 'pg';
import type { Clock, Stop } from '../clock.ts';
import { connect, type Transaction } from '../db/index.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import { isHeld, prepareLease, releaseAll, releaseLeases, renewLeases, takeLeases, type Taken } from './leases.store.ts';
import { LeaseLost } from './lost.ts';

/** Ends a part and resolves when it has come to its end. */
export type AsyncStop = () => void | Promise<void>;

/** A lease while this process has it. */
export interface Held {
  readonly name: string;
  /** Grows with every change of the holder. */
  readonly token: number;
  /** Aborted when the lease is lost or given back. */
  readonly signal: AbortSignal;
  /** Whether it is ours, as far as can be told without asking: false at once when this process stood still for too long. */
  isMine(): boolean;
  /** The first statement of a transaction that nobody may write any more who lost the lease: throws LeaseLost then. */
  fence(tx: Transaction): Promise<void>;
  /** This process cannot do what it holds it for: others have their turn, it asks again after so many milliseconds. */
  giveBack(pauseMs: number): void;
}

export interface Leases {
  /**
   * Calls `start` in one process at a time, and what it returned when the lease is lost or the program stops; then another process starts.
   * What throws in `start` is logged, and the next one tries. Returns how to stop, which gives the lease back.
   */
  hold(name: string, start: (held: Held) => AsyncStop | Promise<AsyncStop>): () => Promise<void>;
  /** Calls `run` at once and every so many milliseconds in one process at a time; a run that goes on is waited for before the lease is given back. */
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
  /** How long a lease lives that is not renewed; 10,000 ms unless told. */
  readonly leaseMs?: number;
  /** No other process can be there: what a killed one held is free at once. */
  readonly alone?: boolean;
  /** Milliseconds that only ever grow. */
  readonly monotonic?: () => number;
}

/** One name that this process wants, and what it does while it has it. */
interface Wanted {
  readonly name: string;
  readonly start: (held: Held) => AsyncStop | Promise<AsyncStop>;
  prepared: boolean;
  /** Not taken before, by the monotonic clock: what failed to start is not started again at every beat. */
  notBefore: number;
  mine: Mine | undefined;
  /** From taking to the end of what was started: nothing is taken before that. */
  life: Promise<void> | undefined;
}
interface Mine { readonly name: string; readonly token: number; readonly abort: AbortController; deadline: number }

/**
 * Leases in the database (decision record 24): by its time, renewed at a third of it. A process that cannot renew gives up by its own
 * monotonic clock before the database lets anybody else in.
 */
export function createLeases({ connection, clock, log, holder, leaseMs = 10_000, alone = false, monotonic = () => performance.now() }: LeasesParts): Leases {
  const { db, stop: disconnect } = connect({ ...connection, application_name: 'lampyris leases', max: 1 }, log);
  const wanted = new Map<string, Wanted>();
  let freed = !alone;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | undefined;

  const isMine = (mine: Mine): boolean => !mine.abort.signal.aborted && monotonic() < mine.deadline;
  const held = (): Mine[] => [...wanted.values()].flatMap(({ mine }) => (mine ? [mine] : []));

  function lose(want: Wanted, why: string): void {
    if (!want.mine) return;
    log.warn({ lease: want.name, why }, 'a lease was lost');
    end(want);
  }

  function end(want: Wanted): void {
    const { mine } = want;
    want.mine = undefined;
    mine?.abort.abort();
  }

  /** Also while a question to the database hangs. */
  const watch = () => wanted.forEach((want) => { if (want.mine && !isMine(want.mine)) lose(want, 'it was not renewed in time'); });

  async function renew(): Promise<void> {
    const asked = monotonic();
    const mine = held();
    if (mine.length === 0 || asked - renewedAt < leaseMs / 3) return;
    const kept = await renewLeases(db, mine, leaseMs);
    renewedAt = asked;
    for (const one of mine) {
      if (kept.has(one.name)) one.deadline = asked + leaseMs;
      else for (const want of wanted.values()) if (want.mine === one) lose(want, 'another process has it');
    }
  }

  async function take(): Promise<void> {
    const free = [...wanted.values()].filter(({ life, notBefore }) => life === undefined && notBefore <= monotonic());
    if (free.length === 0) return;
    for (const want of free.filter(({ prepared }) => !prepared)) {
      await prepareLease(db, want.name);
      want.prepared = true;
    }
    const asked = monotonic();
    for (const taken of await takeLeases(db, free.map(({ name }) => name), holder, leaseMs)) {
      const want = wanted.get(taken.name);
      if (want && !want.life) want.life = live(want, taken, asked).finally(() => { want.life = undefined; });
      else await releaseLeases(db, [taken]);
    }
  }

  /** From the moment it was taken until what was started has ended and the lease is given back. */
  async function live(want: Wanted, { name, token, before }: Taken, asked: number): Promise<void> {
    const abort = new AbortController();
    const mine: Mine = { name, token, abort, deadline: asked + leaseMs };
    want.mine = mine;
    log[before === null ? 'debug' : 'warn']({ lease: name, token, before }, 'a lease was taken');
    const gone = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(), { once: true }));
    const fence = async (tx: Transaction) => {
      if (!isMine(mine) || !(await isHeld(tx, mine, leaseMs))) throw new LeaseLost(name);
    };
    const giveBack = (pauseMs: number) => {
      if (want.mine !== mine) return;
      want.notBefore = monotonic() + pauseMs;
      end(want);
    };
    try {
      const stop = await want.start({ name, token, signal: abort.signal, isMine: () => isMine(mine), fence, giveBack });
      await gone;
      await stop();
    } catch (thrown) {
      log.error({ err: thrown, lease: name }, 'what runs under a lease failed');
      want.notBefore = monotonic() + leaseMs / 2;
      end(want);
    }
    await releaseLeases(db, [mine]).catch((thrown: unknown) => log.warn({ lease: name, reason: reasonOf(thrown) }, 'a lease could not be given back; it runs out'));
  }

  /** One at a time; the next beat does what this one could not. */
  function beat(): Promise<void> {
    round ??= (async () => {
      try {
        if (!freed) await releaseAll(db);
        freed = true;
        await renew();
        await take();
      } catch (thrown) {
        log.warn({ reason: reasonOf(thrown) }, 'leases could not be renewed or taken; trying on');
      } finally {
        round = undefined;
      }
    })();
    return round;
  }

  const beatMs = Math.min(1000, leaseMs / 6);
  const stops: Stop[] = [clock.every(beatMs, watch), clock.every(beatMs, beat)];

  function hold(name: string, start: Wanted['start']): () => Promise<void> {
    if (wanted.has(name)) throw new Error(`the lease "${name}" is wanted twice in one process`);
    const want: Wanted = { name, start, prepared: false, notBefore: Number.NEGATIVE_INFINITY, mine: undefined, life: undefined };
    wanted.set(name, want);
    void beat();
    return async () => {
      wanted.delete(name);
      await round;
      end(want);
      await want.life;
    };
  }

  return {
    hold,
    every: (name, milliseconds, run) => hold(name, (mine) => repeat(mine, milliseconds, run)),
    async tried() {
      // What was wanted while a round was under way is tried by the next one.
      await round;
      await beat();
    },
    held: () => held().map(({ name }) => name),
    async stop() {
      stops.forEach((stop) => stop());
      await round;
      const lives = [...wanted.values()].map((want) => {
        end(want);
        return want.life;
      });
      wanted.clear();
      await Promise.all(lives);
      await disconnect();
    },
  };

  function repeat(mine: Held, milliseconds: number, run: (held: Held) => void | Promise<void>): AsyncStop {
    let work: Promise<void> | undefined;
    const once = () => {
      if (!mine.isMine()) return undefined;
      work ??= (async () => {
        try {
          await run(mine);
        } catch (thrown) {
          if (!(thrown instanceof LeaseLost)) log.error({ err: thrown, lease: mine.name }, 'a job failed');
        } finally {
          work = undefined;
        }
      })();
      return work;
    };
    void once();
    const stop = clock.every(milliseconds, once);
    return async () => {
      stop();
      await work;
    };
  }
}

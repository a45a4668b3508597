import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPoolClient } from 'kysely';

/** A call that is only tried: its SQL goes over one connection, whose transaction is rolled back. */
export interface DryRun {
  readonly connect: () => PostgresPoolClient;
}

const runs = new AsyncLocalStorage<DryRun>();

/** The dry run that this work belongs to. */
export const currentDryRun = (): DryRun | undefined => runs.getStore();

/** Runs work, and everything that it begins, as a part of a dry run. */
export const inDryRun = <T>(run: DryRun, work: () => Promise<T>): Promise<T> => runs.run(run, work);

/**
 * An effect outside the database (a message, a file, a wake-up) that a dry run leaves out; `instead` is what it gets
 * back. The bus leaves its messages out by itself.
 */
export const unlessDry =
  <A extends readonly unknown[], R>(effect: (...given: A) => R, instead: R) =>
  (...given: A): R =>
    currentDryRun() ? instead : effect(...given);

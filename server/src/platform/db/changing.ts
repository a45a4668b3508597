import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../start-error.ts';
import type { Db, Transaction } from './database.ts';

/**
 * deadlock_detected, serialization_failure: of two that stood in each other's way the database ended this one, as if it
 * had never begun.
 */
const overtaken = new Set(['40P01', '40001']);
const mostTries = 4;
const longestPauseMs = 100;

/**
 * Runs a change in one transaction, and again when the database had to end it for another one's sake. So the work has
 * no effect but its SQL; what it hands back is of the time that was committed.
 */
export async function changing<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (thrown) {
      if (tries === mostTries || !overtaken.has(codeOf(thrown) ?? '')) throw thrown;
      // By chance, so that two that lost do not meet again.
      await sleep(Math.random() * longestPauseMs);
    }
  }
}

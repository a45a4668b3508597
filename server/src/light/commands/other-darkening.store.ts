import { sql } from 'kysely';
import type { Transaction } from '../../platform/db/index.ts';

interface Darkened {
  readonly actorId: number;
  readonly cause: string;
  readonly lamps: number;
  readonly at: Date;
  /** So long rows are kept, ms. */
  readonly keptMs: number;
}
/** Writes down what an account darkened; what is too old to count goes. */
export async function writeDarkening(tx: Transaction, { actorId, cause, lamps, at, keptMs }: Darkened): Promise<void> {
  await sql`DELETE FROM darkening WHERE actor_id = ${actorId} AND at < ${new Date(at.getTime() - keptMs)}`.execute(tx);
  await sql`INSERT INTO darkening (actor_id, at, cause, lamps)
    VALUES (${actorId}, ${at}, ${cause}, ${lamps})`.execute(tx);
}

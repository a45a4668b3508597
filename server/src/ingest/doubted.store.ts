import { sql } from 'kysely';
import type { Db, Transaction } from '../platform/db/index.ts';

/** A message of readings whose speaker's clock is in doubt; `receivedAt`: epoch milliseconds. */
export interface DoubtedMessage {
  readonly speakerId: number;
  readonly receivedAt: number;
  readonly topic: string;
  readonly payload: Uint8Array;
}
export interface KeptMessage extends DoubtedMessage {
  readonly id: number;
}

/**
 * How many messages of one speaker may wait for its clock: four days of a report each quarter of an hour from fifty
 * lamps behind one controller.
 */
const mostKept = 20_000;

/**
 * Keeps messages until the clocks of their speakers are known; returns the places (in `messages`) of those that found
 * no room.
 */
export async function keepDoubted(tx: Transaction, messages: readonly DoubtedMessage[]): Promise<number[]> {
  if (messages.length === 0) return [];
  const speakers = [...new Set(messages.map(({ speakerId }) => speakerId))];
  const { rows } = await sql<{
    id: number;
    kept: number;
  }>`SELECT d.id, (SELECT count(*)::int FROM doubted_message m WHERE m.speaker_id = d.id) AS kept FROM device d
    WHERE d.id = ANY(${speakers}::bigint[])`.execute(tx);
  const kept = new Map(rows.map(({ id, kept: count }) => [id, count]));
  const without: number[] = [];
  const fitting = messages.filter(({ speakerId }, index) => {
    const count = kept.get(speakerId) ?? mostKept;
    if (count >= mostKept) {
      without.push(index);
      return false;
    }
    kept.set(speakerId, count + 1);
    return true;
  });
  if (fitting.length > 0) {
    await tx
      .insertInto('doubted_message')
      .values(
        fitting.map(({ speakerId, receivedAt, topic, payload }) => ({
          speaker_id: speakerId,
          received_at: new Date(receivedAt),
          topic,
          payload: Buffer.from(payload),
        })),
      )
      .execute();
  }
  return without;
}

/** The oldest kept messages of a speaker. */
export async function keptOf(db: Db, speakerId: number, after: number, limit: number): Promise<KeptMessage[]> {
  const rows = await db
    .selectFrom('doubted_message')
    .selectAll()
    .where('speaker_id', '=', speakerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, speaker_id, received_at, topic, payload }) => ({
    id,
    speakerId: speaker_id,
    receivedAt: received_at.getTime(),
    topic,
    payload,
  }));
}

/** Messages that are in the history now, or refused. */
export async function releaseKept(tx: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .deleteFrom('doubted_message')
      .where('id', 'in', [...ids])
      .execute();
}

/** Speakers whose clock is not in doubt any more and whose messages still wait: their process ended meanwhile. */
export async function forgottenSpeakers(db: Db): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`SELECT DISTINCT m.speaker_id AS id FROM doubted_message m JOIN device_latest l ON l.device_id = m.speaker_id
    WHERE l.clock_doubt_ms IS NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/** Takes away what waited in vain since before that time: nobody will ever know when it was measured. */
export async function giveUpKept(db: Db, before: Date): Promise<{ topic: string }[]> {
  return await db.deleteFrom('doubted_message').where('received_at', '<', before).returning('topic').execute();
}

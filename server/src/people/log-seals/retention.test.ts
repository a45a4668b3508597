import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { parseHead, type NotedHead } from './chain.ts';
import { pruneLogs, retentionDays } from './retention.ts';
import { sealAll } from './sealer.ts';
import { sealedLogs } from './testing/sealed-log.ts';

const { db, pool, day, write, finding, behindTheBack, sealedLog } = await sealedLogs();

describe('retention', () => {
  test('is a year, and never less than 180 days', async () => {
    expect(await retentionDays(db)).toBe(365);
    for (const [value, days] of [
      ['{"days": 10}', 180],
      ['{"days": 400}', 400],
      ['"x"', 365],
    ] as const) {
      await db
        .insertInto('setting')
        .values({ name: 'logs.retention', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute();
      expect(await retentionDays(db)).toBe(days);
    }
    await db.deleteFrom('setting').execute();
  });

  test('leaves a sealed beginning, and only takes what is old from there on', async () => {
    const now = new Date();
    const old = new Date(now.getTime() - 400 * day);
    await sealedLog();
    await write(['old 1', 'old 2'], old);
    await sealAll(db);
    await behindTheBack((tx) =>
      tx.updateTable('operation_log').set({ at: old }).where('message', 'in', ['a', 'b', 'c']).execute(),
    );
    // Their times were changed behind the back; a chain made anew stands for a year of operation.
    await behindTheBack(async (tx) => {
      await tx.updateTable('operation_log').set({ seal: null, sealed_after: null }).execute();
      await sql`UPDATE log_chain SET head_id = start_id, head_seal = start_seal WHERE log = 'operation_log'`.execute(
        tx,
      );
    });
    const [{ head } = { head: '' }] = await sealAll(db);
    expect(await pruneLogs(db, now)).toEqual({ login_log: 0, operation_log: 3 });
    expect(
      (await db.selectFrom('operation_log').select('message').orderBy('id').execute()).map(({ message }) => message),
    ).toEqual(['d', 'e', 'f', 'g', 'old 1', 'old 2']);
    const noted = parseHead(head) as NotedHead;
    expect(await finding([noted])).toBeUndefined();
    const [first] = await db.selectFrom('operation_log').select('id').orderBy('id').limit(1).execute();
    await behindTheBack((tx) =>
      tx
        .deleteFrom('operation_log')
        .where('id', '=', first?.id ?? 0)
        .execute(),
    );
    expect(await finding([noted])).toMatchObject({ kind: 'missing', id: first?.id });
    expect(await finding([{ ...noted, id: 1 }])).toEqual({ kind: 'notedHeadPruned', id: 1 });
  });

  test('rows younger than 180 days stay whoever asks, and unsealed ones too', async () => {
    await sealedLog();
    await write(['old but not sealed'], new Date(Date.now() - 400 * day));
    const { rows } = await pool.query<{ count: number }>(
      `SELECT prune_log('operation_log', now() + interval '1 day', 1000) AS count`,
    );
    expect(rows[0]?.count).toBe(0);
    await expect(
      pool.query(`SELECT set_config('lampyris.pruning', 'operation_log', false); DELETE FROM operation_log`),
    ).rejects.toMatchObject({ code: '23001' });
    await pool.query(`SELECT set_config('lampyris.pruning', '', false)`);
  });
});

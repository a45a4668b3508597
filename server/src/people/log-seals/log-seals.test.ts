import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../platform/log.ts';
import { testClock } from '../../testing/clock.ts';
import { headText, parseHead, readRows, sealedColumns } from './chain.ts';
import { startLogSeals } from './log-seals.ts';
import { chained, sealAll } from './sealer.ts';
import { sealedLogs } from './testing/sealed-log.ts';

const { db, pool, operation, write, verdict, finding, behindTheBack, sealedLog } = await sealedLogs();

describe('an untouched log', () => {
  test('is as it was written; its head is in the table and told; unsealed rows are counted, not blamed', async () => {
    const { head } = await sealedLog();
    await write(['h']);
    const found = await verdict('operation_log', [head]);
    expect(found).toMatchObject({ rows: 7, unsealed: 1, finding: undefined, head: { id: head.id } });
    expect(found && headText('operation_log', found.head.id, found.head.seal)).toBe(
      `operation_log:${head.id}:${head.seal}`,
    );
    expect(await verdict('login_log')).toMatchObject({ rows: 0, finding: undefined });
  });

  test('both logs have chains of their own; every older head still fits', async () => {
    const { heads } = await sealedLog();
    await db
      .insertInto('login_log')
      .values({ username: 'admin', ip: '10.0.0.1', message: 'signedIn', status: 'success' })
      .execute();
    const sealed = await sealAll(db);
    expect(sealed.map(({ log, rows }) => [log, rows])).toEqual([['login_log', 1]]);
    expect(await finding(heads)).toBeUndefined();
    expect(await sealAll(db)).toEqual([]);
  });

  test('every column of both tables is sealed', async () => {
    for (const [log, columns] of Object.entries(sealedColumns)) {
      const { rows } = await pool.query<{ name: string }>(
        'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
        [log],
      );
      expect(new Set([...columns, 'seal'])).toEqual(new Set(rows.map(({ name }) => name)));
    }
  });

  test('more rows than one batch, and empty values, null and zero told apart', async () => {
    await sealedLog();
    await write(Array.from({ length: 1500 }, (_, index) => `many ${index}`));
    const [sealed] = await sealAll(db);
    expect(sealed?.rows).toBe(1500);
    expect(parseHead(sealed?.head ?? '')).toBeDefined();
    const [last] = await db
      .insertInto('operation_log')
      .values({ ...operation('x'), params: null, account_id: null })
      .returning('id')
      .execute();
    await sealAll(db);
    expect(await verdict()).toMatchObject({ rows: 1508, finding: undefined });
    await behindTheBack((tx) =>
      tx
        .updateTable('operation_log')
        .set({ params: '' })
        .where('id', '=', last?.id ?? 0)
        .execute(),
    );
    expect(await finding()).toEqual({ kind: 'changed', id: last?.id });
  });
});

describe('the verifier names', () => {
  test.each([
    ['a word', { message: 'x' }],
    ['a time by a microsecond', { at: sql<Date>`at + interval '1 microsecond'` }],
    ['who', { account_id: 2 }],
    ['nobody', { account_id: null }],
    ['the seal', { seal: Buffer.alloc(32) }],
    ['the count', { times: 2 }],
    ['what it follows', { sealed_after: null }],
    ['no time at all', { at: sql<Date>`'infinity'` }],
  ])('a row edited: %s', async (_what, change) => {
    const { ids } = await sealedLog();
    await behindTheBack((tx) =>
      tx
        .updateTable('operation_log')
        .set(change)
        .where('id', '=', ids[3] ?? 0)
        .execute(),
    );
    expect(await finding()).toEqual({ kind: 'changed', id: ids[3] });
  });

  test('the first and the last row edited', async () => {
    for (const which of [0, 6]) {
      const { ids } = await sealedLog();
      await behindTheBack((tx) =>
        tx
          .updateTable('operation_log')
          .set({ username: 'x' })
          .where('id', '=', ids[which] ?? 0)
          .execute(),
      );
      expect(await finding()).toEqual({ kind: 'changed', id: ids[which] });
    }
  });

  test('middle rows deleted, one or several, and the first', async () => {
    for (const [from, to] of [
      [3, 3],
      [2, 4],
      [0, 0],
    ] as const) {
      const { ids } = await sealedLog();
      await behindTheBack((tx) =>
        tx
          .deleteFrom('operation_log')
          .where('id', '>=', ids[from] ?? 0)
          .where('id', '<=', ids[to] ?? 0)
          .execute(),
      );
      expect(await finding()).toEqual({ kind: 'missing', id: ids[to], after: ids[from - 1] ?? 0 });
    }
  });

  test('the last rows deleted, and all', async () => {
    for (const first of [5, 0]) {
      const { ids } = await sealedLog();
      await behindTheBack((tx) =>
        tx
          .deleteFrom('operation_log')
          .where('id', '>=', ids[first] ?? 0)
          .execute(),
      );
      expect(await finding()).toEqual({ kind: 'missing', id: ids[6], after: ids[first - 1] ?? 0 });
    }
  });

  test('the last rows deleted and the record of the head put back: only a noted head tells', async () => {
    const { ids, head } = await sealedLog();
    await behindTheBack(async (tx) => {
      await tx
        .deleteFrom('operation_log')
        .where('id', '>', ids[4] ?? 0)
        .execute();
      await sql`UPDATE log_chain
        SET head_id = ${ids[4]}, head_seal = (SELECT seal FROM operation_log WHERE id = ${ids[4]})
        WHERE log = 'operation_log'`.execute(tx);
    });
    expect(await finding()).toBeUndefined();
    expect(await finding([head])).toEqual({ kind: 'notTheNotedHead', id: head.id });
  });

  test('an end that was written anew, seals and record with it: only a noted head tells', async () => {
    const { ids, head } = await sealedLog();
    await behindTheBack(async (tx) => {
      await tx
        .updateTable('operation_log')
        .set({ seal: null, sealed_after: null, username: 'somebody' })
        .where('id', '>', ids[4] ?? 0)
        .execute();
      await sql`UPDATE log_chain
        SET head_id = ${ids[4]}, head_seal = (SELECT seal FROM operation_log WHERE id = ${ids[4]})
        WHERE log = 'operation_log'`.execute(tx);
    });
    await sealAll(db);
    expect(await finding()).toBeUndefined();
    expect(await finding([head])).toEqual({ kind: 'notTheNotedHead', id: head.id });
  });

  test('a row inserted: between, before, and with an id nobody gave out', async () => {
    for (const place of ['between', 'before', 'beyond'] as const) {
      const { ids } = await sealedLog();
      // A gap such as a change that was taken back leaves.
      const id = place === 'between' ? (ids[3] ?? 0) : place === 'before' ? 0 : 9_000_000;
      if (place === 'between')
        await behindTheBack((tx) => sql`UPDATE operation_log SET id = id + 1000000 WHERE id > ${ids[2]}`.execute(tx));
      await behindTheBack((tx) =>
        tx
          .insertInto('operation_log')
          .values({ ...operation('never'), id })
          .execute(),
      );
      expect(await finding()).toEqual({ kind: 'inserted', id });
    }
  });

  test('a row inserted with a seal that fits: the row after it tells', async () => {
    await sealedLog();
    const gap = await pool.query<{ id: number }>(`SELECT nextval('operation_log_id_seq') AS id`);
    const inserted = gap.rows[0]?.id ?? 0;
    await write(['after the gap']);
    await sealAll(db);
    const before = await db
      .selectFrom('operation_log')
      .select(['id', 'seal'])
      .where('id', '<', inserted)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await behindTheBack((tx) =>
      tx
        .insertInto('operation_log')
        .values({ ...operation('forged'), id: inserted })
        .execute(),
    );
    const [row] = await readRows(db, 'operation_log', { after: inserted - 1, most: 1 });
    const [sealed] = row && before.seal ? chained('operation_log', { id: before.id, seal: before.seal }, [row]) : [];
    await behindTheBack((tx) =>
      tx
        .updateTable('operation_log')
        .set({ seal: sealed?.seal ?? null, sealed_after: sealed?.after ?? null })
        .where('id', '=', inserted)
        .execute(),
    );
    expect(await finding()).toEqual({ kind: 'inserted', id: inserted });
  });

  test('a log whose record is gone', async () => {
    await sealedLog();
    await behindTheBack((tx) => tx.deleteFrom('log_chain').where('log', '=', 'operation_log').execute());
    expect(await finding()).toEqual({ kind: 'noChain', id: 0 });
    await db
      .insertInto('log_chain')
      .values({ log: 'operation_log', start_seal: Buffer.alloc(32), head_seal: Buffer.alloc(32) })
      .execute();
  });
});

test('the job seals within 10 s and says each new head in the structured log', async () => {
  await sealedLog();
  const clock = testClock();
  const lines: { log: string; head: string }[] = [];
  const stop = startLogSeals({
    db,
    clock,
    log: { info: (line: { log: string; head: string }) => lines.push(line) } as unknown as Log,
  });
  const [row] = await write(['soon']);
  await clock.advance(10_000);
  stop();
  expect(lines.map(({ log, head }) => [log, parseHead(head)?.id])).toEqual([['operation_log', row?.id]]);
  expect(await finding(lines.flatMap(({ head }) => parseHead(head) ?? []))).toBeUndefined();
});

describe('rows that commit out of order', () => {
  test('nothing above an open change is sealed; afterwards everything is, in id order', async () => {
    const { ids } = await sealedLog();
    const slow = await pool.connect();
    await slow.query('BEGIN');
    await slow.query(
      `INSERT INTO operation_log (username, uri, ip, message, status) VALUES ('slow', '-', '-', 'slow', 200)`,
    );
    await write(['quick']);
    expect(await sealAll(db, 100)).toEqual([]);
    const waiting = sealAll(db);
    await slow.query('COMMIT');
    slow.release();
    expect((await waiting).map(({ rows }) => rows)).toEqual([2]);
    const rows = await db
      .selectFrom('operation_log')
      .select(['message', 'sealed_after'])
      .where('id', '>', ids[6] ?? 0)
      .orderBy('id')
      .execute();
    expect(rows.map(({ message }) => message)).toEqual(['slow', 'quick']);
    expect(await finding()).toBeUndefined();
  });

  test('several sealers, and writers that take some of their rows back: one chain', async () => {
    await sealedLog();
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let round = 0; round < 12; round += 1) {
        await db
          .transaction()
          .execute(async (tx) => {
            await tx
              .insertInto('operation_log')
              .values(operation(`${writer}.${round}`))
              .execute();
            if (round % 3 === 0) throw new Error('taken back');
          })
          .catch(() => undefined);
      }
    });
    const sealing = Array.from({ length: 3 }, async () => {
      for (let round = 0; round < 6; round += 1) await sealAll(db);
    });
    await Promise.all([...writing, ...sealing]);
    await sealAll(db);
    expect(await verdict()).toMatchObject({ rows: 7 + 32, unsealed: 0, finding: undefined });
  });
});

describe('the program changes no row', () => {
  test.each([
    ['a column', `UPDATE operation_log SET username = 'x'`],
    ['a seal again', `UPDATE operation_log SET seal = NULL`],
    ['a seal and a column', `UPDATE operation_log SET seal = '\\x00', sealed_after = 0, status = 1`],
    ['rows taken away', `DELETE FROM operation_log`],
    ['all of them', `TRUNCATE operation_log`],
    [
      'a row with a seal',
      `INSERT INTO operation_log (username, uri, ip, message, status, seal) VALUES ('a', 'a', 'a', 'a', 1, '\\x00')`,
    ],
    ['the other log', `UPDATE login_log SET username = 'x'`],
  ])('%s', async (_what, statement) => {
    await sealedLog();
    await write(['unsealed']);
    await db
      .insertInto('login_log')
      .values({ username: 'a', ip: '-', message: 'signedIn', status: 'success' })
      .execute();
    await expect(pool.query(statement)).rejects.toMatchObject({ code: '23001' });
  });
});

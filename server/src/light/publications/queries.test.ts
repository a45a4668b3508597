import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Transaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { queryPlans } from '../../testing/query-plans.ts';
import { findReadings, writeLooks, writeReported, type Look } from './proving.store.ts';
import { release, stillLeft } from './publications.store.ts';
import { findTurns } from './telling.store.ts';

const database = await testDatabase();
const { db } = database;
const plans = queryPlans(database);
const at = new Date('2026-11-23T23:12:00+08:00');
const [waits, pends, proves] = [1, 2, 3];
/** Few in each page, which has room for them whatever is in their rows. */
const ids = Array.from({ length: 100 }, (_none, index) => (index + 1) * 20);

/** Three open publications of 2,000 lamps each, which stand for 100,000: one waits, one begins, one is being proven. */
beforeAll(async () => {
  for (const statement of [
    sql`INSERT INTO work_area (id, work_code, work_name, latitude, longitude) VALUES (1, 'A', 'A', 30.25, 120.2)`,
    sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`,
    sql`INSERT INTO device (id, family, work_area_id, equipment_code)
      SELECT n, 'single-lamp-controller', 1, 'L' || n FROM generate_series(1, 6000) n`,
    sql`INSERT INTO plan_report (device_id, plan_hash, reported_at) SELECT id, 'h', ${at} FROM device`,
    sql`INSERT INTO scheme (id, code, name) VALUES (1, 'S', 'S')`,
    sql`INSERT INTO scheme_version (id, scheme_id, number, content, content_hash, created_by, created_at)
      VALUES (1, 1, 1, '{}', 'h', 'x', now())`,
    sql`INSERT INTO publication (id, scheme_version_id, scope, effective_from, phase, phase_since, criteria,
        auto_revert, go_on, findings, total, actor_id, actor_name, created_at)
      SELECT n, 1, '{}', '2026-11-01', 'proving', now(), '{}', true, false, '[]', 2000, 1, 'x', now()
      FROM generate_series(1, 3) n`,
    sql`INSERT INTO publication_item (publication_id, device_id, state, open, told_at, plan_hash)
      SELECT ${proves}, n, 'told', true, ${at}::timestamptz - interval '2 hours', 'h' FROM generate_series(1, 2000) n`,
    sql`INSERT INTO publication_item (publication_id, device_id, canary, state, open)
      SELECT ${waits}, 2000 + n, n <= 5, 'waiting', true FROM generate_series(1, 2000) n`,
    sql`INSERT INTO publication_item (publication_id, device_id, state, open)
      SELECT ${pends}, 4000 + n, 'pending', true FROM generate_series(1, 2000) n`,
  ])
    await statement.execute(db);
  await plans.multiply(['device', 'publication', 'publication_item', 'publication_watch', 'plan_report'], 50);
});

it('what every turn asks of an open publication finds lamps that wait, and lamps whose turn has come, at once', async () => {
  const asked = (id: number) =>
    plans.indexesOf('publication_item', (listening) =>
      listening.transaction().execute(async (tx) => {
        await stillLeft(tx, id);
        await findTurns(tx, id, { after: 0, limit: 500 });
      }),
    );
  for (const id of [proves, waits])
    expect((await asked(id)).toSorted()).toEqual(['publication_item_turn', 'publication_item_waiting']);
  const released = await plans.indexesOf('publication_item', (listening) =>
    listening.transaction().execute((tx) => release(tx, pends, 'canary')),
  );
  expect(released).toEqual(['publication_item_waiting']);
  await db.transaction().execute(async (tx) => {
    expect(await stillLeft(tx, waits)).toEqual({ pending: false, waiting: true, watched: false });
    expect(await stillLeft(tx, pends)).toEqual({ pending: true, waiting: false, watched: false });
    expect(await stillLeft(tx, proves)).toEqual({ pending: false, waiting: false, watched: false });
    await release(tx, waits, 'canary');
    expect(await stillLeft(tx, waits)).toEqual({ pending: true, waiting: true, watched: false });
    expect(await findTurns(tx, waits, { after: 0, limit: 500 })).toHaveLength(5);
  });
});

it('a report and a proof are written in their place', async () => {
  const proof = {
    ...{ stepAt: at.toISOString(), expected: 60, observed: 60, readingAt: at.toISOString(), misses: 0 },
    seenAt: at.toISOString(),
  };
  const looks = ids.map((deviceId): Look => {
    return { publicationId: proves, deviceId, state: 'proven', proof, reason: null, lookAt: null };
  });
  const counted = async (tx: Transaction) => {
    const { rows } = await sql<{ all: number; inPlace: number }>`SELECT n_tup_upd::int AS all,
      n_tup_hot_upd::int AS "inPlace" FROM pg_stat_xact_user_tables WHERE relname = 'publication_item'`.execute(tx);
    return rows[0] ?? expect.fail('a row');
  };
  /** Rows of items that some work changes, and those of them that it changes in their page. */
  const written = (work: (tx: Transaction) => Promise<unknown>) =>
    db.transaction().execute(async (tx) => {
      // What this connection did before may not be reported yet.
      const before = await counted(tx);
      await work(tx);
      const { all, inPlace } = await counted(tx);
      return { all: all - before.all, inPlace: inPlace - before.inPlace };
    });
  expect(await written((tx) => writeReported(tx, ids, at))).toEqual({ all: 100, inPlace: 100 });
  expect(await written((tx) => writeLooks(tx, looks, at))).toEqual({ all: 100, inPlace: 100 });
});

it('readings are those within the time of their own lamp', async () => {
  const hourMs = 3_600_000;
  const [one, other] = [at.getTime(), at.getTime() + hourMs];
  for (const deviceId of [7, 8])
    for (const time of [one, other])
      await sql`INSERT INTO reading (at, device_id, received_at, values)
        VALUES (${new Date(time)}, ${deviceId}, now(), '{"level": 60}')`.execute(db);
  const found = await findReadings(db, [
    { deviceId: 7, from: one - 60_000, to: one },
    { deviceId: 8, from: other, to: other + 60_000 },
  ]);
  expect(found.map(({ deviceId, at: time }) => [deviceId, time.getTime()])).toEqual([
    [7, one],
    [8, other],
  ]);
});

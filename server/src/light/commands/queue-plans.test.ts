import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { limitBounds, type CommandLimitName } from '../../../../contract/light/command-settings.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { claimUnanswered, markRepeated } from './again.store.ts';
import { takePrecedence } from './giving.store.ts';
import { forgetHands, letGo } from './hands.store.ts';
import { claim, endClaimed, holdClaimed, markSent, moveOn, nextFree, timeOut } from './queue.store.ts';
import type { CommandLimits } from './settings.ts';

const { db, pool } = await testDatabase();
const asked: CompiledQuery[] = [];
const listening: Db = new Kysely({
  dialect: new PostgresDialect({ pool }),
  log: ({ query }) => {
    asked.push(query);
  },
});
const limits = Object.fromEntries(
  Object.entries(limitBounds).map(([name, { fallback }]) => [name, fallback]),
) as Record<CommandLimitName, number> satisfies CommandLimits;

async function givenLamps(): Promise<void> {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (1, 'A1', 'A1') ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO device (family, work_area_id, equipment_code) SELECT 'single-lamp-controller', 1, 'L' || n
    FROM generate_series(1, 1000) n`.execute(db);
  await sql`INSERT INTO command (command, actor_name) SELECT 'on', 'x' FROM generate_series(1, 20)`.execute(db);
}
const queuedFor = (
  commandId: number,
) => sql`INSERT INTO command_item (command_id, device_id, state, lane, expires_at, until)
  SELECT ${commandId}, id, 'queued', 1, now() + interval '1 minute', now() + interval '1 hour' FROM device
    ON CONFLICT (command_id, device_id) DO UPDATE SET state = 'queued'`;

interface Node {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Node[];
}
/** How many rows a plan looked at, all its steps together. */
const looks = (node: Node): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, part) => sum + looks(part), 0);

/** What the work asks is asked again, with what it costs: at most so many looks for each of the thousand lamps. */
async function expectFewLooks(work: (tx: Transaction) => Promise<unknown>, most = 60): Promise<string> {
  const plans: object[] = [];
  asked.length = 0;
  await expect(
    listening.transaction().execute(async (tx) => {
      await work(tx);
      throw new Error('taken back');
    }),
  ).rejects.toThrow('taken back');
  const asking = asked.filter((query) => query.sql.includes('UPDATE command_item'));
  expect(asking.length).toBeGreaterThan(0);
  for (const one of asking) {
    const {
      rows: [told],
    } = await pool.query<{ 'QUERY PLAN': { Plan: Node }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${one.sql}`, [
      ...one.parameters,
    ]);
    const [plan] = told?.['QUERY PLAN'] ?? [];
    plans.push(plan ?? {});
    expect(plan ? looks(plan.Plan) : Number.NaN, one.sql).toBeLessThan(most * 1000);
  }
  return JSON.stringify(plans);
}

it('a claim and a new command find their items lamp by lamp, without statistics and whatever those of a quiet night say', async () => {
  await givenLamps();
  await queuedFor(20).execute(db);
  await expectFewLooks((tx) => claim(tx, new Date(), limits));
  await sql`INSERT INTO command_item (command_id, device_id, state, lane, expires_at, until)
    SELECT c.id, d.id, 'confirmed', 1, now(), now() + interval '1 hour' FROM command c, device d
    WHERE c.id <= 18`.execute(db);
  await sql`UPDATE command_item SET state = 'confirmed'`.execute(db);
  await sql`ANALYZE`.execute(db);
  await queuedFor(19).execute(db);
  await queuedFor(20).execute(db);
  // The queue is read from its head: no other index is looked through and put in order for it.
  expect(await expectFewLooks((tx) => claim(tx, new Date(), limits))).not.toMatch(
    /command_item_(?:unsent|open|unproved)/,
  );
  await expectFewLooks((tx) => takePrecedence(tx, { id: 20, lane: 1, isRead: false, now: new Date() }));
  // What was sent is found by its key, however quick it is to look through all there is.
  const items = Array.from({ length: 1000 }, (_none, index) => ({ commandId: 20, deviceId: index + 1 }));
  await expectFewLooks((tx) => markSent(tx, items, new Date(), new Date()), 14);
  await sql`DELETE FROM command`.execute(db);
});

it('what the dispatcher asks all the time finds its items by an index, among a million that have ended', async () => {
  await sql`INSERT INTO command (id, command, actor_name) SELECT n, 'on', 'x' FROM generate_series(1, 20) n`.execute(
    db,
  );
  await sql`INSERT INTO command_item (command_id, device_id, state, lane, expires_at, sent_at, tries, ended_at)
    SELECT c.id, d.id, CASE WHEN c.id < 20 THEN 'confirmed' WHEN d.id % 2 = 0 THEN 'queued'
      ELSE 'sent' END, 1, now() + interval '1 minute', now(), 1, CASE WHEN c.id < 20 THEN now() END
      FROM command c, device d`.execute(db);
  await sql`ANALYZE`.execute(db);
  // What is there stands for fifty times as much: the planner believes the table's own statistics.
  await sql`SELECT pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', r.relname::text,
    'relpages', r.relpages, 'reltuples', (r.reltuples * 50)::real)
    FROM pg_class r
      WHERE r.oid IN (SELECT 'command_item'::regclass UNION SELECT indexrelid FROM pg_index
      WHERE indrelid = 'command_item'::regclass UNION VALUES ('device'::regclass))`.execute(db);
  const {
    rows: [whole],
  } = await pool.query<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }>(
    'EXPLAIN (FORMAT JSON) SELECT FROM command_item',
  );
  expect(whole?.['QUERY PLAN'][0]?.Plan['Plan Rows']).toBeGreaterThan(900_000);
  const { rows: items } = await sql<{
    commandId: number;
    deviceId: number;
  }>`SELECT command_id AS "commandId", device_id AS "deviceId" FROM command_item WHERE command_id = 20`.execute(db);
  const now = new Date();
  asked.length = 0;
  await claim(listening, now, limits);
  await nextFree(listening, now);
  await moveOn(listening, [1]);
  await markSent(listening, items, now, now);
  await claimUnanswered(listening, now, limits);
  await markRepeated(listening, items);
  await letGo(listening, items, now, true);
  await endClaimed(listening, items, now, { state: 'cancelled', error: null });
  await holdClaimed(listening, items, now);
  await timeOut(listening, now, limits);
  await forgetHands(listening, now);
  await listening.transaction().execute((tx) => takePrecedence(tx, { id: 20, lane: 1, isRead: false, now }));
  const bad: string[] = [];
  for (const one of asked.filter((query) => query.sql.includes('command_item'))) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${one.sql}`, [...one.parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // Also not all items of a command, nor the whole queue, where one item is meant.
    if (/Seq Scan on (?:command_item|device)\b/.test(plan)) bad.push(`${one.sql}\n${plan}`);
  }
  expect([asked.length > 12, bad]).toEqual([true, []]);
});

it.each(['enable_nestloop', 'enable_hashjoin', 'enable_mergejoin'])(
  'what is taken at once goes in its order, whatever plan the database chooses: without %s',
  async (way) => {
    await sql`UPDATE command_item SET state = 'confirmed'`.execute(db);
    // Later devices waited longer, or were told less often.
    await sql`UPDATE command_item SET state = 'queued', sent_at = NULL, claimed_at = NULL, tries = 0,
      expires_at = now() + interval '1 minute', queued_at = now() - make_interval(secs => device_id)
      WHERE command_id = 20`.execute(db);
    const taken = async (
      work: (tx: Transaction) => Promise<readonly { readonly deviceId: number; readonly turn: number }[]>,
    ) => {
      const rows = await db.transaction().execute(async (tx) => {
        await sql`SELECT set_config(${way}, 'off', true)`.execute(tx);
        return work(tx);
      });
      const turns = rows.map(({ turn }) => Number(turn));
      expect([rows.length, turns]).toEqual([1000, turns.toSorted((a, b) => a - b)]);
      return rows.map(({ deviceId }) => deviceId);
    };
    const ids = (await sql<{ id: number }>`SELECT id FROM device ORDER BY id DESC`.execute(db)).rows.map(
      ({ id }) => id,
    );
    expect(await taken((tx) => claim(tx, new Date(), limits))).toEqual(ids);
    await sql`UPDATE command_item
      SET state = 'sent', sent_at = now() - interval '20 s' - make_interval(secs => device_id / 1000.0),
      claimed_at = NULL, tries = 1 WHERE command_id = 20`.execute(db);
    expect(await taken((tx) => claimUnanswered(tx, new Date(), limits))).toEqual(ids);
  },
);

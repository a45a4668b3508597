import { Kysely, PostgresDialect, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createJobs } from '../../platform/jobs.ts';
import { createHeartbeat } from './index.ts';
import { loadTroubled } from './troubled.store.ts';
import { healthOffice } from './testing/health.ts';

const { health, db, clock, log, database, page, subjectOf, good, given } = await healthOffice();

describe('the page', () => {
  test('of a good system: every subject well, its numbers, its processes, what was refused with an example', async () => {
    await given('me', good());
    const told = await page();
    expect(told.state).toBe('well');
    expect(told.subjects.map(({ state }) => state)).toEqual(told.subjects.map(() => 'well'));
    expect(subjectOf(told, 'ingestion')?.figures).toMatchObject({ messages: 100, readings: 90, refused: 1 });
    expect(told.processes).toMatchObject([
      { id: 'me', own: true, lost: false, cpuPercent: 12.5, leases: ['judging'], liveReaders: 2 },
    ]);
    expect(told.refused).toMatchObject([
      {
        where: 'ingestion',
        reason: 'notJson',
        count: 4,
        lastMinute: 1,
        example: { topic: 'lampyris/v1/devices/9/readings', detail: 'no JSON' },
      },
      { where: 'broker', reason: 'badCredentials', count: 2, lastMinute: 0, example: null },
    ]);
    expect(told.sizes.length).toBeGreaterThan(2);
  });

  test('names a broker that keeps no messages, or takes none as large as settings may be', async () => {
    await given('me', { ...good(), broker: { ...good().broker, kind: 'external', keeps: false, packetBytes: 2000 } });
    expect(subjectOf(await page(), 'broker')).toMatchObject({
      state: 'degraded',
      findings: [
        { code: 'brokerKeepsNothing', values: {} },
        { code: 'brokerPacketsSmall', values: { bytes: 2000, needed: 16_384 } },
      ],
    });
    await given('me', { ...good(), broker: { ...good().broker, keeps: true, packetBytes: 16_384 } });
    expect(subjectOf(await page(), 'broker')).toMatchObject({ state: 'well', findings: [] });
  });

  test('tells since when a subject is as it is, whatever is asked meanwhile, and what changed', async () => {
    await given('me', good());
    const first = await page();
    await given('me', { ...good(), broker: { ...good().broker, problem: 'the broker at 10.0.0.9 cannot be reached' } });
    const broken = await page();
    expect(subjectOf(broken, 'broker')).toMatchObject({
      state: 'failing',
      findings: [
        { code: 'brokerDown', values: { name: 'me:8080', reason: 'the broker at 10.0.0.9 cannot be reached' } },
      ],
    });
    expect(broken.state).toBe('failing');
    const again = await page();
    expect(subjectOf(again, 'broker')?.since).toBe(subjectOf(broken, 'broker')?.since);
    expect(subjectOf(again, 'database')?.since).toBe(subjectOf(first, 'database')?.since);
    expect(again.changes[0]).toMatchObject({ subject: 'broker', state: 'failing' });
    expect(again.changes).toHaveLength(first.changes.length + 1);
  });

  test('of two processes: one that was killed is told as lost and its numbers no longer count; versions that differ are told', async () => {
    await given('me', good());
    await given('other', good(), { seconds: 40 });
    const told = await page();
    expect(subjectOf(told, 'processes')).toMatchObject({
      state: 'degraded',
      figures: { running: 1, lost: 1 },
      findings: [{ code: 'processLost', values: { name: 'other:8080' } }],
    });
    expect(subjectOf(told, 'ingestion')?.figures['messages']).toBe(100);
    expect(told.processes.find(({ id }) => id === 'other')).toMatchObject({ lost: true, leases: [] });
    await given('other', good(), { version: '0.2.0' });
    expect(subjectOf(await page(), 'processes')?.findings).toMatchObject([
      { code: 'versionsDiffer', values: { versions: '0.1.0, 0.2.0' } },
    ]);
  });

  test('without a process that tells of itself nothing is called well', async () => {
    expect((await page()).state).toBe('unknown');
  });

  test('of two processes at a broker of the site: its clients are counted once', async () => {
    const outside = { ...good(), broker: { ...good().broker, kind: 'external', connections: 40 } };
    await given('me', outside);
    await given('other', outside);
    expect(subjectOf(await page(), 'broker')?.figures).toMatchObject({ kind: 'external', connections: 40 });
  });

  test('a history that is hours behind, and hours that wait because of late readings', async () => {
    await given('me', good());
    await sql`UPDATE rollup_state SET rolled_to = clock_timestamp() - interval '3 hours'`.execute(db);
    // It has just begun to catch up.
    expect(subjectOf(await page(), 'history')).toMatchObject({ state: 'well', findings: [] });
    await sql`UPDATE server_process SET started_at = started_at - interval '1 hour'`.execute(db);
    await sql`INSERT INTO rollup_late (device_id, at) SELECT 1, clock_timestamp() FROM generate_series(1, 3)`.execute(
      db,
    );
    expect(subjectOf(await page(), 'history')).toMatchObject({
      state: 'degraded',
      figures: { due: 3 },
      findings: [{ code: 'rollupsBehind' }],
    });
    await sql`UPDATE rollup_state SET rolled_to = clock_timestamp() - interval '50 minutes'`.execute(db);
    expect(subjectOf(await page(), 'history')).toMatchObject({ state: 'well', figures: { behindSeconds: 0 } });
  });

  test('commands that wait too long, with their number', async () => {
    await given('me', good());
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (1, 'A', 'A') ON CONFLICT DO NOTHING`.execute(db);
    const {
      rows: [device],
    } = await sql<{
      id: number;
    }>`INSERT INTO device (family, work_area_id, equipment_code) VALUES ('single-lamp-controller', 1, 'H-1')
      RETURNING id`.execute(db);
    const {
      rows: [command],
    } = await sql<{ id: number }>`INSERT INTO command (command, actor_name) VALUES ('on', 'test') RETURNING id`.execute(
      db,
    );
    await sql`INSERT INTO command_item (command_id, device_id, expires_at, queued_at)
      VALUES (${command?.id}, ${device?.id}, now() + interval '1 hour', now() - interval '50 seconds')`.execute(db);
    expect(subjectOf(await page(), 'commands')).toMatchObject({
      state: 'degraded',
      findings: [{ code: 'commandsQueued', values: { count: 1, limit: 30 } }],
    });
  });

  test('devices whose clock is wrong, by name and id, the worst first', async () => {
    await given('me', good());
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (1, 'A', 'A') ON CONFLICT DO NOTHING`.execute(db);
    await sql`WITH made AS (INSERT INTO device (family, work_area_id, equipment_code, equipment_name)
      VALUES ('single-lamp-controller', 1, 'W-1', '左'), ('single-lamp-controller', 1, 'W-2', NULL),
      ('single-lamp-controller', 1, 'W-3', '右') RETURNING id, equipment_code)
      INSERT INTO device_latest (device_id, clock_offset_ms, clock_wrong_since)
        SELECT id, CASE equipment_code WHEN 'W-3' THEN 59000 WHEN 'W-2' THEN -90000
        ELSE 61000 END, CASE WHEN equipment_code <> 'W-3' THEN now() END FROM made`.execute(db);
    const { rows: ids } = await sql<{
      id: number;
    }>`SELECT id FROM device WHERE equipment_code IN ('W-1', 'W-2') ORDER BY equipment_code`.execute(db);
    // What costs more to find out is at most a minute old.
    clock.set(new Date(clock.now().getTime() + 60_000));
    expect(subjectOf(await page(), 'ingestion')).toMatchObject({
      state: 'degraded',
      figures: { clocksWrong: 2 },
      findings: [
        {
          code: 'clocksWrong',
          values: { count: 2 },
          devices: [
            { id: ids[1]?.id, name: 'W-2' },
            { id: ids[0]?.id, family: 'single-lamp-controller', name: 'W-1 左' },
          ],
        },
      ],
    });
  });

  test('these are found by their index, whether the database has counted its rows or not', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (1, 'A', 'A') ON CONFLICT DO NOTHING`.execute(db);
    await sql`WITH made AS (INSERT INTO device (family, work_area_id, equipment_code)
      SELECT 'single-lamp-controller', 1, 'P-' || n FROM generate_series(1, 3000) n RETURNING id, equipment_code)
      INSERT INTO device_latest (device_id, clock_offset_ms, clock_wrong_since)
        SELECT id, CASE equipment_code WHEN 'P-7' THEN 61000 ELSE 250 END, CASE equipment_code WHEN 'P-7' THEN now() END
        FROM made`.execute(db);
    const asked: { sql: string; parameters: readonly unknown[] }[] = [];
    await loadTroubled(
      new Kysely({
        dialect: new PostgresDialect({ pool: database.pool }),
        log: ({ query }) => {
          asked.push(query);
        },
      }),
      [],
    );
    const asking = asked.filter((query) => query.sql.includes('device_latest'));
    expect(asking).toHaveLength(1);
    for (const counted of [false, true]) {
      if (counted) await sql`ANALYZE device, device_latest`.execute(db);
      for (const one of asking) {
        const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) ${one.sql}`, [
          ...one.parameters,
        ]);
        expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/device_latest_clock_wrong/);
      }
    }
    await sql`DELETE FROM device WHERE equipment_code LIKE 'P-%'`.execute(db);
  });
});

test('a process tells of itself by the clock, follows the one that was there before it, and leaves nothing when it stops', async () => {
  await given('before', good(), { seconds: 300 });
  await sql`UPDATE server_process SET name = 'here:1', started_at = started_at - interval '1 day'`.execute(db);
  const jobs = createJobs(clock);
  let messages = 0;
  const heartbeat = createHeartbeat({
    db,
    clock,
    log,
    pool: database.pool,
    usage: database.usage,
    jobs,
    leases: () => ['judging'],
    live: () => ({ readers: 3, dropped: 0 }),
    longestCommitMs: () => 7,
    longestDelayMs: () => 9,
    folders: { data: import.meta.dirname },
    certificate: null,
    broker: {
      kind: 'embedded',
      problem: () => null,
      limits: () => ({ keeps: true, packetBytes: Number.POSITIVE_INFINITY }),
      stats: () => ({ connections: 5, received: 0, acknowledged: 0, published: 0, refused: {} }),
    },
    ingest: () => ({ messages, readings: messages, waiting: 0, refused: {} }),
    identity: { id: 'me', name: 'here:1', pid: 1, version: '1', startedAt: clock.now() },
  });
  const stop = await heartbeat.start();
  messages = 50;
  await clock.advance(10_000);
  const told = await page();
  expect(told.processes).toMatchObject([{ id: 'me', liveReaders: 3, leases: ['judging'], eventLoopMs: 9 }]);
  expect(subjectOf(told, 'ingestion')?.figures).toMatchObject({ messages: 50, commitMs: 7 });
  expect(subjectOf(told, 'storage')?.figures['freeBytes']).toBeGreaterThan(0);
  await stop();
  expect(await db.selectFrom('server_process').select('id').execute()).toEqual([]);
});

test('a few figures are kept every minute', async () => {
  await given('me', good());
  const stop = health.start();
  await clock.advance(60_000);
  await clock.advance(60_000);
  stop();
  // By the database's own minutes: the next one may begin in between.
  expect((await page()).samples[0]).toMatchObject({ readings: 90, cpuPercent: 12.5, readers: 2, connections: 40 });
});

import { sql } from 'kysely';
import { beforeAll } from 'vitest';
import type { Clock } from '../../../platform/clock.ts';
import { testDatabase } from '../../../testing/database.ts';
import { createHome, createLoadSums, holdOf } from '../../../light/home/index.ts';
import { createLamps, defaultThresholds } from '../../../light/lamps/index.ts';
import { createJudging } from '../index.ts';

/** An evening with two controllers and their lamps, judged once. Call it at the top of a test file. */
export async function judgedEvening() {
  // 2026-11-21, Hangzhou: sunset 17:00 +08:00. One hour after it.
  const sunset = Date.parse('2026-11-21T08:59:00Z');
  let now = sunset + 60 * 60_000;
  const minute = 60_000;
  const clock: Clock = { now: () => new Date(now), every: () => () => undefined, after: () => () => undefined };
  const all = sql<boolean>`true`;
  const periods = { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 };

  const database = await testDatabase();
  const { db } = database;
  const announced: number[] = [];
  const judging = createJudging({
    db,
    clock,
    thresholds: defaultThresholds,
    periods,
    announce: (ids) => announced.push(...ids),
    onError: (thrown) => {
      throw thrown;
    },
  });
  const lamps = createLamps({ db, clock, periods });
  const home = createHome({ db, clock, thresholds: defaultThresholds, periods });
  const loads = createLoadSums({ db, clock, hold: holdOf(periods) });
  const admin = { accountId: 1, workAreas: 'all', workAreaId: null } as const;

  /** Time goes by while somebody listens. */
  async function pass(milliseconds: number): Promise<void> {
    now += milliseconds;
    await sql`INSERT INTO connection_watch (seen_at, counts_from) VALUES (${new Date(now)}, ${new Date(0)})
    ON CONFLICT (single) DO UPDATE SET seen_at = excluded.seen_at`.execute(db);
  }

  async function device(family: string, code: string, parent: number | null = null): Promise<number> {
    const { rows } = await sql<{ id: number }>`
    INSERT INTO device (family, work_area_id, equipment_code, equipment_name, road_id, parent_id, longitude, latitude,
      rated_watts, created_at)
    VALUES (${family}, 1, ${code}, ${code}, 1, ${parent}, 120.2, 30.25, 100, ${new Date(now - 86_400_000)})
      RETURNING id`.execute(db);
    return rows[0]?.id ?? 0;
  }

  async function reading(id: number, minutesAgo: number, values: Record<string, number | boolean>): Promise<void> {
    const at = new Date(now - minutesAgo * minute);
    await sql`INSERT INTO reading (at, device_id, received_at, values)
    VALUES (${at}, ${id}, ${at}, ${JSON.stringify(values)}::jsonb)`.execute(db);
    await sql`INSERT INTO device_latest (device_id, at, received_at, values)
    VALUES (${id}, ${at}, ${at}, ${JSON.stringify(values)}::jsonb)
    ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at, values = excluded.values
      WHERE excluded.at > device_latest.at`.execute(db);
  }

  const lit = { power: 100, level: 100, commandLevel: 100, relay: true, voltage: 226 };
  const dark = { power: 0, level: 0, commandLevel: 0, relay: false, voltage: 226 };

  async function night(id: number, burning: Record<string, number | boolean>, until = 0): Promise<void> {
    await reading(id, 120, { ...dark, energy: 10 });
    for (const minutesAgo of [60, 45, 30, 15, 1])
      if (minutesAgo >= until) await reading(id, minutesAgo, { ...burning, energy: 10 + (60 - minutesAgo) / 600 });
  }

  const ids: Record<string, number> = {};
  beforeAll(async () => {
    await sql`CREATE TABLE reading_test PARTITION OF reading FOR VALUES FROM ('2026-11-01') TO ('2026-12-01')`.execute(
      db,
    );
    await sql`INSERT INTO work_area (id, work_code, work_name, longitude, latitude) VALUES (1, 'A1', '滨江新区', 120.2, 30.25)
    ON CONFLICT (id) DO UPDATE SET longitude = 120.2, latitude = 30.25`.execute(db);
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (1, 1, 'R1', '滨江大道')`.execute(db);
    ids['controller'] = await device('central-controller', 'CC-1');
    ids['dead'] = await device('central-controller', 'CC-2');
    for (const code of ['P2', 'P10', 'failed', 'silent'])
      ids[code] = await device('single-lamp-controller', code, ids['controller']);
    ids['orphan'] = await device('single-lamp-controller', 'orphan', ids['dead']);
    await night(ids['P2'] ?? 0, lit);
    await night(ids['P10'] ?? 0, { ...lit, level: 60, commandLevel: 60, power: 62 });
    await night(ids['failed'] ?? 0, { ...lit, power: 1 });
    await night(ids['silent'] ?? 0, lit, 50);
    await night(ids['orphan'] ?? 0, lit, 15);
    await reading(ids['controller'] ?? 0, 2, { voltageA: 226 });
    await reading(ids['dead'] ?? 0, 16, { voltageA: 226 });
    await pass(0);
    await judging.sweep();
  });

  return {
    sunset,
    get now() {
      return now;
    },
    set now(next) {
      now = next;
    },
    minute,
    clock,
    all,
    periods,
    database,
    db,
    announced,
    judging,
    lamps,
    home,
    loads,
    admin,
    pass,
    device,
    reading,
    lit,
    dark,
    night,
    ids,
  };
}

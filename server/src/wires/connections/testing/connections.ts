import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { clientIdOf } from '../../../../../protocols/mqtt-json/topics.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { listConnections } from '../../../../../contract/wires/connections.ts';
import { openKeys } from '../../../platform/keys/index.ts';
import { testApp } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { testExports } from '../../../testing/exports.ts';
import { sheetsHere } from '../../../testing/sheets.ts';
import { createDevices } from '../../../register/devices/index.ts';
import { defaultThresholds } from '../../../light/lamps/index.ts';
import { createJudging } from '../../../watch/presence/index.ts';
import { connectionExportTask, connectionsRoutes, createConnections, createLineJournal } from '../index.ts';

export type List = ReplyOf<typeof listConnections>;

/** Devices that are judged by when they were heard. Call it at the top of a test file. */
export async function connectionsOffice() {
  // Noon in Hangzhou; the sun sets at 17:00.
  const noon = new Date('2026-11-21T04:00:00Z');
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  const clock = testClock(noon);
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-connections-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const keys = openKeys(join(folder, 'secret.key'));
  const exports = testExports((parts) =>
    connectionExportTask({ ...parts, sheets: sheetsHere(parts), areasOf: parts.sessions.workAreasOf }),
  );
  const app = await testApp({
    clock,
    routes: (parts) => [
      ...connectionsRoutes(createConnections({ ...parts, devices: createDevices({ ...parts, keys }) })),
      ...exports.routes(parts),
    ],
  });
  const { db, call } = app;
  const judging = createJudging({
    db,
    clock,
    thresholds: defaultThresholds,
    periods: { litSeconds: 900, unlitSeconds: 3600, controllerSeconds: 300 },
    announce: () => undefined,
    onError: (thrown) => {
      throw thrown;
    },
  });
  const lines = createLineJournal({ db, clock, log: app.log });

  const areas = { north: 0, south: 0 };
  let serial = 0;
  async function device(family: string, more: Record<string, unknown> = {}): Promise<number> {
    const { id } = await db
      .insertInto('device')
      .values({
        family,
        equipment_code: `C-${(serial += 1)}`,
        work_area_id: areas.north,
        created_at: new Date(noon.getTime() - 30 * day),
        ...more,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const heard = (...ids: number[]) =>
    sql`INSERT INTO device_latest (device_id, at, received_at, values) SELECT id, ${clock.now()}, ${clock.now()}, '{}'
    FROM unnest(${ids}::bigint[]) id
  ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at`.execute(db);
  async function hear(...ids: number[]): Promise<void> {
    await heard(...ids);
    await judging.judge(ids);
  }
  /** Time goes by while somebody listens and judges. */
  async function pass(milliseconds: number, ...speaking: number[]): Promise<void> {
    for (let left = milliseconds; left > 0; left -= minute) {
      clock.set(new Date(clock.now().getTime() + Math.min(left, minute)));
      if (speaking.length > 0) await heard(...speaking);
      await judging.sweep();
    }
  }
  /** Time in which the server was away. */
  const away = (milliseconds: number) => clock.set(new Date(clock.now().getTime() + milliseconds));
  const of = async (id: number, query = '') =>
    (await call<List>(`/api/v1/devices/${id}/connections${query}`)).body.data;
  const told = async (id: number) =>
    (await of(id)).map(({ kind, reason, seconds, times }) => [kind, reason, seconds, times]);
  const online = async (id: number) =>
    await db
      .selectFrom('device_state')
      .select(['online', 'state', 'unpowered'])
      .where('device_id', '=', id)
      .executeTakeFirst();
  const event = (id: number, kind: Parameters<typeof lines.witness>[0]['kind'], more: object = {}) =>
    lines.witness({ kind, username: clientIdOf(id), clientId: clientIdOf(id), address: '10.0.0.7', ...more });

  beforeAll(async () => {
    const area = async (code: string) =>
      (
        await db
          .insertInto('work_area')
          .values({ work_code: code, work_name: `区${code}`, longitude: 120.2, latitude: 30.25 } as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    areas.north = await area('N');
    areas.south = await area('S');
    await sql`CREATE TABLE IF NOT EXISTS reading_test PARTITION OF reading FOR VALUES
    FROM ('2026-11-01') TO ('2026-12-31')`.execute(db);
    await judging.sweep();
  });

  return {
    noon,
    second,
    minute,
    hour,
    day,
    clock,
    exports,
    app,
    db,
    call,
    judging,
    lines,
    areas,
    device,
    heard,
    hear,
    pass,
    away,
    of,
    told,
    online,
    event,
  };
}

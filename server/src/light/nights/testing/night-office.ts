import { sql } from 'kysely';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import type { getNight, listNightLamps } from '../../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { testApp, type TestApp } from '../../../testing/app.ts';
import { testClock, type TestClock } from '../../../testing/clock.ts';
import { givenArea, givenDevice } from '../../../testing/devices.ts';
import { createLamps, lampsRoutes, reportPeriods } from '../../lamps/index.ts';
import { createLampPlans } from '../../plans/index.ts';
import { nightsRoutes } from '../nights.routes.ts';
import { createNightSteps } from '../steps.ts';

/** An instant by the clock of Hangzhou. */
export const wall = (text: string): Date => new Date(`${text}+08:00`);
/** A Monday: lamps go on at about 16:50, are dimmed to 60 % at 23:00 and go off at about 06:40. */
export const monday = '2026-11-23';

type Night = ReplyOf<typeof getNight>;
type Lamps = ReplyOf<typeof listNightLamps>;

/** An office whose nights are looked at: its application, the job, and a clock that stands still. */
export async function nightOffice() {
  const clock = testClock(wall(`${monday}T13:00`));
  const app = await testApp({
    clock,
    routes: ({ db }) => [
      ...nightsRoutes({ db, clock }),
      ...lampsRoutes(createLamps({ db, clock, periods: reportPeriods() })),
    ],
  });
  await givenArea(app.db);
  await sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`.execute(app.db);
  return nightDesk(app, clock);
}

/** What is done with nights in an application that answers their calls; area 1 is there. */
export async function nightDesk(app: TestApp, clock: TestClock) {
  const { db } = app;
  const reader = await app.signIn({ username: 'nights', permissions: ['plan.query'], workAreas: [1] });
  const newSteps = () =>
    createNightSteps({ db, bus: app.bus, clock, plans: createLampPlans(app.bus), reportAt: 10 * 60 });
  let steps = newSteps();
  let schemes = 0;

  /** A scheme with one version; the version's id. */
  async function version(content: SchemeContent = exampleScheme()): Promise<number> {
    schemes += 1;
    const { rows } = await sql<{ id: number }>`WITH item AS (
        INSERT INTO scheme (code, name) VALUES (${`JN-${schemes}`}, '方案') RETURNING id)
      INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
      SELECT id, 1, ${JSON.stringify(content)}::jsonb, ${'a'.repeat(16)}, 'test', ${clock.now()} FROM item
        RETURNING id`.execute(db);
    return rows[0]?.id ?? 0;
  }
  const get = async (day = monday) =>
    (await app.call<Night>(`/api/v1/plan-nights/${day}`, { token: reader.token })).body;
  const lampsOf = async (query = '', day = monday) =>
    (await app.call<Lamps>(`/api/v1/plan-nights/${day}/lamps?${query}`, { token: reader.token })).body;

  return {
    app,
    db,
    clock,
    reader,
    get,
    lampsOf,
    version,
    /** The process ends, and another one goes on. */
    restart() {
      steps = newSteps();
    },
    /** The job works until there is nothing to do at that time. */
    async at(time: Date | string) {
      clock.set(typeof time === 'string' ? wall(time) : time);
      while (!(await steps.turn()));
    },
    /** Lamps that were there before, and follow a version. */
    async lamps(count: number, versionId: number | null, workAreaId = 1): Promise<number[]> {
      const ids: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const id = await givenDevice(db, { workAreaId });
        ids.push(id);
        await sql`UPDATE device SET created_at = '2026-01-01' WHERE id = ${id}`.execute(db);
        if (versionId !== null)
          await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
            VALUES (${id}, ${versionId}, '2026-11-01', 'test', '2026-11-01')`.execute(db);
      }
      return ids;
    },
    /** What a lamp measured. */
    read: (id: number, time: Date | string, level: number) => {
      const at = typeof time === 'string' ? wall(time) : time;
      return sql`INSERT INTO reading (at, device_id, received_at, values) VALUES (${at}, ${id}, ${at},
        ${JSON.stringify({ level, relay: level > 0, power: level })}::jsonb)`.execute(db);
    },
  };
}

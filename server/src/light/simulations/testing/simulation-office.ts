import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { afterAll, expect } from 'vitest';
import type { SchemeContent, TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import type { Simulation } from '../../../../../contract/light/simulations.ts';
import { openFiles } from '../../../platform/files/index.ts';
import { testApp, type Reply } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { sheetsHere } from '../../../testing/sheets.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from '../../../desk/tasks/index.ts';
import { prepareHolidays } from '../../calendar/index.ts';
import { createLampPlans } from '../../plans/index.ts';
import { publicationsRoutes } from '../../publications/index.ts';
import { schemesRoutes } from '../../schemes/index.ts';
import { simulationExportTask } from '../export-task.ts';
import { simulationTask } from '../simulation-task.ts';
import { simulationsRoutes } from '../simulations.routes.ts';
import { createSimulations } from '../simulations.service.ts';

type Answer = Static<typeof Simulation>;

/** An office that simulates: schemes, lamps on roads, the runner of its tasks. Call it at the top of a test file. */
export async function simulationOffice() {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-simulations-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const files = openFiles(folder);
  let kinds!: TaskKinds;
  const app = await testApp({
    // Wednesday 25 November 2026, noon in Hangzhou.
    clock: testClock(new Date('2026-11-25T04:00:00Z')),
    routes: (parts) => {
      kinds = {
        ...simulationTask({ ...parts, connection: parts.database.connection, areasOf: parts.sessions.workAreasOf }),
        ...simulationExportTask({ ...parts, sheets: sheetsHere(parts) }),
      } as TaskKinds;
      const tasks = createTasks({ ...parts, files, kinds });
      return [
        ...tasksRoutes(tasks),
        ...schemesRoutes(parts),
        ...simulationsRoutes(createSimulations({ ...parts, tasks })),
        ...publicationsRoutes({ ...parts, plans: createLampPlans(parts.bus, () => Number.POSITIVE_INFINITY) }),
      ];
    },
  });
  const { db } = app;
  const runner = () =>
    startTaskRunner({
      ...{ db, files, kinds },
      connection: app.database.connection,
      bus: app.bus,
      clock: app.clock,
      log: app.log,
    });
  let stop = runner();
  afterAll(() => stop());
  await sql`INSERT INTO work_area (id, work_code, work_name, time_zone, latitude, longitude)
    VALUES (20, 'E', '城东', 'Asia/Shanghai', 30.2, 120.2), (21, 'W', '城西', 'Asia/Shanghai', 30.2, 120.2)`.execute(
    db,
  );
  await prepareHolidays(db, app.clock.now());
  const { token: planner } = await app.signIn({
    username: 'planner',
    level: 0,
    permissions: ['plan.query', 'plan.edit', 'plan.publish'],
  });
  const call: typeof app.call = (path, options = {}) => app.call(path, { token: planner, ...options });
  let count = 0;
  const insert = async (table: 'road' | 'device', values: object): Promise<number> => {
    const { rows } = await sql<{ id: number }>`INSERT INTO ${sql.table(table)}
      (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
      VALUES (${sql.join(Object.values(values))}) RETURNING id`.execute(db);
    return rows[0]?.id ?? 0;
  };

  interface Lamp {
    readonly roadId: number;
    readonly code?: string;
    readonly watts?: number;
    readonly poleId?: number;
    readonly placed?: boolean;
    readonly workAreaId?: number;
  }
  const lampAt = ({ roadId, code, watts, poleId, placed = true, workAreaId = 20 }: Lamp) =>
    insert('device', {
      family: 'single-lamp-controller',
      work_area_id: workAreaId,
      equipment_code: code ?? `L-${(count += 1)}`,
      road_id: roadId,
      pole_id: poleId ?? null,
      latitude: placed ? 30.2 : null,
      longitude: placed ? 120.2 : null,
      rated_watts: watts ?? null,
      props: '{}',
    });

  async function ended(begun: Reply, token = planner): Promise<Answer> {
    expect(begun.status).toBe(201);
    const { id } = begun.body as unknown as Answer;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const look = () =>
      app
        .call<Answer>(`/api/v1/plan-simulations/${id}`, { token })
        .then(({ body }) => (body.task?.endedAt ? resolve(body) : undefined), reject);
    const quit = app.bus.subscribe('tasks.changed', () => void look());
    await look();
    const answer = await promise.finally(quit);
    expect(answer.task).toMatchObject({ state: 'done', error: null });
    return answer;
  }

  return {
    app,
    planner,
    call,
    lampAt,
    ended,
    road: (roadClass: string) =>
      insert('road', { work_area_id: 20, road_code: `R${(count += 1)}`, road_name: '滨江大道', road_class: roadClass }),
    /** So many poles of the left side, a lamp each; their ids in order. */
    async row(roadId: number, length: number): Promise<number[]> {
      const lamps: number[] = [];
      for (let position = 0; position < length; position += 1) {
        const poleId = await insert('device', {
          family: 'lamp-pole',
          work_area_id: 20,
          equipment_code: `P-${(count += 1)}`,
          road_id: roadId,
          props: '{}',
        });
        await sql`INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
          VALUES (${poleId}, ${roadId}, 'left', ${position}, ${length}, 'auto')`.execute(db);
        lamps.push(await lampAt({ roadId, poleId }));
      }
      return lamps;
    },
    async scheme(content: SchemeContent): Promise<number> {
      const made = await call<{ id: number }>('/api/v1/schemes', {
        body: { code: `S-${(count += 1)}`, name: '节能方案', workAreaId: 20 },
      });
      const path = `/api/v1/schemes/${made.body.id}/draft`;
      expect((await call(path, { method: 'PUT', body: { version: 1, content } })).status).toBe(200);
      return made.body.id;
    },
    freeze: async (id: number) =>
      expect((await call(`/api/v1/schemes/${id}/versions`, { body: { version: 2 } })).status).toBe(201),
    /** Returns the id of the version. */
    async template(content: TemplateContent): Promise<number> {
      const { rows } = await sql<{ id: number }>`
        WITH item AS (INSERT INTO work_parameter_template (code, name) VALUES (${`T-${(count += 1)}`}, '参数') RETURNING id)
        INSERT INTO template_version (template_id, number, content, content_hash, created_by, created_at)
        SELECT id, 1, ${JSON.stringify(content)}::jsonb, 'x', 'test', ${app.clock.now()} FROM item
        RETURNING id`.execute(db);
      return rows[0]?.id ?? 0;
    },
    simulate: (body: object, token = planner) => app.call('/api/v1/plan-simulations', { token, body }),
    /** No task is begun any more, until `resume`. */
    pause: () => stop(),
    resume: () => {
      stop = runner();
    },
    async file(simulationId: number): Promise<Buffer> {
      const begun = await call<{ id: number }>('/api/v1/plan-simulation-exports', {
        body: { simulationId },
        headers: { 'accept-language': 'en-US' },
      });
      expect(begun.status).toBe(201);
      const path = `/api/v1/tasks/${begun.body.id}`;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () =>
        call<{ state: string }>(path).then(({ body }) => (body.state === 'done' ? resolve() : undefined), reject);
      const quit = app.bus.subscribe('tasks.changed', () => void look());
      await look();
      await promise.finally(quit);
      return (await call(`${path}/file`)).bytes;
    },
  };
}

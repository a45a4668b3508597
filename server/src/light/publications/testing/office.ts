import { sql } from 'kysely';
import { beforeAll } from 'vitest';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import type { SchemeContent, TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import type { getPublication } from '../../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { Binding } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log.ts';
import { testApp } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { givenArea, givenDevice } from '../../../testing/devices.ts';
import { createLampPlans, type LampPlans } from '../../plans/index.ts';
import { schemesRoutes } from '../../schemes/index.ts';
import { createSteps, publicationsRoutes, type Steps, type StepsParts } from '../index.ts';

export type Publication = ReplyOf<typeof getPublication>;
export interface Answer {
  readonly id: number;
  readonly phase: string;
  readonly total: number;
  readonly revertId: number;
  readonly code: number;
  readonly detail: string;
  readonly count: number;
  readonly findings: readonly { readonly code: string }[];
}

/** 2026-11-23 12:00 in Hangzhou, a Monday: the lamps go on at about 16:50, and are dimmed at 23:00. */
export const noon = Date.parse('2026-11-23T04:00:00Z');
/** An instant by the clock of Hangzhou. */
export const wall = (text: string): number => Date.parse(`${text}+08:00`);
export const minuteMs = 60_000;

type Parts = StepsParts & { readonly plans: LampPlans };

/**
 * An office that publishes: its application, the job, a clock that stands still, and lamps on a road without a class;
 * `more`: other routes that it offers; `log`: instead of one on standard output. Call it at the top of a test file.
 */
export async function publishingOffice(more: (parts: Parts) => readonly Binding[] = () => [], log?: Log) {
  const clock = testClock(new Date(noon));
  let packetBytes = Number.POSITIVE_INFINITY;
  let plans!: LampPlans;
  let another!: (parts?: Partial<StepsParts>) => Steps;
  let steps!: Steps;
  const delays: number[] = [];
  const app = await testApp({
    clock,
    ...(log ? { log } : {}),
    routes: ({ db, bus }) => {
      const makePlans = () => createLampPlans(bus, () => packetBytes, log);
      plans = makePlans();
      another = (parts = {}) =>
        createSteps({ db, bus, clock, plans: makePlans(), planned: (ms) => delays.push(ms), ...parts });
      steps = another();
      return [
        ...publicationsRoutes({ db, bus, clock, plans }),
        ...schemesRoutes({ db, bus, clock }),
        ...more({ db, bus, clock, plans }),
      ];
    },
  });
  const { db, call } = app;
  await givenArea(db);
  await sql`CREATE TABLE reading_test PARTITION OF reading DEFAULT`.execute(db);
  const publisher = await app.signIn({
    username: 'publisher',
    permissions: ['plan.publish', 'plan.query', 'lamp.approve'],
    workAreas: [1],
  });
  let counted = 0;

  async function version(table: 'scheme' | 'template', content: SchemeContent | TemplateContent): Promise<number> {
    counted += 1;
    const item = table === 'scheme' ? 'scheme' : 'work_parameter_template';
    const { rows } = await sql<{ id: number }>`
      WITH item AS (INSERT INTO ${sql.table(item)} (code, name) VALUES (${`JN-${counted}`}, '方案') RETURNING id)
      INSERT INTO ${sql.table(`${table}_version`)} (${sql.ref(`${table}_id`)}, number, content, content_hash,
        created_by, created_at)
      SELECT id, 1, ${JSON.stringify(content)}::jsonb, ${'a'.repeat(16)}, 'test', ${clock.now()} FROM item
        RETURNING ${sql.ref(`${table}_id`)} AS id`.execute(db);
    return rows[0]?.id ?? 0;
  }
  let schemeId = 0;
  beforeAll(async () => {
    schemeId = await version('scheme', exampleScheme());
  });
  const publish = (deviceIds: readonly number[], more: object = {}, token = publisher.token) =>
    call<Answer>('/api/v1/publications', {
      token,
      body: {
        schemeId,
        scope: { deviceIds },
        acceptedFindings: ['darker', 'unknownHolidays'],
        reason: '节能',
        ...more,
      },
    });
  const get = async (id: number, query = '') =>
    (await call<Publication>(`/api/v1/publications/${id}?${query}`, { token: publisher.token })).body;

  return {
    app,
    db,
    call,
    clock,
    publisher,
    version,
    publish,
    get,
    get schemeId() {
      return schemeId;
    },
    get plans() {
      return plans;
    },
    /** Its broker takes packets up to this size. */
    takes(bytes: number) {
      packetBytes = bytes;
    },
    /** What the job measured: steps by outcome, lamps by state, and how long after their steps readings came, ms. */
    measured: () => ({ ...steps.proofs.outcomes, devices: steps.proofs.devices, delays: [...delays] }),
    /** The job goes one step further. */
    turn: () => steps.turn(),
    /** The process ends, and another one goes on. */
    restart() {
      steps = another();
    },
    /** Another process: its own job on the same database, which may be cut off from the others. */
    process: (parts?: Partial<StepsParts>) => another(parts),
    lamps: async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => givenDevice(db)))).toSorted((a, b) => a - b),
    act: (id: number, verb: string, body: object = {}, token = publisher.token) =>
      call<Answer>(`/api/v1/publications/${id}/${verb}`, { token, body }),
    /** What a lamp measured. */
    read: (id: number, at: number, level: number, values: object = { relay: level > 0, power: level }) =>
      sql`INSERT INTO reading (at, device_id, received_at, values) VALUES (${new Date(at)}, ${id}, ${new Date(at)},
        ${JSON.stringify({ level, ...values })}::jsonb)`.execute(db),
    /** A lamp says which plan it runs. */
    say: (id: number, hash: string | null) =>
      sql`INSERT INTO plan_report (device_id, plan_hash, capabilities, reported_at)
        VALUES (${id}, ${hash}, '{"plan":{"periods":6,"calendar":true,"light":false,"cycle":true}}', ${clock.now()})
        ON CONFLICT (device_id) DO UPDATE SET plan_hash = excluded.plan_hash`.execute(db),
    stateOf: async (id: number, deviceId: number) =>
      (await get(id)).items.find((item) => item.deviceId === deviceId)?.state,
    phaseOf: async (id: number) => (await get(id)).phase,
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getTreeLevel } from '../../../../../contract/register/topology.ts';
import { openKeys } from '../../../platform/keys/index.ts';
import { testApp } from '../../../testing/app.ts';
import { createDevices, devicesRoutes } from '../../devices/index.ts';
import { createMover, createTopology, topologyRoutes } from '../index.ts';

type Level = ReplyOf<typeof getTreeLevel>;
export type Refused = { params: { field: string; rule: string; message: string }[] };

/** An empty register before each test, and a way to hang devices in it. Call it at the top of a test file. */
export async function topologyTrees() {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-topology-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const app = await testApp({
    routes: (parts) => {
      const devices = createDevices({ ...parts, keys: openKeys(join(folder, 'secret.key')) });
      return [...devicesRoutes(devices), ...topologyRoutes(createTopology({ ...parts, devices }), createMover(parts))];
    },
  });
  const { db, call } = app;

  let serial = 0;
  const at = { area: 0, other: 0, road: 0 };
  async function device(family: string, more: Record<string, unknown> = {}): Promise<number> {
    const { id } = await db
      .insertInto('device')
      .values({ family, equipment_code: `T-${(serial += 1)}`, work_area_id: at.area, ...more } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  async function loop(box: number, code: string, area = at.area): Promise<number> {
    return (
      await db
        .insertInto('loop')
        .values({ control_box_id: box, work_area_id: area, loop_code: code, loop_name: `${code} 路` })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  }
  const level = async (tree: string, query = '', more = {}) =>
    (await call<Level>(`/api/v1/topology/${tree}${query}`, more)).body;
  const keys = async (tree: string, query = '', more = {}) =>
    (await level(tree, query, more)).data.map(({ key }) => key);
  const groups = async (tree: string, more = {}, query = '') =>
    Object.fromEntries((await level(tree, query, more)).groups.map(({ group, children }) => [group, children]));
  const move = (
    tree: string,
    nodes: readonly (string | { key: string; version: number })[],
    to: string | null,
    more = {},
  ) =>
    call<Refused & { moved: number }>(`/api/v1/topology/${tree}/move`, {
      body: { nodes: nodes.map((node) => (typeof node === 'string' ? { key: node } : node)), to },
      ...more,
    });
  const problems = (reply: { body: Refused }) => reply.body.params.map(({ field, rule }) => `${field}:${rule}`).sort();
  const of = (...ids: number[]) => ids.map((id) => `device:${id}`);

  beforeAll(async () => {
    const area = async (code: string) =>
      (
        await db
          .insertInto('work_area')
          .values({ work_code: code, work_name: code })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    [at.area, at.other] = [await area('N'), await area('S')];
  });
  beforeEach(async () => {
    await db.updateTable('device').set({ loop_id: null }).execute();
    await db.deleteFrom('loop').execute();
    await db.deleteFrom('device').execute();
    await db.deleteFrom('road').execute();
    at.road = (
      await db
        .insertInto('road')
        .values({ work_area_id: at.area, road_code: 'R1', road_name: '滨江大道' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });

  /** One transformer, two boxes, a loop with a pole (two lamps, one with a loop of its own) and a lamp without pole. */
  async function city() {
    const transformer = await device('transformer');
    const [box, spare] = [await device('control-box', { transformer_id: transformer }), await device('control-box')];
    const [one, two] = [await loop(box, 'L1'), await loop(box, 'L2')];
    const rtu = await device('central-controller', { box_id: box });
    const pole = await device('lamp-pole', { loop_id: one, road_id: at.road });
    const inherits = await device('single-lamp-controller', { pole_id: pole, parent_id: rtu });
    const own = await device('single-lamp-controller', { pole_id: pole, loop_id: two });
    const loose = await device('single-lamp-controller');
    const camera = await device('security-camera', { pole_id: pole });
    await db
      .insertInto('device_state')
      .values([
        { device_id: inherits, state: 'alarm', online: true, since: new Date(), judged_at: new Date() },
        { device_id: own, state: 'offline', online: false, since: new Date(), judged_at: new Date() },
      ] as never)
      .execute();
    return { transformer, box, spare, one, two, rtu, pole, inherits, own, loose, camera };
  }

  return { app, db, call, at, device, loop, level, keys, groups, move, problems, of, city };
}

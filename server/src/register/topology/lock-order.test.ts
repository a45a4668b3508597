import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { isFree, lockWaiters, whileKept } from '../../testing/row-locks.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createRecords, recordsRoutes } from '../records/index.ts';
import { createMover, createTopology, topologyRoutes } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-lock-order-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { db, call } = await testApp({
  routes: (parts) => {
    const keys = openKeys(join(folder, 'secret.key'));
    const devices = createDevices({ ...parts, keys });
    return [
      ...devicesRoutes(devices),
      ...recordsRoutes(createRecords({ ...parts, keys })),
      ...topologyRoutes(createTopology({ ...parts, devices }), createMover(parts)),
    ];
  },
});

const at = { area: 0, serial: 0 };
beforeAll(async () => {
  at.area = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'N', work_name: 'N' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
});
const device = async (family: string): Promise<number> =>
  (
    await db
      .insertInto('device')
      .values({ family, equipment_code: `T-${(at.serial += 1)}`, work_area_id: at.area })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const loop = async (box: number): Promise<number> =>
  (
    await db
      .insertInto('loop')
      .values({ control_box_id: box, work_area_id: at.area, loop_code: `L${(at.serial += 1)}`, loop_name: '路' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/**
 * A move that has what it takes first and waits for a row in its middle; meanwhile an edit of what the move still
 * needs. It must queue for what the move has without keeping anything itself.
 */
async function moveMeetsEdit(
  table: 'device' | 'loop',
  one: { tree: string; middle: number; last: number; to: number; edit: [path: string, body: object] },
): Promise<void> {
  const { free, replies } = await whileKept(db, table, one.middle, async () => {
    const moved = call(`/api/v1/topology/${one.tree}/move`, {
      body: { nodes: [one.middle, one.last].map((id) => ({ key: `${table}:${id}` })), to: `device:${one.to}` },
    });
    await lockWaiters(db, 1);
    const edited = call(one.edit[0], { method: 'PUT', body: one.edit[1] });
    await lockWaiters(db, 2);
    return { free: await isFree(db, table, one.last), replies: [moved, edited] };
  });
  expect([free, ...(await Promise.all(replies)).map(({ status }) => status)]).toEqual([true, 200, 200]);
}

test('gateways: a form takes the chain before the row, as moves and imports do', async () => {
  const [middle, last, to] = [await device('gateway'), await device('gateway'), await device('gateway')];
  await moveMeetsEdit('device', {
    tree: 'communication',
    middle,
    last,
    to,
    edit: [`/api/v1/devices/${last}`, { gatewayId: to }],
  });
});

test('lamp and pole: both are taken in the order of their ids', async () => {
  const [to, middle, last] = [
    await device('lamp-pole'),
    await device('single-lamp-controller'),
    await device('single-lamp-controller'),
  ];
  await moveMeetsEdit('device', {
    tree: 'mounting',
    middle,
    last,
    to,
    edit: [`/api/v1/devices/${last}`, { lamppostId: to }],
  });
});

test('loop and box: the box goes first', async () => {
  const [from, to] = [await device('control-box'), await device('control-box')];
  const [middle, last] = [await loop(from), await loop(from)];
  await moveMeetsEdit('loop', {
    tree: 'power',
    middle,
    last,
    to,
    edit: [`/api/v1/records/loop/${last}`, { controlBoxId: to }],
  });
});

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { findInTree, getDevicePaths } from '../../../../contract/register/topology.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { membersOf } from './topology.store.ts';
import { trees, type Part } from './trees.query.ts';
import { topologyTrees } from './testing/trees.ts';

const { app, db, call, at, device, loop, level, keys, groups, move, of, city } = await topologyTrees();
let readers = 0;

describe('levels', () => {
  test('power: transformer, box, loop, pole, lamp, each once; what hangs nowhere in groups', async () => {
    const c = await city();
    const top = await level('power');
    expect(top.data).toMatchObject([
      { key: `device:${c.transformer}`, family: 'transformer', lamps: 2, alarms: 1, offline: 1, children: 1 },
    ]);
    expect(await groups('power')).toEqual({ boxes: 1, controllers: 0, poles: 0, lamps: 1 });
    expect(await keys('power', '?under=group:lamps')).toEqual(of(c.loose));
    const below = await level('power', `?under=device:${c.box}`);
    expect(below.data).toMatchObject([
      { key: `loop:${c.one}`, code: 'L1', lamps: 1, alarms: 1, children: 1 },
      { key: `loop:${c.two}`, lamps: 1, alarms: 0, offline: 1, children: 1 },
      { key: `device:${c.rtu}`, lamps: null, children: 0 },
    ]);
    expect(await keys('power', `?under=loop:${c.one}`)).toEqual(of(c.pole));
    expect(await keys('power', `?under=loop:${c.two}`)).toEqual(of(c.own));
    expect(await keys('power', `?under=device:${c.pole}`)).toEqual(of(c.inherits, c.camera));
    expect(await level('power', `?under=device:${c.inherits}`)).toEqual({ data: [], recordsTotal: 0, groups: [] });
  });

  test('communication: a lamp speaks through its controller, else its gateway; what hangs on gateways is counted however deep', async () => {
    const c = await city();
    const master = await device('gateway');
    const sub = await device('gateway', { gateway_id: master });
    await db.updateTable('device').set({ gateway_id: sub }).where('id', 'in', [c.rtu, c.camera]).execute();
    const direct = await device('single-lamp-controller', { gateway_id: sub });
    expect((await level('communication')).data).toMatchObject([{ key: `device:${master}`, lamps: 2, children: 1 }]);
    expect(await keys('communication', `?under=device:${sub}`)).toEqual(of(direct, c.rtu, c.camera));
    expect(await keys('communication', `?under=device:${c.rtu}`)).toEqual(of(c.inherits));
    expect(await groups('communication')).toEqual({ lamps: 2, devices: 0 });
  });

  test('mounting: roads, poles, what they carry', async () => {
    const c = await city();
    expect((await level('mounting')).data).toMatchObject([{ key: `road:${at.road}`, lamps: 2, children: 1 }]);
    expect(await keys('mounting', `?under=road:${at.road}`)).toEqual(of(c.pole));
    expect(await keys('mounting', `?under=device:${c.pole}`)).toEqual(of(c.inherits, c.own, c.camera));
    expect(await groups('mounting')).toMatchObject({ poles: 0 });
  });

  test('long levels come in pages, in the natural order of codes', async () => {
    const box = await device('control-box');
    const one = await loop(box, 'L1');
    const made: number[] = [];
    for (let n = 1; n <= 23; n += 1)
      made.push(await device('single-lamp-controller', { loop_id: one, equipment_code: `N${n}` }));
    const page = await level('power', `?under=loop:${one}&page=2&size=10`);
    expect([page.recordsTotal, page.data.map(({ key }) => key)]).toEqual([23, of(...made.slice(10, 20))]);
  });

  test('what stands nowhere is counted anew, many for ten seconds the same: turning pages does not count them again', async () => {
    await sql`INSERT INTO device (family, equipment_code, work_area_id)
      SELECT 'single-lamp-controller', 'M' || n, ${at.area} FROM generate_series(1, 10001) n`.execute(db);
    const lamps = async (query = '') => (await groups('power', {}, query))['lamps'];
    expect(await lamps()).toBe(10_001);
    await device('single-lamp-controller');
    expect([await lamps('?page=2'), (await level('power', '?under=group:lamps&page=2')).recordsTotal]).toEqual([
      10_001, 10_001,
    ]);
    await app.clock.advance(10_000);
    expect([await lamps(), (await level('power', '?under=group:lamps&page=2')).recordsTotal]).toEqual([10_002, 10_002]);
    // Forgotten before the next test asks.
    await app.clock.advance(10_000);
  });

  test('what stands nowhere can be read off indexes of its own', async () => {
    const own = ['device_unfed_poles', 'device_unplaced_poles', 'device_unmounted', 'device_unlinked_lamps'];
    const used = async (tx: Transaction, part: Part) => {
      const {
        rows: [plan],
      } = await sql<{
        'QUERY PLAN': object;
      }>`EXPLAIN (FORMAT JSON) ${membersOf({ parts: [part], parent: sql`NULL`, byFamily: false }, { accountId: 1, workAreas: 'all', workAreaId: null })}`.execute(
        tx,
      );
      return own.filter((name) => JSON.stringify(plan).includes(`"${name}"`));
    };
    const tx = await db.startTransaction().execute();
    // Without the others, what the planner thinks of a table with a few rows does not matter.
    const { rows } = await sql<{
      name: string;
    }>`SELECT i.indexrelid::regclass::text AS name FROM pg_index i
      WHERE i.indrelid = 'device'::regclass
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`.execute(tx);
    for (const { name } of rows) if (!own.includes(name)) await sql`DROP INDEX ${sql.ref(name)}`.execute(tx);
    await sql`SET LOCAL enable_seqscan = off`.execute(tx);
    const { power, communication, mounting } = trees;
    const parts = [
      power.groups.poles,
      power.groups.lamps,
      communication.groups.lamps,
      mounting.groups.poles,
      mounting.groups.devices,
    ].flatMap((part) => part ?? []);
    const found: string[] = [];
    for (const part of parts) found.push(...(await used(tx, part)));
    await tx.rollback().execute();
    expect(found).toEqual([
      'device_unfed_poles',
      'device_unmounted',
      'device_unlinked_lamps',
      'device_unplaced_poles',
      'device_unmounted',
    ]);
  });

  test('only what the caller sees is shown, counted and found', async () => {
    const c = await city();
    const theirs = await device('control-box', { work_area_id: at.other });
    const far = await loop(theirs, 'L7', at.other);
    await device('single-lamp-controller', { work_area_id: at.other });
    const { token } = await app.signIn({
      username: `u${(readers += 1)}`,
      permissions: ['device.query', 'device.edit'],
      workAreas: [at.area],
    });
    expect(await groups('power', { token })).toMatchObject({ boxes: 1, lamps: 1 });
    expect(await groups('power')).toMatchObject({ boxes: 2, lamps: 2 });
    for (const hidden of [`loop:${far}`, `device:${theirs}`])
      expect((await call(`/api/v1/topology/power?under=${hidden}`, { token })).status).toBe(404);
    expect((await call<ReplyOf<typeof findInTree>>('/api/v1/topology/power/places?q=L7', { token })).body.data).toEqual(
      [],
    );
    expect((await move('power', of(theirs), null, { token })).status).toBe(403);
    expect((await move('power', of(c.spare), `device:${theirs}`, { token })).status).toBe(403);
    // A kind that has no place in the tree is no way around.
    expect((await move('mounting', of(theirs), null, { token })).status).toBe(403);
    expect((await move('power', ['device:999999999'], null)).status).toBe(404);
  });
});

test('a node is found by text with the way down to it, and by key with the page it stands on', async () => {
  const c = await city();
  const found = await call<ReplyOf<typeof findInTree>>(`/api/v1/topology/power/places?key=device:${c.inherits}`);
  expect(found.body.data[0]?.path.map(({ key }) => key)).toEqual([
    `device:${c.transformer}`,
    `device:${c.box}`,
    `loop:${c.one}`,
    `device:${c.pole}`,
    `device:${c.inherits}`,
  ]);
  for (let n = 0; n < 100; n += 1) await device('single-lamp-controller', { equipment_code: `A${n}` });
  const [place] = (await call<ReplyOf<typeof findInTree>>(`/api/v1/topology/power/places?key=device:${c.loose}`)).body
    .data;
  expect(place?.path.map(({ key, page }) => [key, page])).toEqual([
    ['group:lamps', 1],
    [`device:${c.loose}`, 2],
  ]);
  const loops = await call<ReplyOf<typeof findInTree>>('/api/v1/topology/power/places?q=l2&kinds=loop');
  expect(loops.body.data.map(({ node }) => node.key)).toEqual([`loop:${c.two}`]);
});

test('an exact code comes first and the first codes are the first ones, however many match', async () => {
  await db
    .insertInto('device')
    .values(
      Array.from({ length: 400 }, (_, n) => ({
        family: 'single-lamp-controller',
        equipment_code: `${900 - n}-AB1`,
        work_area_id: at.area,
      })),
    )
    .execute();
  const [starts, exact] = [
    await device('single-lamp-controller', { equipment_code: 'AB1-2' }),
    await device('single-lamp-controller', { equipment_code: 'ab1' }),
  ];
  const found = async (query: string) =>
    (await call<ReplyOf<typeof findInTree>>(`/api/v1/topology/power/places?${query}`)).body.data.map(
      ({ node }) => node,
    );
  expect((await found('q=AB1')).slice(0, 2).map(({ key }) => key)).toEqual(of(exact, starts));
  expect(await found('q=AB1')).toHaveLength(20);
  expect((await found('kinds=single-lamp-controller,lamp-pole')).slice(0, 3).map(({ code }) => code)).toEqual([
    '501-AB1',
    '502-AB1',
    '503-AB1',
  ]);
  const box = await device('control-box', { equipment_code: 'B' });
  await db
    .insertInto('loop')
    .values(
      Array.from({ length: 400 }, (_, n) => ({
        control_box_id: box,
        work_area_id: at.area,
        loop_code: `L${900 - n}`,
        loop_name: '路',
      })),
    )
    .execute();
  expect((await found('q=b/l')).slice(0, 2).map(({ code }) => code)).toEqual(['L501', 'L502']);
  expect((await found('kinds=loop')).slice(0, 2).map(({ code }) => code)).toEqual(['L501', 'L502']);
});

test('a device tells what feeds it, through what it speaks and on what it hangs', async () => {
  const c = await city();
  const { body } = await call<ReplyOf<typeof getDevicePaths>>(`/api/v1/devices/${c.inherits}/paths`);
  expect(body.power?.above.map(({ key }) => key)).toEqual([
    ...of(c.transformer, c.box),
    `loop:${c.one}`,
    ...of(c.pole),
  ]);
  expect(body.communication?.above.map(({ key }) => key)).toEqual(of(c.rtu));
  expect(body.mounting?.above.map(({ key }) => key)).toEqual([`road:${at.road}`, `device:${c.pole}`]);
  expect((await call<ReplyOf<typeof getDevicePaths>>(`/api/v1/devices/${c.box}/paths`)).body).toMatchObject({
    power: { below: 3 },
    communication: null,
  });
});

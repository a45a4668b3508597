import { describe, expect, test } from 'vitest';
import { topologyTrees, type Refused } from './testing/trees.ts';

const { db, call, at, device, loop, level, keys, groups, move, problems, of, city } = await topologyTrees();

describe('moving', () => {
  test('a branch moves with all that hangs on it, in one act; the history says who and the log that it was a move', async () => {
    const c = await city();
    const second = await device('transformer');
    expect((await move('power', of(c.box, c.spare), `device:${second}`)).body).toEqual({ moved: 2 });
    expect(await keys('power', `?under=device:${second}`)).toEqual(of(c.box, c.spare));
    expect((await level('power')).data.map(({ lamps }) => lamps)).toEqual([0, 2]);
    const changes = await db.selectFrom('device_change').selectAll().where('device_id', '=', c.box).execute();
    expect(changes).toMatchObject([
      { source: 'move', kind: 'updated', fields: [{ field: 'transformerId', from: c.transformer, to: second }] },
    ]);
    expect(
      await db.selectFrom('operation_log').select('status').where('uri', 'like', '%topology/power/move').execute(),
    ).not.toEqual([]);
    expect((await move('power', [`loop:${c.one}`], `device:${c.spare}`)).status).toBe(200);
    expect(await keys('power', `?under=device:${c.spare}`)).toEqual([`loop:${c.one}`]);
    expect((await move('power', of(c.own), null)).status).toBe(200);
    expect(await keys('power', `?under=device:${c.pole}`)).toEqual(of(c.inherits, c.own, c.camera));
  });

  test.each([
    [
      'power',
      'a lamp below a box',
      (c: Awaited<ReturnType<typeof city>>) => [of(c.own), `device:${c.box}`],
      ['nodes.0:placement'],
    ],
    ['power', 'a loop nowhere', (c) => [[`loop:${c.one}`], null], ['nodes.0:required']],
    ['power', 'a camera', (c) => [of(c.camera), `loop:${c.one}`], ['nodes.0:placement']],
    ['communication', 'a box', (c) => [of(c.box), null], ['nodes.0:placement']],
    ['mounting', 'a pole on itself', (c) => [of(c.pole), `device:${c.pole}`], ['nodes.0:placement']],
  ] as const satisfies readonly (readonly [
    string,
    string,
    (c: Awaited<ReturnType<typeof city>>) => readonly [readonly string[], string | null],
    readonly string[],
  ])[])('%s: %s cannot be', async (tree, _what, make, expected) => {
    const [nodes, to] = make(await city());
    const reply = await move(tree, nodes, to);
    expect([reply.status, problems(reply)]).toEqual([400, [...expected]]);
  });

  test('one that cannot be moved leaves all where they are, and every reason is told', async () => {
    const c = await city();
    const abroad = await device('lamp-pole', { work_area_id: at.other });
    const reply = await move('power', of(c.loose, c.camera, abroad), `loop:${c.two}`);
    expect([reply.status, problems(reply)]).toEqual([400, ['nodes.1:placement', 'nodes.2:foreignArea']]);
    expect(reply.body.params[0]?.message).toContain('T-');
    expect(await groups('power')).toMatchObject({ lamps: 1 });
  });

  test('gateways cannot be hung on each other in a circle, by move or by form, nor by two at once', async () => {
    const [a, b, d] = [await device('gateway'), await device('gateway'), await device('gateway')];
    await db.updateTable('device').set({ gateway_id: a }).where('id', '=', b).execute();
    await db.updateTable('device').set({ gateway_id: b }).where('id', '=', d).execute();
    expect(problems(await move('communication', of(a), `device:${d}`))).toEqual(['nodes.0:cycle']);
    expect(problems(await move('communication', of(a), `device:${a}`))).toEqual(['nodes.0:itself']);
    expect(
      problems(
        await call<Refused>(`/api/v1/devices/${a}`, { method: 'PUT', body: { equipmentName: 'x', gatewayId: d } }),
      ),
    ).toEqual(['gatewayId:cycle']);
    const [x, y] = [await device('gateway'), await device('gateway')];
    const both = await Promise.all([
      move('communication', of(x), `device:${y}`),
      move('communication', of(y), `device:${x}`),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('of two movers with the same version one wins, the other is told what changed', async () => {
    const c = await city();
    const [first, second] = [await device('transformer'), await device('transformer')];
    const both = await Promise.all(
      [first, second].map((to) => move('power', [{ key: `device:${c.spare}`, version: 1 }], `device:${to}`)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body.params.map(({ field }) => field)).toEqual(['nodes.0']);
  });

  test('a pole takes as many lamps as it carries; a box keeps one loop of a code', async () => {
    const pole = await device('lamp-pole', { props: JSON.stringify({ lampNum: 2 }) });
    const lamps = [
      await device('single-lamp-controller', { pole_id: pole }),
      await device('single-lamp-controller'),
      await device('single-lamp-controller'),
    ];
    expect(problems(await move('mounting', of(...lamps), `device:${pole}`))).toEqual(['nodes.2:poleFull']);
    expect((await move('mounting', of(...lamps.slice(0, 2)), `device:${pole}`)).status).toBe(200);
    const [box, other] = [await device('control-box'), await device('control-box')];
    const [one] = [await loop(box, 'L1'), await loop(other, 'l1')];
    expect(problems(await move('power', [`loop:${one}`], `device:${other}`))).toEqual(['nodes.0:taken']);
  });

  test('a lamp that is hung on a gateway leaves its controller, and the other way round', async () => {
    const c = await city();
    const gateway = await device('gateway');
    expect((await move('communication', of(c.inherits), `device:${gateway}`)).status).toBe(200);
    expect(
      await db.selectFrom('device').select(['parent_id', 'gateway_id']).where('id', '=', c.inherits).execute(),
    ).toEqual([{ parent_id: null, gateway_id: gateway }]);
    expect((await move('communication', of(c.inherits), `device:${c.rtu}`)).status).toBe(200);
    expect(
      await db.selectFrom('device').select(['parent_id', 'gateway_id']).where('id', '=', c.inherits).execute(),
    ).toEqual([{ parent_id: c.rtu, gateway_id: null }]);
  });
});

test('what something hangs on is not deleted, and the answer says what', async () => {
  const c = await city();
  for (const [id, what] of [
    [c.transformer, '引用它的设备 1'],
    [c.box, '回路 2 · 引用它的设备 1'],
  ] as const) {
    expect(await call(`/api/v1/devices/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 400,
      body: { detail: `请先处理：${what}。` },
    });
  }
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { givenDevice } from '../../testing/devices.ts';
import { firstInForce } from './giving.store.ts';
import { obedientLamps } from './testing/obedient-lamps.ts';

const { office, app, db, call, clock, now, detail, stateOf, ask, act, lamp, quietLamp, dispatcher, obey } =
  await obedientLamps();

describe('lanes', () => {
  it('an emergency goes before everything that was queued earlier, and needs its right and a reason', async () => {
    const one = await lamp();
    const [plan, manual] = [
      (await ask({ deviceIds: [(await lamp()).id], command: 'dim', args: { level: 30 }, lane: 'plan' })).body,
      (await ask({ deviceIds: [(await lamp()).id], command: 'on' })).body,
    ];
    const { token } = await app.signIn({
      username: 'plain',
      permissions: ['lamp.control', 'lamp.monitor'],
      workAreas: [1],
    });
    const emergency = { deviceIds: [one.id], command: 'on', lane: 'emergency', reason: '积水抢险' };
    expect((await ask(emergency, { token })).status).toBe(403);
    expect((await ask({ ...emergency, reason: ' ' })).body.code).toBe(4011);
    expect((await ask({ ...emergency, command: 'off' })).body.code).toBe(4012);
    expect((await ask({ ...emergency, until: timeText(now() + 5 * 3_600_000) })).body).toMatchObject({
      code: 4003,
      title: '控制的结束时间必须在未来 4 小时之内',
      params: [
        { field: 'until', rule: 'maximum', message: `不能大于 ${new Date(now() + 4 * 3_600_000).toISOString()}` },
      ],
    });
    const { body } = await ask(emergency);
    const sent: string[] = [];
    const watched = office.anotherDispatcher({
      problem: () => null,
      publish: (_topic, payload) => {
        sent.push((JSON.parse(payload.toString()) as { commandId: string }).commandId);
        return Promise.resolve();
      },
    });
    await watched.send();
    expect(sent).toHaveLength(3);
    expect([
      ...(
        await db
          .selectFrom('command_item')
          .select(['command_id', 'lane'])
          .where('command_id', 'in', [plan.id, manual.id, body.id])
          .orderBy('lane')
          .execute()
      ).map((row) => row.command_id),
    ]).toEqual([body.id, manual.id, plan.id]);
    expect((await detail(body.id)).until).toBe(timeText(now() + 4 * 3_600_000));
  });

  it('a weaker command never replaces a stronger one in force; the stronger one replaces it', async () => {
    const one = await quietLamp();
    const emergency = (await ask({ deviceIds: [one.id], command: 'on', lane: 'emergency', reason: 'x' })).body.id;
    await dispatcher.send();
    await obey([one], emergency);
    const manual = (await ask({ deviceIds: [one.id], command: 'off' })).body.id;
    expect(await detail(manual)).toMatchObject({
      state: 'finished',
      items: [{ state: 'superseded', error: 'strongerInForce' }],
    });
    // The end of the emergency is given in its own lane: then others hold again.
    const over = (await ask({ deviceIds: [one.id], command: 'auto', lane: 'emergency', reason: 'x' })).body.id;
    await dispatcher.send();
    await one.accept(over);
    const [later, plan] = [
      (await ask({ deviceIds: [one.id], command: 'off' })).body.id,
      (await ask({ deviceIds: [one.id], command: 'on', lane: 'plan' })).body.id,
    ];
    expect([await stateOf(later), await stateOf(plan)]).toEqual([['queued'], ['superseded']]);
    const again = (await ask({ deviceIds: [one.id], command: 'on', lane: 'emergency', reason: 'x' })).body.id;
    expect([await stateOf(later), await stateOf(again)]).toEqual([['superseded'], ['queued']]);
  });
});

describe('pace', () => {
  it('of a gateway is kept by all processes together; who has its own keeps that, and lamps of their own wait for nobody', async () => {
    const [slow, usual] = [
      await givenDevice(db, { family: 'central-controller' }),
      await givenDevice(db, { family: 'central-controller' }),
    ];
    const behind = async (parentId: number, count: number) => {
      for (let n = 0; n < count; n += 1) await givenDevice(db, { parentId });
    };
    await behind(slow, 5);
    await behind(usual, 30);
    expect((await call(`/api/v1/command-paces/${slow}`, { method: 'PUT', body: { perSecond: 2 } })).status).toBe(204);
    expect(
      (await call<{ data: { id: number; perSecond: number | null; children: number }[] }>('/api/v1/command-paces')).body
        .data,
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: slow, perSecond: 2, children: 5 }),
        expect.objectContaining({ id: usual, perSecond: null, children: 30 }),
      ]),
    );
    const [first, second] = [
      (await ask({ scope: { controllerId: slow }, command: 'on' })).body.id,
      (await ask({ scope: { controllerId: usual }, command: 'on' })).body.id,
    ];
    const sentOf = async (id: number) => (await detail(id)).states['sent'] ?? 0;
    await Promise.all([dispatcher.send(), office.anotherDispatcher().send()]);
    // A quarter of a second's worth, at least one.
    expect([await sentOf(first), await sentOf(second)]).toEqual([1, 25]);
    await Promise.all([dispatcher.send(), office.anotherDispatcher().send()]);
    expect([await sentOf(first), await sentOf(second)], 'not before its time').toEqual([1, 25]);
    // The dispatcher comes again by itself when the first gateway is free.
    clock.set(new Date(now() + 250));
    await dispatcher.send();
    expect([await sentOf(first), await sentOf(second)]).toEqual([1, 30]);
    clock.set(new Date(now() + 250));
    await Promise.all([dispatcher.send(), office.anotherDispatcher().send()]);
    expect(await sentOf(first)).toBe(2);
    // Whoever is in more of a hurry has the next place, not the last.
    const last = (await detail(first)).items.find((item) => item.state === 'queued')?.deviceId;
    const hasty = (await ask({ deviceIds: [last], command: 'on', lane: 'emergency', reason: '积水抢险' })).body.id;
    clock.set(new Date(now() + 500));
    await dispatcher.send();
    expect([await sentOf(first), await sentOf(hasty)]).toEqual([2, 1]);
  });
});

describe('a request with an id', () => {
  const requestId = 'a8f1c0de-0000-4000-8000-000000000001';
  it('sent twice, even at once, makes one command; the same id for something else is refused', async () => {
    const { id } = await quietLamp();
    const body = { deviceIds: [id], command: 'on', requestId };
    const replies = await Promise.all([ask(body), ask(body), ask({ ...body, requestId: requestId.toUpperCase() })]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map(({ body: made }) => made.id)).size).toBe(1);
    expect((await db.selectFrom('command').select('id').where('request_id', '=', requestId).execute()).length).toBe(1);
    expect((await ask({ ...body, command: 'off' })).body.code).toBe(4010);
    const dimmed = { deviceIds: [id], command: 'dim', args: { level: 60 }, requestId: requestId.replace('1', '2') };
    expect((await ask(dimmed)).body.id).toBe((await ask({ ...dimmed, args: { level: '60' } })).body.id);
    expect((await ask({ ...dimmed, args: { level: 6 } })).body.code).toBe(4010);
    expect((await ask({ ...dimmed, deviceIds: [id, (await quietLamp()).id] })).body.code, 'other devices').toBe(4010);
    expect((await act(replies[0].body.id, 'verify', { requestId })).body['code'], 'another verb').toBe(4010);
    const { token } = await app.signIn({ username: 'second', permissions: ['lamp.control'], workAreas: [1] });
    expect((await ask(body, { token })).body.id, 'of somebody else it is another one').not.toBe(replies[0].body.id);
  });
});

it('a request to try again or to read back that is sent again is answered with what it made, though nothing is left to do', async () => {
  const one = await quietLamp();
  const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
  await dispatcher.send();
  await clock.advance(31_000);
  await dispatcher.endOverdue();
  const [verify, retry] = ['a8f1c0de-0000-4000-8000-000000000003', 'a8f1c0de-0000-4000-8000-000000000004'];
  const verifying = (await act<{ id: number }>(id, 'verify', { requestId: verify })).body;
  const again = (await act<{ id: number }>(id, 'retry', { requestId: retry })).body;
  await dispatcher.send();
  await obey([one], verifying.id);
  expect(await detail(id)).toMatchObject({ verified: { confirmed: 1 } });
  expect((await act(id, 'verify', { requestId: verify })).body).toEqual(verifying);
  expect((await act(id, 'retry', { requestId: retry })).body).toEqual(again);
});

describe('expiry', () => {
  it('is told to the device and to the broker, and nothing unsent goes after it', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'on', expiresAt: timeText(now() + 12_000) });
    const options: unknown[] = [];
    const away = office.anotherDispatcher({
      problem: () => null,
      publish: (_topic, _payload, given) => {
        options.push(given);
        return Promise.reject(new Error('away'));
      },
    });
    await away.send();
    expect(options).toContainEqual({ expirySeconds: 12 });
    await clock.advance(12_000);
    await dispatcher.send();
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({ items: [{ state: 'expired', error: 'notSent' }] });
    expect(one.heard.kept).toEqual([]);
    const soon = await ask({ deviceIds: [one.id], command: 'on', expiresAt: timeText(now() + 15_000) });
    await dispatcher.send();
    expect((await one.heard.take()).message).toMatchObject({
      commandId: String(soon.body.id),
      expiresAt: timeText(now() + 15_000),
    });
    for (const seconds of [5, 90_000])
      expect(
        (await ask({ deviceIds: [one.id], command: 'on', expiresAt: timeText(now() + seconds * 1000) })).body.code,
      ).toBe(1001);
  });
});

describe('cancelling', () => {
  it('ends what is not sent, leaves what is on its way to its own end, and does so once', async () => {
    const [one, two] = [await quietLamp(), await quietLamp()];
    const { id } = (await ask({ deviceIds: [one.id, two.id], command: 'on' })).body;
    await sql`UPDATE command_item SET state = 'sent', sent_at = ${clock.now()}
      WHERE command_id = ${id} AND device_id = ${one.id}`.execute(db);
    const first = await act(id, 'cancel', { reason: '误操作' });
    expect(first).toMatchObject({ status: 200, body: { cancelled: 1, onTheWay: 1 } });
    expect(await detail(id)).toMatchObject({
      state: 'cancelled',
      finished: false,
      cancelled: { by: 'admin', reason: '误操作', at: timeText(now()) },
      states: { cancelled: 1, sent: 1 },
    });
    expect((await act(id, 'cancel', { reason: 'again' })).body).toEqual(first.body);
    expect(await detail(id)).toMatchObject({ cancelled: { reason: '误操作' } });
    await one.accept(id);
    await clock.advance(500);
    await one.report(100, true);
    expect(await detail(id)).toMatchObject({
      state: 'cancelled',
      finished: true,
      states: { cancelled: 1, confirmed: 1 },
    });
    // Only where it is named is it asked for again.
    expect((await act(id, 'retry')).body['code']).toBe(4004);
    expect((await act(id, 'retry', { states: ['cancelled'] })).body).toMatchObject({ total: 1 });
    expect((await act(id, 'cancel', { reason: ' ' })).status).toBe(400);
  });

  it('needs every device of it in sight', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    const [mine, foreign] = [await givenDevice(db), await givenDevice(db, { workAreaId: 2, roadId: null })];
    const { id } = (await ask({ deviceIds: [mine, foreign], command: 'on' })).body;
    const { token } = await app.signIn({
      username: 'half',
      permissions: ['lamp.control', 'lamp.monitor'],
      workAreas: [1],
    });
    expect((await act(id, 'cancel', { reason: 'x' }, { token })).status).toBe(403);
    expect((await call<{ total: number }>(`/api/v1/commands/${id}`, { token })).body.total).toBe(1);
  });
});

describe('reading back', () => {
  it('settles what timed out, both states told; who is shown to be right is not asked again', async () => {
    const [right, wrong, away] = [await quietLamp(), await quietLamp(), await quietLamp()];
    const { id } = (await ask({ deviceIds: [right.id, wrong.id, away.id], command: 'on' })).body;
    await dispatcher.send();
    await clock.advance(31_000);
    await dispatcher.endOverdue();
    const { body: verifying } = await act<{ id: number; total: number }>(id, 'verify');
    expect(verifying.total).toBe(3);
    await dispatcher.send();
    for (const one of [right, wrong]) await one.accept(verifying.id);
    await clock.advance(500);
    await right.report(98, true);
    await wrong.report(0, false);
    expect(await detail(id)).toMatchObject({ states: { timedOut: 3 }, verified: { confirmed: 1, contradicted: 1 } });
    expect((await detail(id, '?verified=confirmed')).items).toMatchObject([
      {
        deviceId: right.id,
        state: 'timedOut',
        verification: { commandId: verifying.id, outcome: 'confirmed', level: 98 },
      },
    ]);
    expect((await detail(id, '?verified=no')).recordsTotal).toBe(1);
    expect(await detail(verifying.id)).toMatchObject({ lane: 'read', verifies: id });
    const retry = (await act<{ id: number; total: number }>(id, 'retry')).body;
    expect(retry.total).toBe(2);
    await dispatcher.send();
    expect((await act(id, 'verify')).body['code'], 'a newer word makes the old one meaningless').toBe(4004);
  });

  it('a patrol tells who answers, with the values and their age', async () => {
    const [one, two] = [await quietLamp(), await quietLamp()];
    await two.report(40, true, now() - 60_000);
    const { id } = (await ask({ deviceIds: [one.id, two.id], command: 'read' })).body;
    await dispatcher.send();
    await one.accept(id);
    await clock.advance(500);
    await one.report(100, true);
    await clock.advance(31_000);
    await dispatcher.endOverdue();
    const { items } = await detail(id);
    expect(items.find((item) => item.deviceId === one.id)).toMatchObject({
      state: 'confirmed',
      reading: { at: timeText(now() - 31_000), values: { level: 100 } },
    });
    expect(items.find((item) => item.deviceId === two.id)).toMatchObject({
      state: 'timedOut',
      error: 'noAnswer',
      reading: { values: { level: 40 } },
    });
  });

  it('of a place takes the families that are named', async () => {
    const camera = await givenDevice(db, { family: 'security-camera', roadId: null, workAreaId: 3 }).catch(async () => {
      await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (3, 'A3', '东区')`.execute(db);
      return givenDevice(db, { family: 'security-camera', roadId: null, workAreaId: 3 });
    });
    const { body } = await ask({
      scope: { workAreaId: 3, families: ['security-camera', 'lamp-pole'] },
      command: 'read',
    });
    expect((await detail(body.id)).items.map((item) => item.deviceId)).toEqual([camera]);
    expect((await ask({ scope: { workAreaId: 3, families: ['security-camera'] }, command: 'on' })).status).toBe(400);
    expect((await ask({ scope: { families: ['security-camera'] }, command: 'read' })).status).toBe(400);
  });
});

it('months of commands make the next one no slower: what can still be in force is found from the last day alone', async () => {
  await sql`INSERT INTO command (command, actor_name, created_at)
    SELECT 'on', 'x', ${clock.now()}::timestamptz - make_interval(mins => (20000 - i) * 3)
    FROM generate_series(1, 20000) i`.execute(db);
  await sql`ANALYZE command`.execute(db);
  const { rows } = await sql<{
    'QUERY PLAN': string;
  }>`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${firstInForce(clock.now())}`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using command_at');
  expect(plan).not.toContain('Removed by Filter');
});

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { commandOffice, type SeenItem as Item } from '../../testing/command-office.ts';
import { connectDevice, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';

// 2026-11-21 20:00 in Hangzhou: the lamps burn since 16:59, the sun rises at 06:29.
const start = Date.parse('2026-11-21T12:00:00Z');
const office = await commandOffice(start, { steps: { first: 500, next: 100 } });
const {
  app,
  db,
  call,
  clock,
  now,
  detail,
  stateOf,
  ask,
  act,
  logLines,
  lamp,
  quietLamp,
  dispatcher,
  ingest,
  broker,
  settings,
} = office;

describe('the life of a command', () => {
  it('goes queued, sent, acknowledged, confirmed, each for a reason', async () => {
    const one = await lamp();
    const { status, body } = await ask({
      deviceIds: [one.id],
      command: 'dim',
      args: { level: 60 },
      reason: '夜间节能',
    });
    expect([status, body.total]).toEqual([201, 1]);
    expect(await stateOf(body.id)).toEqual(['queued']);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['sent']);
    const { message } = await one.heard.take();
    expect(message).toEqual({
      commandId: String(body.id),
      command: 'dim',
      args: { level: 60 },
      issuedAt: timeText(now()),
      expiresAt: timeText(now() + 30_000),
      until: expect.stringMatching(/^2026-11-21T22:\d\d/),
      turn: expect.any(Number),
    });
    await clock.advance(1000);
    await one.accept(body.id);
    expect(await stateOf(body.id)).toEqual(['acknowledged']);
    await one.report(60, true, now() - 500);
    expect(await stateOf(body.id), 'a reading from before the execution proves nothing').toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(66, true);
    expect(await stateOf(body.id), 'six points off').toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(64, true);
    expect(await detail(body.id)).toMatchObject({
      finished: true,
      states: { confirmed: 1 },
      items: [{ state: 'confirmed', proof: { level: 64, relay: true, power: 64 } }],
    });
  });

  it('to a lamp that is disabled is refused with the reason; beside others it fails alone and nothing is sent to it', async () => {
    const [one, out] = [await lamp(), await lamp()];
    await db.updateTable('device').set({ enabled: false }).where('id', '=', out.id).execute();
    const refused = await ask({ deviceIds: [out.id], command: 'on' });
    expect([refused.status, refused.body.code]).toEqual([400, 4009]);
    const { body } = await ask({ deviceIds: [one.id, out.id], command: 'on' });
    expect(body.total).toBe(2);
    await dispatcher.send();
    await one.heard.take();
    expect((await detail(body.id)).items).toMatchObject([
      { deviceId: out.id, state: 'failed', error: 'disabled', sentAt: null, until: null },
      { deviceId: one.id, state: 'sent' },
    ]);
    // Once it is in use again, what failed can be asked for again.
    await db.updateTable('device').set({ enabled: true }).where('id', '=', out.id).execute();
    expect((await call<{ total: number }>(`/api/v1/commands/${body.id}/retry`, { method: 'POST' })).body.total).toBe(1);
  });

  it('is confirmed when the reading overtook the acknowledgement', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'off' });
    await dispatcher.send();
    const executedAt = now() + 100;
    await clock.advance(200);
    await one.report(0, false);
    expect(await stateOf(body.id)).toEqual(['sent']);
    await one.accept(body.id, executedAt);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it.each([
    ['1970', 0],
    ['next year', 365 * 86_400_000 + start],
  ])('is not confirmed by what was before it when the device’s clock says %s', async (_when, executedAt) => {
    const one = await lamp();
    await one.report(100, true);
    await clock.advance(60_000);
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    await dispatcher.send();
    await one.accept(body.id, executedAt);
    expect(await stateOf(body.id)).toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(100, true);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it('of a lamp that does not answer times out, and is never done', async () => {
    const silent = await givenDevice(db);
    const { body } = await ask({ deviceIds: [silent], command: 'on' });
    await dispatcher.send();
    await clock.advance(29_000);
    await dispatcher.endOverdue();
    expect(await stateOf(body.id)).toEqual(['sent']);
    await clock.advance(1000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({ finished: true, items: [{ state: 'timedOut', error: 'noAnswer' }] });
  });

  it('of a stuck relay is acknowledged and never confirmed; what was seen stands beside it', async () => {
    const stuck = await lamp();
    const { body } = await ask({ deviceIds: [stuck.id], command: 'off' });
    await dispatcher.send();
    await stuck.accept(body.id);
    await clock.advance(1000);
    await stuck.report(100, true);
    await clock.advance(120_000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({
      items: [{ state: 'timedOut', error: 'notConfirmed', proof: { level: 100, relay: true } }],
    });
  });

  it('fails in the device’s own words, or expires when it came too late', async () => {
    const [one, two] = [await lamp(), await lamp()];
    const { body } = await ask({ deviceIds: [one.id, two.id], command: 'on' });
    await dispatcher.send();
    await one.refuse(body.id, 'driver fault');
    await two.refuse(body.id, 'expired');
    const { items } = await detail(body.id);
    expect(items.map((item) => [item.state, item.error]).toSorted()).toEqual([
      ['expired', 'expired'],
      ['failed', 'driver fault'],
    ]);
  });

  it('is superseded by a newer one for the same lamp; a question supersedes nothing', async () => {
    const one = await lamp();
    const first = (await ask({ deviceIds: [one.id], command: 'on' })).body.id;
    const question = (await ask({ deviceIds: [one.id], command: 'read' })).body.id;
    const second = (await ask({ deviceIds: [one.id], command: 'off' })).body.id;
    expect([await stateOf(first), await stateOf(question), await stateOf(second)]).toEqual([
      ['superseded'],
      ['queued'],
      ['queued'],
    ]);
    await dispatcher.send();
    await one.accept(question);
    await one.accept(second);
    await clock.advance(500);
    await one.report(0, false);
    expect([await stateOf(first), await stateOf(question), await stateOf(second)]).toEqual([
      ['superseded'],
      ['confirmed'],
      ['confirmed'],
    ]);
  });

  it('keeps the verdict when the answer comes too late', async () => {
    const late = await lamp();
    const { body } = await ask({ deviceIds: [late.id], command: 'on' });
    await dispatcher.send();
    await clock.advance(31_000);
    await dispatcher.endOverdue();
    await late.accept(body.id);
    await late.report(100, true);
    expect(await detail(body.id)).toMatchObject({ items: [{ state: 'timedOut', acknowledgedAt: expect.any(String) }] });
  });

  it('waits in the table while nobody sends, is sent after a restart, and expires when that took too long', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    // A process claimed it and died: after its lease another one sends it.
    await sql`UPDATE command_item SET claimed_at = ${clock.now()} WHERE command_id = ${body.id}`.execute(db);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['queued']);
    await clock.advance(11_000);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['sent']);
    const unsent = (await ask({ deviceIds: [one.id], command: 'off' })).body.id;
    await clock.advance(120_000);
    await dispatcher.send();
    await dispatcher.endOverdue();
    expect(await detail(unsent)).toMatchObject({ items: [{ state: 'expired', error: 'notSent' }] });
  });

  it('is not called unsent when whoever sent it died before that was written, and nobody was there until it was over', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    await sql`UPDATE command_item SET claimed_at = ${clock.now()} WHERE command_id = ${body.id}`.execute(db);
    await clock.advance(120_000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({ items: [{ state: 'timedOut', error: 'noAnswer' }] });
  });

  it('reaches a lamp behind its controller, and is proved through it', async () => {
    const controller = await givenDevice(db, { family: 'central-controller' });
    const child = await givenDevice(db, { parentId: controller });
    const client = await connectDevice(
      `mqtt://127.0.0.1:${broker.port}`,
      controller,
      await givenCredentials(db, controller),
    );
    const heard = listen(client);
    await client.subscribeAsync('lampyris/v1/devices/' + controller + '/children/+/commands', { qos: 1 });
    const { body } = await ask({ scope: { controllerId: controller }, command: 'off' });
    await dispatcher.send();
    expect((await heard.take()).topic).toBe(topicOf({ kind: 'commands', deviceId: child, viaId: controller }));
    await client.publishAsync(
      topicOf({ kind: 'acks', deviceId: child, viaId: controller }),
      encode({ commandId: String(body.id), accepted: true, executedAt: timeText(now()) }),
      { qos: 1 },
    );
    await client.publishAsync(
      topicOf({ kind: 'readings', deviceId: child, viaId: controller }),
      encode({
        sentAt: timeText(now()),
        readings: [{ at: timeText(now()), values: { level: 0, relay: false, power: 0 } }],
      }),
      { qos: 1 },
    );
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it('is proved by the corrected time of a device whose clock is wrong', async () => {
    const one = await lamp();
    const behind = (at: number) => timeText(at - 300_000);
    const report = (level: number) =>
      ingest.take({
        topic: topicOf({ kind: 'readings', deviceId: one.id, viaId: null }),
        username: null,
        payload: encode({
          sentAt: behind(now()),
          readings: [{ at: behind(now()), values: { level, relay: true, power: level } }],
        }),
      });
    await report(100);
    const { body } = await ask({ deviceIds: [one.id], command: 'dim', args: { level: 30 } });
    await dispatcher.send();
    const { message } = await one.heard.take();
    expect(message['issuedAt']).toBe(behind(now()));
    await one.accept(body.id, now() - 300_000);
    await clock.advance(1000);
    await report(30);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });
});

describe('asking', () => {
  it('writes the command and its operation-log row together', async () => {
    const one = await givenDevice(db);
    await ask({ deviceIds: [one], command: 'on', reason: 'test' });
    const row = await db.selectFrom('operation_log').selectAll().orderBy('id', 'desc').executeTakeFirst();
    expect(row).toMatchObject({ username: 'admin', status: 201 });
  });

  it.each<[string, (id: number) => object, number]>([
    ['an unknown command', (id) => ({ deviceIds: [id], command: 'dance' }), 4002],
    ['a level out of range', (id) => ({ deviceIds: [id], command: 'dim', args: { level: 101 } }), 1001],
    ['no level', (id) => ({ deviceIds: [id], command: 'dim' }), 1001],
    ['an argument that is none', (id) => ({ deviceIds: [id], command: 'on', args: { colour: 'red' } }), 1001],
    [
      'an end more than 24 h away',
      (id) => ({ deviceIds: [id], command: 'on', until: timeText(start + 30 * 3_600_000) }),
      4003,
    ],
    ['an end that is no time', (id) => ({ deviceIds: [id], command: 'on', until: '2026-11-21T23:59:60Z' }), 1001],
    ['an end in the past', (id) => ({ deviceIds: [id], command: 'on', until: timeText(start - 1000) }), 1001],
    ['nobody', () => ({ command: 'on' }), 1001],
    ['a device and a road at once', (id) => ({ deviceIds: [id], scope: { roadId: 1 }, command: 'on' }), 1001],
    ['an empty road', () => ({ scope: { roadId: 8 }, command: 'on' }), 4004],
    ['a group that does not exist', () => ({ scope: { groupId: 999 }, command: 'on' }), 1301],
    ['an unknown command before an unknown device', () => ({ deviceIds: [999_999], command: 'dance' }), 4002],
    [
      'a wrong argument before an unknown device',
      () => ({ deviceIds: [999_999], command: 'dim', args: { level: 101 } }),
      1001,
    ],
    [
      'a wrong end before an unknown device',
      () => ({ deviceIds: [999_999], command: 'on', until: timeText(start + 30 * 3_600_000) }),
      4003,
    ],
    ['a device that does not exist', () => ({ deviceIds: [999_999], command: 'on' }), 1301],
  ])('refuses %s', async (_name, body, code) => {
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (8, 1, 'R8', '空路')
      ON CONFLICT DO NOTHING`.execute(db);
    const one = await givenDevice(db);
    expect((await ask(body(one))).body.code).toBe(code);
  });

  it('names the field that is wrong, whatever the code of the refusal', async () => {
    const one = await givenDevice(db);
    const fields = async (body: object) =>
      (await call<{ params: { field: string }[] }>('/api/v1/commands', { body })).body.params.map(({ field }) => field);
    expect(await fields({ deviceIds: [one], command: 'dance' })).toEqual(['command']);
    expect(await fields({ deviceIds: [one], command: 'on', until: timeText(now() + 25 * 3_600_000) })).toEqual([
      'until',
    ]);
  });

  it('of a controller is refused what only lamps offer', async () => {
    const controller = await givenDevice(db, { family: 'central-controller' });
    expect((await ask({ deviceIds: [controller], command: 'on' })).body.code).toBe(4002);
    expect((await ask({ deviceIds: [controller], command: 'read' })).status).toBe(201);
  });

  it('for a road takes its enabled lamps; each ends at its next switch unless told', async () => {
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (7, 1, 'R7', '江南路')
      ON CONFLICT DO NOTHING`.execute(db);
    for (const enabled of [true, true, false]) await givenDevice(db, { roadId: 7, enabled });
    await givenDevice(db, { roadId: 7, family: 'central-controller' });
    const { body } = await ask({ scope: { roadId: 7 }, command: 'off' });
    expect(body.total).toBe(2);
    expect((await detail(body.id)).until).toMatch(/^2026-11-21T22:/);
    const asked = timeText(now() + 3_600_000);
    const again = await ask({ scope: { roadId: 7 }, command: 'off', until: asked });
    expect((await detail(again.body.id)).items.map((item) => item.until)).toEqual([asked, asked]);
    expect((await detail((await ask({ scope: { roadId: 7 }, command: 'auto' })).body.id)).until).toBeNull();
  });

  it('again goes only to those that missed it', async () => {
    const [one, two] = [await lamp(), await lamp()];
    const { body } = await ask({ deviceIds: [one.id, two.id], command: 'dim', args: { level: 50 } });
    await dispatcher.send();
    await one.accept(body.id);
    await one.report(50, true, now() + 1);
    await clock.advance(31_000);
    await dispatcher.endOverdue();
    expect((await detail(body.id)).items.map((item) => item.state)).toEqual(['timedOut', 'confirmed']);
    const retry = await call<{ id: number; total: number }>(`/api/v1/commands/${body.id}/retry`, { method: 'POST' });
    expect(retry).toMatchObject({ status: 201, body: { total: 1 } });
    expect(await detail(retry.body.id)).toMatchObject({ items: [{ deviceId: two.id, state: 'queued' }] });
    expect(
      (await call<{ code: number }>(`/api/v1/commands/${retry.body.id}/retry`, { method: 'POST' })).body.code,
    ).toBe(4004);
    const history = await call<{ data: { id: number; item: Item }[]; recordsTotal: number }>(
      `/api/v1/commands?deviceId=${two.id}`,
    );
    expect(history.body.data.map((row) => [row.id, row.item.state])).toEqual([
      [retry.body.id, 'queued'],
      [body.id, 'timedOut'],
    ]);
    expect(history.body.recordsTotal).toBe(2);
  });

  it('needs the permission and stays within the caller’s work areas', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    const [mine, foreign] = [await givenDevice(db), await givenDevice(db, { workAreaId: 2, roadId: null })];
    const watcher = await app.signIn({ username: 'watcher', permissions: ['lamp.monitor'], workAreas: [1] });
    const operator = await app.signIn({
      username: 'operator',
      permissions: ['lamp.monitor', 'lamp.control'],
      workAreas: [1],
    });
    const as = (token: string, deviceIds: number[]) =>
      call<{ id: number }>('/api/v1/commands', { token, body: { deviceIds, command: 'on' } });
    expect((await as(watcher.token, [mine])).status).toBe(403);
    expect((await as(operator.token, [mine])).status).toBe(201);
    expect((await as(operator.token, [mine, foreign])).status).toBe(403);
    await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (9, 2, 'R9', '西路')
      ON CONFLICT DO NOTHING`.execute(db);
    expect(
      (await call('/api/v1/commands', { token: operator.token, body: { scope: { roadId: 9 }, command: 'on' } })).status,
    ).toBe(403);
    const { id } = (await as(app.adminToken, [foreign])).body;
    expect((await call(`/api/v1/commands/${id}`, { token: operator.token })).status).toBe(403);
    expect((await call(`/api/v1/commands/${id}/retry`, { token: operator.token, method: 'POST' })).status).toBe(403);
    const list = await call<{ data: { id: number }[] }>('/api/v1/commands?size=1000', { token: operator.token });
    expect(list.body.data.some((row) => row.id === id)).toBe(false);
  });
});

describe('the log', () => {
  it('tells a command by its ids: when it is asked for, repeated, refused, handed to nobody, and over', async () => {
    const one = await quietLamp();
    await dispatcher.send();
    await dispatcher.keepCounts();
    const begin = logLines().length;
    const first = (await ask({ deviceIds: [one.id], command: 'on' })).body.id;
    const away = office.anotherDispatcher({
      problem: () => null,
      publish: () => Promise.reject(new Error('the broker is away')),
    });
    await away.send();
    await dispatcher.send();
    await one.refuse(first, 'lampOpen');
    const again = (await act<{ id: number }>(first, 'retry', { states: ['failed'] })).body.id;
    await act(999_999, 'cancel', { reason: 'x' });
    await dispatcher.keepCounts();
    await dispatcher.keepCounts();
    const lines = logLines().slice(begin);
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toMatchObject([
      {
        level: 'info',
        method: 'POST',
        path: '/api/v1/commands',
        status: 201,
        accountId: 1,
        action: 'command.create',
        commandId: first,
      },
      { path: `/api/v1/commands/${first}/retry`, status: 201, commandId: again, fromId: first },
      { path: '/api/v1/commands/999999/cancel', status: 404, refused: 'notFound', commandId: 999_999 },
    ]);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(3);
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings[0]).toMatchObject({
      msg: 'commands could not be handed to the broker; trying on',
      reason: 'the broker is away',
      count: 1,
      commandIds: [first],
      deviceIds: [one.id],
    });
    expect(lines.filter(({ msg, commandId }) => msg === 'a command has ended' && commandId === first)).toMatchObject([
      { level: 'info', command: 'on', states: { failed: 1 } },
    ]);
    // Nothing of a single message: a large command has many.
    expect(
      lines.filter(({ level, msg }) => level !== 'warn' && msg !== 'request' && msg !== 'a command has ended'),
    ).toEqual([]);
  });
});

describe('lists', () => {
  it('tell of what has ended as it ended, and each reader of its own areas', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    const lamps = [await quietLamp(), await quietLamp(), await quietLamp({ workAreaId: 2, roadId: null })];
    const give = async () => (await ask({ deviceIds: lamps.map((one) => one.id), command: 'on' })).body.id;
    const [ended, open] = [await give(), await give()];
    const readers = {
      all: app.adminToken,
      west: (await app.signIn({ username: 'west', permissions: ['lamp.monitor'], workAreas: [2] })).token,
      bound: (await app.signIn({ username: 'bound', permissions: ['lamp.monitor'], workAreas: [2] })).token,
    };
    await sql`INSERT INTO device_account (device_id, account_id) SELECT ${lamps[0]?.id}, id FROM account
      WHERE username = 'bound'`.execute(db);
    const told = async (token: string) => {
      const { data } = (
        await call<{ data: { id: number; total: number; states: object; state: string }[] }>(
          '/api/v1/commands?size=1000',
          { token },
        )
      ).body;
      return [ended, open]
        .map((id) => data.find((row) => row.id === id))
        .map((row) => [row?.total, row?.states, row?.state]);
    };
    const expected = {
      all: [
        [3, { superseded: 3 }, 'finished'],
        [3, { queued: 3 }, 'running'],
      ],
      west: [
        [1, { superseded: 1 }, 'finished'],
        [1, { queued: 1 }, 'running'],
      ],
      bound: [
        [2, { superseded: 2 }, 'finished'],
        [2, { queued: 2 }, 'running'],
      ],
    };
    for (const [name, token] of Object.entries(readers))
      expect(await told(token), name).toEqual(expected[name as keyof typeof expected]);
    await dispatcher.keepCounts();
    await dispatcher.keepCounts();
    for (const [name, token] of Object.entries(readers))
      expect(await told(token), name).toEqual(expected[name as keyof typeof expected]);
    expect(
      (
        await db.selectFrom('command').select(['id', 'counts']).where('id', 'in', [ended, open]).orderBy('id').execute()
      ).map((row) => row.counts),
    ).toEqual([{ 1: { superseded: 2 }, 2: { superseded: 1 } }, null]);
    // One that is taken out of the register afterwards was told all the same.
    await db
      .deleteFrom('device')
      .where('id', '=', lamps[1]?.id ?? 0)
      .execute();
    expect((await told(readers.all))[0]).toEqual([3, { superseded: 3 }, 'finished']);
    expect((await detail(ended)).total).toBe(2);
  });
  it('are filtered by state, lane, who and when; items by state and words', async () => {
    const lamps = [await quietLamp(), await quietLamp(), await quietLamp()];
    const { id } = (
      await ask({ deviceIds: lamps.map((one) => one.id), command: 'dim', args: { level: 44 }, lane: 'plan' })
    ).body;
    await dispatcher.send();
    await lamps[0]?.refuse(id, 'driver fault');
    const ids = async (query: string) =>
      (await call<{ data: { id: number }[] }>(`/api/v1/commands?size=1000&${query}`)).body.data.map((row) => row.id);
    expect(await ids('lane=plan&state=running')).toContain(id);
    expect(await ids('lane=manual,emergency')).not.toContain(id);
    expect(await ids('state=finished')).not.toContain(id);
    expect(await ids('actor=ADM&command=dim')).toContain(id);
    expect(await ids(`from=${encodeURIComponent(timeText(now() + 1))}`)).toEqual([]);
    expect((await call('/api/v1/commands?state=done')).status).toBe(400);
    expect(await detail(id, '?state=failed')).toMatchObject({
      total: 3,
      recordsTotal: 1,
      items: [{ error: 'driver fault' }],
    });
    const { code } = await db
      .selectFrom('device')
      .select('equipment_code as code')
      .where('id', '=', lamps[1]?.id ?? 0)
      .executeTakeFirstOrThrow();
    expect((await detail(id, `?q=${code.toLowerCase()}`)).items.map((item) => item.deviceId)).toContain(lamps[1]?.id);
  });
});

it('a very large command goes in steps, all of it; what failed stands first', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (5, 'A5', '大区') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`INSERT INTO device (family, work_area_id, equipment_code, rated_watts, search_words)
    SELECT 'single-lamp-controller', 5, 'V-' || i, 100, '' FROM generate_series(1, 510) i`.execute(db);
  const { body } = await ask({ scope: { workAreaId: 5 }, command: 'dim', args: { level: 70 } });
  expect(body.total).toBe(510);
  expect((await detail(body.id)).states).toEqual({ queued: 500, waiting: 10 });
  await dispatcher.send();
  expect((await detail(body.id)).states).toEqual({ sent: 510 });
  const { id } = await db
    .selectFrom('device')
    .select('id')
    .where('equipment_code', '=', 'V-400')
    .executeTakeFirstOrThrow();
  await sql`UPDATE command_item SET state = 'failed' WHERE command_id = ${body.id} AND device_id = ${id}`.execute(db);
  expect((await detail(body.id, '?size=2')).items.map((item) => item.state)).toEqual(['failed', 'sent']);
  const { token } = await app.signIn({ username: 'large', permissions: ['lamp.monitor'], workAreas: [5] });
  expect((await call<{ items: Item[] }>(`/api/v1/commands/${body.id}?size=1`, { token })).body.items).toMatchObject([
    { deviceId: id },
  ]);
  // Every page of it is its stretch of the whole, whatever is asked for; and reads no more than that.
  const page = async (query: string) => {
    const { items, recordsTotal } = await detail(body.id, `?${query}`);
    return [recordsTotal, items.length, items[0]?.state, items.at(-1)?.deviceId] as const;
  };
  const last = (await page('size=10&page=51'))[3];
  expect(await page('size=10&page=51')).toEqual([510, 10, 'sent', last]);
  expect(await page('size=10&page=52')).toEqual([510, 0, undefined, undefined]);
  expect(await page('size=100&page=6&state=sent,failed')).toEqual([510, 10, 'sent', last]);
  expect(await page('size=100&page=6&state=sent')).toEqual([509, 9, 'sent', last]);
  expect(await page('size=5&state=sent&canary=false&page=102')).toEqual([509, 4, 'sent', last]);
  expect(await page('size=50&state=queued')).toEqual([0, 0, undefined, undefined]);
});

describe('settings', () => {
  it('have bounds, are versioned, and hold at once', async () => {
    const { body } = await call<{ version: number; limits: object }>('/api/v1/command-settings');
    expect(
      (await settings({ version: body.version, limits: { acknowledgeSeconds: 3, confirmSeconds: 6 } })).body,
    ).toMatchObject({
      version: body.version + 1,
      limits: { acknowledgeSeconds: 3, confirmSeconds: 6, queueSeconds: 120 },
    });
    expect((await settings({ version: body.version, limits: {} })).status).toBe(409);
    expect((await settings({ limits: { acknowledgeSeconds: 0 } })).status).toBe(400);
    expect((await settings({ limits: { acknowledgeSeconds: 6 } })).status).toBe(400);
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    await dispatcher.send();
    await clock.advance(3000);
    await dispatcher.endOverdue();
    expect(await detail(id)).toMatchObject({
      states: { timedOut: 1 },
      limits: { acknowledgeSeconds: 3, confirmSeconds: 6 },
    });
    await settings({ limits: body.limits });
  });
});

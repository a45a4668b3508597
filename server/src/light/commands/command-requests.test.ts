import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { commandOffice, type SeenItem as Item } from '../../testing/command-office.ts';
import { givenDevice } from '../../testing/devices.ts';

// 2026-11-21 20:00 in Hangzhou: the lamps burn since 16:59, the sun rises at 06:29.
const start = Date.parse('2026-11-21T12:00:00Z');
const office = await commandOffice(start);
const { app, db, call, clock, now, detail, ask, lamp, quietLamp, dispatcher, settings } = office;

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
    const past = { deviceIds: [one], command: 'on', until: timeText(now() - 1000) };
    expect((await call('/api/v1/commands', { body: past })).body).toMatchObject({
      params: [{ field: 'until', rule: 'minimum', message: `不能小于 ${new Date(now() + 1).toISOString()}` }],
    });
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

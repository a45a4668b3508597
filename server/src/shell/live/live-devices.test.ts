import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ServerMessage } from '../../../../contract/live.ts';
import { givenDevice } from '../../testing/devices.ts';
import { liveSite } from './testing/live-site.ts';

const { clock, app, db, bus, lampIds, open, signedIn, watching } = await liveSite();

describe('devices', () => {
  const [pole, camera] = [{ id: 0 }, { id: 0 }];
  const say = async (id: number, values: object, receivedAt = clock.now()) => {
    await sql`INSERT INTO device_latest (device_id, at, received_at, values)
      VALUES (${id}, ${receivedAt}, ${receivedAt}, ${JSON.stringify(values)}::jsonb)
      ON CONFLICT (device_id) DO UPDATE SET at = excluded.at, received_at = excluded.received_at,
        values = device_latest.values || excluded.values`.execute(db);
    bus.publish('devices.changed', { ids: [id] });
  };
  const turn = async (id: number, state: string, online: boolean) => {
    await sql`INSERT INTO device_state (device_id, state, online, since, judged_at)
      VALUES (${id}, ${state}, ${online}, now(), now()) ON CONFLICT (device_id) DO UPDATE
      SET state = excluded.state, online = excluded.online`.execute(db);
    bus.publish('lamps.judged', { ids: [id] });
  };
  const tick = () => clock.advance(300);
  const took = async (reader: { take(): Promise<ServerMessage> }) => {
    const message = await reader.take();
    return message.type === 'devices' ? message.devices : message;
  };
  beforeAll(async () => {
    camera.id = await givenDevice(db, { family: 'security-camera' });
    pole.id = await givenDevice(db, { family: 'security-camera', workAreaId: 2, roadId: null });
    await turn(camera.id, 'on', true);
    await turn(pole.id, 'on', true);
    await tick();
  });

  it('tells of a family everything once and then only what changed, of the map states alone, and of other families nothing', async () => {
    const { token } = await app.signIn({ username: 'lister', permissions: ['device.query'], workAreas: [1] });
    const [list, map, other, west] = [
      await watching(token, ['devices:security-camera']),
      await watching(token, ['devices']),
      await watching(token, ['devices:wifi']),
      await watching(app.adminToken, ['devices:security-camera@2']),
    ];
    const at = clock.now().toISOString();
    await say(camera.id, { temperature: 20, online: true });
    await say(pole.id, { temperature: 5 });
    await tick();
    expect(await took(list)).toEqual([
      {
        id: camera.id,
        family: 'security-camera',
        state: 'on',
        online: true,
        fault: null,
        at,
        receivedAt: at,
        values: { temperature: 20, online: true },
      },
    ]);
    expect(await took(west)).toMatchObject([{ id: pole.id, values: { temperature: 5 } }]);
    expect(await took(map)).toEqual([
      { id: camera.id, family: 'security-camera', state: 'on', online: true, fault: null },
    ]);
    await say(camera.id, { temperature: 21 });
    await tick();
    expect(await took(list)).toMatchObject([{ id: camera.id, values: { temperature: 21 } }]);
    await turn(camera.id, 'offline', false);
    await tick();
    expect(await took(list)).toEqual([{ id: camera.id, family: 'security-camera', state: 'offline', online: false }]);
    expect(await took(map), 'a new value is nothing to a map').toEqual([
      { id: camera.id, family: 'security-camera', state: 'offline', online: false },
    ]);
    bus.publish('lamps.judged', { ids: [camera.id] });
    await tick();
    list.say({ type: 'ping' });
    expect(await list.take(), 'judged, and nothing changed').toMatchObject({ type: 'pong' });
    expect(other.kept).toEqual([]);
    bus.publish('register.changed', {});
    await clock.advance(2000);
    expect(await list.take()).toEqual({ type: 'register', topic: 'devices:security-camera' });
  });

  it('need the permission, the area and a family that there is', async () => {
    const [nobody, east] = [
      await app.signIn({ username: 'nobody2', workAreas: [1] }),
      await app.signIn({ username: 'east4', permissions: ['device.query'], workAreas: [1] }),
    ];
    expect((await watching(nobody.token, ['devices'])).answers).toEqual([
      { type: 'refused', topic: 'devices', reason: 'missingPermission' },
    ]);
    expect(
      (await watching(east.token, ['devices@2', 'devices:spaceship', `device:${pole.id}`, `device:${camera.id}`]))
        .answers,
    ).toEqual([
      { type: 'refused', topic: 'devices@2', reason: 'foreignWorkArea' },
      { type: 'refused', topic: 'devices:spaceship', reason: 'notFound' },
      { type: 'refused', topic: `device:${pole.id}`, reason: 'foreignWorkArea' },
    ]);
    expect(
      (await watching(app.adminToken, ['devices@2', 'devices@1'], 1)).answers,
      'all areas, and one of them in force',
    ).toEqual([{ type: 'refused', topic: 'devices@2', reason: 'foreignWorkArea' }]);
  });

  it('one who was cut off hears what it missed, and all of it; after too long it fetches again', async () => {
    // A little more than what was missed is told: clocks of processes differ.
    await clock.advance(10_000);
    const reader = await watching(app.adminToken, ['devices:security-camera', 'lamps']);
    await say(camera.id, { temperature: 30 });
    await tick();
    const { at: heard } = (await reader.take()) as { at: string };
    await clock.advance(10_000);
    open.at(-1)?.terminate();
    expect(await reader.closed).toBe(1006);
    await say(camera.id, { temperature: 31 });
    await turn(lampIds[0] ?? 0, 'off', true);
    await tick();
    const back = await signedIn(app.adminToken);
    back.say({ type: 'subscribe', topics: ['devices:security-camera', 'lamps'], since: heard });
    expect(await took(back)).toMatchObject([{ id: camera.id, values: { temperature: 31 } }]);
    expect(await back.take()).toMatchObject({ type: 'lamps', lamps: [[lampIds[0], 2, 60, null, true, null, null]] });
    await clock.advance(120_000);
    await say(camera.id, { temperature: 32 });
    await tick();
    const late = await signedIn(app.adminToken);
    late.say({ type: 'subscribe', topics: ['devices:security-camera', 'lamps'], since: heard });
    expect([await late.take(), await late.take()]).toEqual([
      { type: 'stale', topic: 'devices:security-camera' },
      { type: 'stale', topic: 'lamps' },
    ]);
  });

  it('one who was cut off hears that something was registered meanwhile, and not what was before', async () => {
    const heard = clock.now().toISOString();
    await clock.advance(10_000);
    bus.publish('register.changed', {});
    await clock.advance(2000);
    const back = await signedIn(app.adminToken);
    back.say({ type: 'subscribe', topics: ['devices:security-camera'], since: heard });
    expect(await back.take()).toEqual({ type: 'register', topic: 'devices:security-camera' });
    await clock.advance(10_000);
    const later = await signedIn(app.adminToken);
    later.say({ type: 'subscribe', topics: ['devices:security-camera'], since: clock.now().toISOString() });
    later.say({ type: 'ping' });
    expect(await later.take()).toMatchObject({ type: 'pong' });
  });

  it('what could not be read when it was to be told is told with the next turn', async () => {
    await clock.advance(10_000);
    const { token } = await app.signIn({
      username: 'unlucky',
      permissions: ['device.query', 'lamp.monitor'],
      workAreas: [1],
    });
    const reader = await watching(token, ['devices:security-camera', 'lamps']);
    await say(camera.id, { temperature: 40 });
    await tick();
    expect(await took(reader)).toMatchObject([{ id: camera.id, values: { temperature: 40 } }]);
    await say(camera.id, { temperature: 41 });
    await turn(lampIds[0] ?? 0, 'on', true);
    // Whom it is told is asked after what is told was read.
    await sql`ALTER TABLE device_account RENAME TO device_account_away`.execute(db);
    await tick();
    await sql`ALTER TABLE device_account_away RENAME TO device_account`.execute(db);
    await tick();
    const messages = [await reader.take(), await reader.take()];
    expect(messages).toContainEqual(
      expect.objectContaining({
        type: 'devices',
        devices: [expect.objectContaining({ id: camera.id, values: expect.objectContaining({ temperature: 41 }) })],
      }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ type: 'lamps', lamps: [expect.arrayContaining([lampIds[0]])] }),
    );
  });
});

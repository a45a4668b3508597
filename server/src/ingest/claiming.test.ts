import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connectDevice, givenDevice, listen } from '../testing/devices.ts';
import { batchesOffice } from './testing/batches.ts';

const {
  clock,
  journal,
  app,
  db,
  call,
  url,
  givenBatch,
  one,
  waitingFor,
  member,
  closed,
  topic,
  newSecret,
  at,
  values,
  say,
  readings,
  newLamp,
  historyOf,
} = await batchesOffice();

describe('claiming', () => {
  it('makes a new device, tells it who it is, and from then on it speaks as itself', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-20');
    const heard = listen(client);
    await client.subscribeAsync(topic(batch, 'SN-20', 'provision'), { qos: 1 });
    const secret = newSecret();
    await say(client, batch, 'hello', { secret, family: 'single-lamp-controller' });
    await say(client, batch, 'readings', readings());
    const { id } = await waitingFor(batch.batch.id, 'SN-20');
    const claimed = await call<{ deviceId: number; credentials: null }>(`/api/v1/newcomers/${id}/claim`, {
      body: newLamp('L-20'),
    });
    expect(claimed).toMatchObject({ status: 201, body: { credentials: null } });
    const { deviceId } = claimed.body;
    const name = `lampyris-${deviceId}`;
    expect(await heard.take()).toEqual({
      topic: topic(batch, 'SN-20', 'provision'),
      message: { clientId: name, username: name, deviceId: String(deviceId) },
    });
    // What it said while it waited is its own.
    expect(await historyOf(deviceId)).toEqual([{ values }]);
    const own = await connectDevice(url(), deviceId, secret);
    await clock.advance(1000);
    await own.publishAsync(`lampyris/v1/devices/${deviceId}/readings`, JSON.stringify(readings({ level: 40 })), {
      qos: 1,
    });
    expect(await historyOf(deviceId)).toEqual([{ values }, { values: { ...values, level: 40 } }]);
    expect(await one(id)).toMatchObject({ state: 'claimed', deviceId, arrivedAt: expect.any(String) });
    // It forgot: a hello with the same secret is answered again, one with another is doubted and gets nothing.
    await clock.advance(10_000);
    await say(client, batch, 'hello', { secret });
    expect((await heard.take()).message).toMatchObject({ deviceId: String(deviceId) });
    await say(client, batch, 'hello', { secret: newSecret() });
    expect(await one(id)).toMatchObject({ doubt: 'secret' });
    expect(heard.kept).toHaveLength(0);
    const { rows } = await sql<{ row: string }>`SELECT to_jsonb(o)::text AS row FROM operation_log o`.execute(db);
    expect(rows.filter(({ row }) => row.includes('newcomer.claim')).length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  });

  it('binds a registered device, offered by its code; one with credentials only when they are to be replaced', async () => {
    const batch = await givenBatch();
    const lamp = await givenDevice(db);
    await db.updateTable('device').set({ equipment_code: 'sn-21' }).where('id', '=', lamp).execute();
    await say(await member(batch, 'SN-21'), batch, 'hello', { secret: newSecret() });
    const found = await waitingFor(batch.batch.id, 'SN-21');
    expect(found.matches).toEqual([expect.objectContaining({ id: lamp, hasCredentials: false })]);
    expect((await call<{ data: { id: number }[] }>('/api/v1/connectable-devices?q=sn-21')).body.data).toEqual([
      expect.objectContaining({ id: lamp }),
    ]);
    // By what every search finds it by: pinyin, and its code without what stands between the parts.
    const { body: spoken } = await call<{ id: number }>('/api/v1/devices', {
      body: { ...newLamp('BJ-0042').device, equipmentName: '滨江 42 号' },
    });
    for (const q of ['binjiang', 'bj0042', 'ＢＪ-00', '滨江 号'])
      expect(
        (
          await call<{ data: { id: number }[] }>(`/api/v1/connectable-devices?q=${encodeURIComponent(q)}`)
        ).body.data.map(({ id }) => id),
        q,
      ).toEqual([spoken.id]);
    await call(`/api/v1/devices/${lamp}/credentials`, { method: 'POST' });
    expect((await call<{ data: unknown[] }>('/api/v1/connectable-devices?q=sn-21')).body.data).toEqual([]);
    expect(await call(`/api/v1/newcomers/${found.id}/claim`, { body: { deviceId: lamp } })).toMatchObject({
      status: 400,
      body: { code: 4020 },
    });
    expect(
      await call(`/api/v1/newcomers/${found.id}/claim`, { body: { deviceId: lamp, replace: true } }),
    ).toMatchObject({ status: 201, body: { deviceId: lamp } });
  });

  it('of one that never said hello shows its credentials once, to be put in by hand', async () => {
    const batch = await givenBatch();
    await member(batch, 'SN-22');
    const { id } = await waitingFor(batch.batch.id, 'SN-22');
    const { body } = await call<{ deviceId: number; credentials: { password: string } }>(
      `/api/v1/newcomers/${id}/claim`,
      { body: newLamp('L-22') },
    );
    await connectDevice(url(), body.deviceId, body.credentials.password);
  });

  it('takes over a long message of readings whole, although people are shown its beginning only', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-26');
    const buffered = Array.from({ length: 70 }, (_, minute) => ({
      at: new Date(clock.now().getTime() - minute * 60_000).toISOString(),
      values,
    }));
    const text = JSON.stringify({ sentAt: at(), note: '"secret":"x"', secret: 'a"b', readings: buffered });
    expect(text.length).toBeGreaterThan(6000);
    await say(client, batch, 'readings', text);
    // Cut in the middle of a sign: still kept, and still shown.
    await say(client, batch, 'readings', `${'.'.repeat(3999)}💡`);
    const found = await waitingFor(batch.batch.id, 'SN-26');
    expect(found.payloads.map(({ text: shown, problem }) => [shown.length, problem === null])).toEqual([
      [4000, false],
      [4000, true],
    ]);
    expect(found.payloads[1]?.text).toContain('"secret":"…"');
    const { body } = await call<{ deviceId: number }>(`/api/v1/newcomers/${found.id}/claim`, { body: newLamp('L-26') });
    expect(await historyOf(body.deviceId)).toHaveLength(70);
  });

  it('by two people at once succeeds once', async () => {
    const batch = await givenBatch();
    await member(batch, 'SN-23');
    const { id } = await waitingFor(batch.batch.id, 'SN-23');
    const replies = await Promise.all(
      ['L-23a', 'L-23b'].map((code) => call(`/api/v1/newcomers/${id}/claim`, { body: newLamp(code) })),
    );
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409]);
    expect((await sql`SELECT 1 FROM device WHERE equipment_code LIKE 'L-23%'`.execute(db)).rows).toHaveLength(1);
  });

  it('refuses what the family, the register and the batch refuse, and leaves it waiting', async () => {
    const batch = await givenBatch({ families: ['gateway'] });
    await member(batch, 'SN-24');
    const { id } = await waitingFor(batch.batch.id, 'SN-24');
    const claim = (body: unknown) =>
      call<{ code: number; params?: { field: string }[] }>(`/api/v1/newcomers/${id}/claim`, { body });
    expect(await claim(newLamp('L-24'))).toMatchObject({ status: 400, body: { code: 4021 } });
    expect(
      (await claim({ device: { family: 'gateway', workId: 1 } })).body.params?.map(({ field }) => field),
    ).toContain('equipmentCode');
    expect((await claim({})).status).toBe(400);
    expect((await claim({ deviceId: 999_999_999 })).status).toBe(404);
    expect((await sql`SELECT 1 FROM device WHERE equipment_code = 'L-24'`.execute(db)).rows).toHaveLength(0);
    expect(await one(id)).toMatchObject({ state: 'waiting' });
    expect((await call('/api/v1/batches', { body: { name: 'x', workId: 1, families: ['lamp-pole'] } })).status).toBe(
      400,
    );
  });

  it('is for people of the work area of the batch', async () => {
    const batch = await givenBatch({ workId: 2 });
    await member(batch, 'SN-25');
    const { id } = await waitingFor(batch.batch.id, 'SN-25');
    const { token } = await app.signIn({ username: 'east', permissions: ['device.provision'], workAreas: [1] });
    expect(
      (await call<{ data: unknown[] }>(`/api/v1/newcomers?batchId=${batch.batch.id}`, { token })).body.data,
    ).toEqual([]);
    expect((await call(`/api/v1/newcomers/${id}`, { token })).status).toBe(403);
    expect((await call('/api/v1/batches', { token, body: { name: 'y', workId: 2 } })).status).toBe(403);
  });
});

describe('the line of a device being connected', () => {
  it('tells what was refused though nobody looked, and every try with its reason once somebody watches', async () => {
    const lamp = await givenDevice(db);
    const {
      body: { password },
    } = await call<{ password: string }>(`/api/v1/devices/${lamp}/credentials`, { method: 'POST' });
    const name = `lampyris-${lamp}`;
    const events = async () => {
      await journal.settled();
      return (
        await call<{ builtIn: boolean; events: { kind: string; reason: string | null; detail: string | null }[] }>(
          `/api/v1/devices/${lamp}/link`,
        )
      ).body.events
        .map(({ kind, reason, detail }) => [kind, reason, detail])
        .toReversed();
    };
    await expect(connectDevice(url(), lamp, 'before anybody looked')).rejects.toThrow();
    expect(await events()).toEqual([['denied', 'wrongPassword', null]]);
    const told: number[] = [];
    const deafen = app.bus.subscribe('devices.changed', ({ ids }) => {
      told.push(...ids.filter((id) => id === lamp));
    });
    await expect(connectDevice(url(), lamp, 'wrong')).rejects.toThrow();
    await expect(connectDevice(url(), lamp, password, { clientId: 'my-lamp' })).rejects.toThrow();
    await expect(connectDevice(url(), lamp, password, { username: 'admin' })).rejects.toThrow();
    await journal.settled();
    // Who looks at the line need not ask again and again: each try is told, when it is written.
    expect(told).toEqual([lamp, lamp, lamp]);
    deafen();
    const client = await connectDevice(url(), lamp, password);
    await client.subscribeAsync(`lampyris/v1/devices/${lamp}/commands`, { qos: 1 });
    await client.subscribeAsync('#', { qos: 1 }).catch(() => undefined);
    const own = `lampyris/v1/devices/${lamp}/readings`;
    await client.publishAsync(own, JSON.stringify({ ...readings(), sentAt: 'noon' }), { qos: 1 });
    await client.publishAsync(own, JSON.stringify(readings({ voltage: 999, mystery: 1 })), { qos: 1 });
    const gone = closed(client);
    client.publish('lampyris/v1/devices/999/readings', '{}', { qos: 1 });
    await gone;
    await expect.poll(async () => (await events()).at(-1)?.[0]).toBe('disconnected');
    expect(await events()).toEqual([
      ['denied', 'wrongPassword', null],
      ['denied', 'wrongPassword', null],
      ['denied', 'wrongClientId', 'my-lamp'],
      ['denied', 'wrongUsername', 'admin'],
      ['connected', null, null],
      ['subscribed', null, `lampyris/v1/devices/${lamp}/commands`],
      ['subscriptionRefused', 'foreignTopic', '#'],
      ['messageRefused', 'schema', expect.stringContaining('sentAt')],
      ['messageRefused', 'unknownValue', 'mystery'],
      ['messageRefused', 'implausibleValue', 'voltage=999'],
      ['publishRefused', 'foreignTopic', 'lampyris/v1/devices/999/readings'],
      ['disconnected', null, null],
    ]);
    expect(name).toBe(`lampyris-${lamp}`);
  });
});

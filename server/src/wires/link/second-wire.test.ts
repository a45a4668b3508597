import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { createDeviceSettings } from '../device-settings/index.ts';
import { twoProcesses } from './testing/two-processes.ts';

const {
  clock,
  now,
  log,
  logLines,
  ingest,
  processNamed,
  one,
  other,
  db,
  bus,
  call,
  u16,
  time,
  frame,
  hello,
  readings,
  answer,
  dial,
  registered,
  connected,
  holderOf,
  stateOf,
  command,
  logged,
} = await twoProcesses();

describe('a device with a line of its own', () => {
  test('reports, on two channels, also what no word of the catalogue fits', async () => {
    const lamp = await connected();
    lamp.write(readings(0, now() - 2000, [1, 60], [4, 1], [9, 42]), readings(1, now() - 1000, [1, 15.5], [200, 7]));
    for (let stored = 0; stored < 2; stored += 1) expect((await lamp.take())[3]).toBe(0x12);
    const said = async (query = '') =>
      (await call<{ data: unknown[] }>(`/api/v1/devices/${lamp.id}/readings${query}`)).body.data;
    expect(await said()).toMatchObject([{ values: { power: 60, relay: true } }]);
    expect(await said('?channel=0')).toMatchObject([{ kind: 'readings', values: {}, unmapped: { 'code 9': 42 } }]);
    expect(await said('?channel=1')).toMatchObject([{ values: { power: 15.5 }, unmapped: { 'code 200': 7 } }]);
    lamp.write(frame(0x04, 2, ...time(now()), 17));
    await vi.waitFor(async () =>
      expect(await said('?channel=2')).toMatchObject([{ kind: 'event', unmapped: { code: 'A17' } }]),
    );
  });

  test('is commanded, answers by number, and proves it', async () => {
    const lamp = await connected();
    const id = await command(lamp.id, 'dim', { level: 60 });
    await one.dispatcher.send();
    const out = await lamp.take();
    expect([...out.subarray(3, 4), ...out.subarray(6, 8)]).toEqual([0x20, 2, 60]);
    expect(await stateOf(id)).toMatchObject({ state: 'sent' });
    lamp.write(answer(out.readUInt16BE(4)));
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'acknowledged' }));
    clock.set(new Date(now() + 2000));
    lamp.write(readings(0, now(), [3, 60], [4, 1], [1, 60], [2, 226]));
    await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ state: 'confirmed' }));
  });

  test('refuses by its own code; what the wire has no word for fails with the reason', async () => {
    const lamp = await connected();
    const refused = await command(lamp.id, 'on');
    await one.dispatcher.send();
    lamp.write(answer((await lamp.take()).readUInt16BE(4), 7));
    await vi.waitFor(async () => expect(await stateOf(refused)).toMatchObject({ state: 'failed', error: 'E7' }));
    const unknown = await command(lamp.id, 'read');
    await one.dispatcher.send();
    expect(await stateOf(unknown)).toMatchObject({ state: 'failed', error: 'no read over this wire' });
  });

  test('gets its settings when it comes, and when they change', async () => {
    const lamp = await registered();
    await createDeviceSettings({ db, clock, bus, link: other.link, log }).publish([lamp.id]);
    const line = await connected(one, lamp);
    expect([...(await line.take()).subarray(3, 6)]).toEqual([0x21, ...u16(900)]);
    await other.link.set({ deviceId: lamp.id, viaId: null }, await changedSettings(lamp.id, 600));
    expect([...(await line.take()).subarray(3, 6)]).toEqual([0x21, ...u16(600)]);
  });

  test('that goes is offline in the connection log', async () => {
    const lamp = await connected();
    await one.journal.settled();
    lamp.end();
    await lamp.closed;
    await vi.waitFor(async () => expect(await holderOf(lamp.id)).toBeNull());
    await one.journal.settled();
    expect(await logged(lamp.id)).toMatchObject([
      { kind: 'link', reason: 'signedOff', endedAt: null, address: '127.0.0.1' },
    ]);
  });

  test('gets no command while it is away: that expires, not sent', async () => {
    const { id: deviceId } = await registered();
    const id = await command(deviceId, 'on');
    await Promise.all([one.dispatcher.send(), other.dispatcher.send()]);
    expect(await stateOf(id)).toMatchObject({ state: 'queued' });
    clock.set(new Date(now() + 3_600_000));
    await one.dispatcher.endOverdue();
    expect(await stateOf(id)).toMatchObject({ state: 'expired', error: 'notSent' });
  });
});

describe('of two processes', () => {
  test('the one with the connection claims the command', async () => {
    const lamp = await connected(other);
    const id = await command(lamp.id, 'on');
    await one.dispatcher.send();
    expect(await stateOf(id)).toMatchObject({ state: 'queued' });
    await other.dispatcher.send();
    expect((await lamp.take())[3]).toBe(0x20);
    expect(await stateOf(id)).toMatchObject({ state: 'sent' });
  });

  test('a killed one loses its devices: they are offline, and free for another', async () => {
    const third = processNamed('third', { db, bus });
    const stop = await third.lines.start();
    const lamp = await connected(third);
    // Its clock stands still, so it does not say that it is there; its time is over.
    await sql`UPDATE line_holder SET until = now() - interval '1 second' WHERE process = 'third'`.execute(db);
    await one.beats.advance(20_000);
    expect(await holderOf(lamp.id)).toBeNull();
    await vi.waitFor(async () => {
      await one.journal.settled();
      expect(await logged(lamp.id)).toMatchObject([{ kind: 'link', reason: 'network', endedAt: null }]);
    });
    const id = await command(lamp.id, 'on');
    const again = await connected(one, lamp);
    await one.dispatcher.send();
    expect((await again.take())[3]).toBe(0x20);
    expect(await stateOf(id)).toMatchObject({ state: 'sent' });
    // The new connection ended the old one, wherever it was.
    await lamp.closed;
    await stop();
    expect(await holderOf(lamp.id)).toBe('one');
  });

  test('one that was only slow has its devices back when it says that it is there', async () => {
    const lamp = await connected(other);
    await sql`UPDATE line_holder SET until = now() - interval '1 second' WHERE process = 'other'`.execute(db);
    await one.beats.advance(20_000);
    expect(await holderOf(lamp.id)).toBeNull();
    await other.beats.advance(20_000);
    expect(await holderOf(lamp.id)).toBe('other');
  });
});

describe('at the door', () => {
  const ends = async (...what: readonly Buffer[]) => {
    const line = await dial(one.port());
    line.write(...what);
    await line.closed;
    expect(line.frames).toEqual([]);
  };

  test('garbage, a name that nobody has, and a hello with a wrong sum end the connection', async () => {
    const { address, password } = await registered();
    const bent = hello(address, password);
    bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
    await ends(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    await ends(hello('METER-0', 'x'));
    await ends(bent);
    expect(
      logLines().some((line) => JSON.stringify(line).includes('connections to a door of devices were refused')),
    ).toBe(true);
  });

  test('with the name of another device nobody gets in; that device stays, and its log has it', async () => {
    const lamp = await connected();
    await ends(hello(lamp.address, 'guessed'));
    expect(await holderOf(lamp.id)).toBe('one');
    await one.journal.settled();
    expect(await logged(lamp.id)).toMatchObject([{ kind: 'refused', reason: 'wrongPassword', address: '127.0.0.1' }]);
  });

  test('a frame that is too long ends the connection, of a stranger and of a known device', async () => {
    await ends(Buffer.from([0x7e, 0xff, 0xff]));
    const lamp = await connected();
    lamp.write(Buffer.from([0x7e, ...u16(1025), 0x02]));
    await lamp.closed;
    await vi.waitFor(async () => expect(await holderOf(lamp.id)).toBeNull());
    await one.journal.settled();
    expect(await logged(lamp.id)).toMatchObject([{ kind: 'link', reason: 'packetTooLarge' }]);
  });

  test('one that says nothing, or begins a frame and waits, is ended', async () => {
    const silent = await dial(other.port());
    await silent.closed;
    const lamp = await connected(other);
    lamp.write(readings(0, now(), [1, 60]).subarray(0, 10));
    await lamp.closed;
  });

  test('so many strangers wait, and no more', async () => {
    const lines = await Promise.all(Array.from({ length: 4 }, () => dial(other.port())));
    await Promise.any(lines.map(({ closed }) => closed));
  });

  test('bytes may come one by one, or many frames at once', async () => {
    const lamp = await registered();
    const line = await dial(one.port());
    for (const byte of hello(lamp.address, lamp.password)) line.write(Buffer.from([byte]));
    await vi.waitFor(async () => expect(await holderOf(lamp.id)).toBe('one'));
    line.write(...Array.from({ length: 100 }, (_, index) => readings(0, now() - index * 1000, [1, index])));
    for (let stored = 0; stored < 100; stored += 1) expect((await line.take())[3]).toBe(0x12);
    const { body } = await call<{ data: unknown[] }>(`/api/v1/devices/${lamp.id}/readings`);
    expect(body.data).toHaveLength(100);
  });

  test('a frame with a wrong sum, or that ends too early, is refused by itself; the next one counts', async () => {
    const lamp = await connected();
    const bent = readings(0, now(), [1, 60]);
    bent[12] = (bent[12] ?? 0) ^ 1;
    lamp.write(bent, frame(0x02, 1, 2), answer(999), readings(0, now(), [1, 61]));
    expect((await lamp.take())[3]).toBe(0x12);
    expect(ingest.stats().refused).toMatchObject({ checksum: 1, schema: 2 });
    expect(lamp.frames).toEqual([]);
  });

  test('new credentials end the connection; an address is one device’s', async () => {
    const lamp = await connected();
    const { id } = await registered();
    const give = (query: string) => call(`/api/v1/devices/${id}/credentials?${query}`, { method: 'POST' });
    expect((await give(`wire=binary&address=${lamp.address}`)).status).toBe(400);
    expect((await give('wire=morse&address=x')).status).toBe(400);
    expect((await give('wire=binary')).status).toBe(400);
    await call(`/api/v1/devices/${lamp.id}/credentials`, { method: 'POST' });
    await lamp.closed;
    expect(await holderOf(lamp.id)).toBeUndefined();
  });
});

async function changedSettings(deviceId: number, lit: number) {
  const row = await db
    .selectFrom('device_address')
    .select('settings')
    .where('device_id', '=', deviceId)
    .executeTakeFirstOrThrow();
  return {
    ...(row.settings as never as Parameters<typeof one.link.set>[1] & object),
    reportSeconds: { lit, unlit: 1 },
  };
}

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createIngest, type Ingest } from '../../ingest/index.ts';
import {
  commandsRoutes,
  createCommandFeature,
  createDispatcher,
  createLimits,
  createProofs,
} from '../../light/commands/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { createDevices, devicesRoutes } from '../../register/devices/index.ts';
import { testApp, type TestParts } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { writtenLog } from '../../testing/written-log.ts';
import { connectionsRoutes, createConnections, createLineJournal } from '../connections/index.ts';
import { createDeviceSettings } from '../device-settings/index.ts';
import { createLines, linkBy } from './index.ts';
import { binaryWire } from './testing/binary-wire.ts';

/** A second protocol: one line switches it on, nothing outside its file knows of it. */
const wires = [binaryWire];

const clock = testClock(new Date('2026-11-21T12:00:00Z'));
const now = () => clock.now().getTime();
const { log, lines: logLines } = writtenLog();
const folder = mkdtempSync(join(tmpdir(), 'lampyris-second-wire-'));
const keys = openKeys(join(folder, 'secret.key'));
let ingest!: Ingest;
/** What went to the broker: nothing of these devices may. */
const published: string[] = [];

/** One process of the program: its doors, its link and its dispatcher on the same database. */
function processNamed(name: string, { db, bus }: Pick<TestParts, 'db' | 'bus'>, limits = {}) {
  const journal = createLineJournal({ db, clock, log });
  const beats = testClock(clock.now());
  const lines = createLines({
    wires,
    db,
    bus,
    clock: beats,
    log,
    process: name,
    host: '127.0.0.1',
    hear: (...heard) => ingest.takeHeard(...heard),
    witness: journal.witness,
    leaseMs: 60_000,
    limits,
  });
  const broker = { problem: () => null, publish: (topic: string) => Promise.resolve(void published.push(topic)) };
  const link = linkBy(broker, { lines, process: name });
  const dispatcher = createDispatcher({ db, clock, bus, link, log, limits: createLimits({ db, clock, bus }) });
  return { journal, lines, beats, link, dispatcher, port: () => lines.ports().get('binary') ?? 0 };
}

let one!: ReturnType<typeof processNamed>;
let other!: ReturnType<typeof processNamed>;
let stops: (() => Promise<void>)[] = [];
const app = await testApp({
  clock,
  log,
  routes: async (parts) => {
    const { db, bus } = parts;
    ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
    one = processNamed('one', parts);
    other = processNamed('other', parts, { strangers: 3, introductionMs: 50, frameMs: 50, ofAddress: 20 });
    stops = [await one.lines.start(), await other.lines.start()];
    const limits = createLimits({ db, clock, bus });
    const devices = createDevices({ db, bus, clock, log, keys, wires: wires.map(({ name }) => name) });
    return [
      ...devicesRoutes(devices),
      ...connectionsRoutes(createConnections({ db, clock, devices })),
      ...commandsRoutes(createCommandFeature({ db, clock, bus, limits, queued: () => undefined })),
    ];
  },
});
const { db, bus, call } = app;
beforeAll(() => givenArea(db));
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await vi.waitFor(async () => expect(await holders()).toEqual([]));
  expect(published).toEqual([]);
});
afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await ingest.stop();
  rmSync(folder, { recursive: true, force: true });
});

// --- the device's end, in bytes that no code of the wire has written

const u16 = (value: number) => [value >> 8, value & 0xff];
const time = (at: number) => [...Buffer.from(at.toString(16).padStart(16, '0'), 'hex')];
function float(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return [...bytes];
}
function frame(kind: number, ...body: number[]): Buffer {
  const bytes = [0x7e, ...u16(body.length + 5), kind, ...body];
  return Buffer.from([...bytes, bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0)]);
}
const hello = (name: string, secret: string) =>
  frame(0x01, Buffer.byteLength(name), ...Buffer.from(name), ...Buffer.from(secret));
const readings = (channel: number, at: number, ...items: readonly (readonly [code: number, value: number])[]) =>
  frame(0x02, ...time(now()), channel, ...time(at), items.length, ...items.flatMap(([code, v]) => [code, ...float(v)]));
const answer = (number: number, error = 0) => frame(0x03, ...u16(number), error, ...time(now()));

async function dial(port: number) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const frames: Buffer[] = [];
  const waiting: ((frame: Buffer) => void)[] = [];
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    for (bytes = Buffer.concat([bytes, chunk]); bytes.length >= 3 && bytes.length >= bytes.readUInt16BE(1);) {
      const whole = bytes.subarray(0, bytes.readUInt16BE(1));
      bytes = bytes.subarray(whole.length);
      const taker = waiting.shift();
      if (taker) taker(whole);
      else frames.push(whole);
    }
  });
  const closed = once(socket, 'close');
  await Promise.race([once(socket, 'connect'), closed]);
  return {
    closed,
    write: (...what: readonly Buffer[]) => void socket.write(Buffer.concat(what)),
    end: () => void socket.end(),
    frames,
    take: () =>
      new Promise<Buffer>((resolve) => {
        const kept = frames.shift();
        if (kept) resolve(kept);
        else waiting.push(resolve);
      }),
  };
}

let serial = 0;
/** A lamp in the register that comes by the second wire; its secret is that of the credentials. */
async function registered() {
  const address = `METER-${(serial += 1)}`;
  const id = await givenDevice(db);
  const { status, body } = await call<{ password: string }>(
    `/api/v1/devices/${id}/credentials?wire=binary&address=${address}`,
    { method: 'POST' },
  );
  expect(status).toBe(201);
  return { id, address, password: body.password };
}
async function connected(process = one, device?: Awaited<ReturnType<typeof registered>>) {
  const known = device ?? (await registered());
  const line = await dial(process.port());
  line.write(hello(known.address, known.password));
  await vi.waitFor(async () => expect(await holderOf(known.id)).toBe(process.link.process));
  return { ...known, ...line };
}
const holderOf = async (id: number) =>
  (await db.selectFrom('device_address').select('holder').where('device_id', '=', id).executeTakeFirst())?.holder;
const holders = async () =>
  (await db.selectFrom('device_address').select('device_id').where('holder', 'is not', null).execute()).map(
    (row) => row.device_id,
  );
const stateOf = async (id: number) =>
  (await call<{ items: { state: string; error: string | null }[] }>(`/api/v1/commands/${id}`)).body.items[0];
async function command(deviceId: number, name: string, args = {}): Promise<number> {
  const { body, status } = await call<{ id: number }>('/api/v1/commands', {
    body: { command: name, deviceIds: [deviceId], args },
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}
const commandTo = (deviceId: number) => ({
  deviceId,
  viaId: null,
  commandId: 1,
  command: 'on',
  args: {},
  issuedAt: now(),
  expiresAt: now() + 60_000,
  until: null,
  turn: 1,
  clockOffsetMs: 0,
});
const logged = (id: number) =>
  call<{ data: { kind: string; reason: string; endedAt: string | null; address: string | null }[] }>(
    `/api/v1/devices/${id}/connections`,
  ).then(({ body }) => body.data);

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

/** The device went while the database was away: the table has the process as holder still. */
async function leftBehind(process = one) {
  const lamp = await connected(process);
  lamp.end();
  await lamp.closed;
  await vi.waitFor(async () => expect(await holderOf(lamp.id)).toBeNull());
  await hold(lamp.id, process.link.process);
  return lamp;
}
const hold = (id: number, holder: string | null) =>
  db.updateTable('device_address').set({ holder }).where('device_id', '=', id).execute();

describe('the table and the connections', () => {
  test('a device that is not connected keeps no other one waiting, and is let go', async () => {
    const lamp = await connected();
    const repeated = await command(lamp.id, 'on');
    await one.dispatcher.send();
    await lamp.take();
    const away = await leftBehind();
    const waits = await command(away.id, 'on');
    clock.set(new Date(now() + 10_000));
    await one.dispatcher.send();
    expect((await lamp.take())[3]).toBe(0x20);
    expect(await stateOf(repeated)).toMatchObject({ state: 'sent' });
    expect(await stateOf(waits)).toMatchObject({ state: 'queued' });
    expect(await holderOf(away.id)).toBeNull();
  });

  test('a wire that fails at a command fails this one alone', async () => {
    const lamp = await connected();
    const say = vi.spyOn(binaryWire, 'say').mockImplementationOnce(() => {
      throw new RangeError('out of bounds');
    });
    const failed = await command(lamp.id, 'on');
    await one.dispatcher.send();
    say.mockRestore();
    expect(await stateOf(failed)).toMatchObject({ state: 'failed', error: 'wireFailed' });
    const next = await command(lamp.id, 'off');
    await one.dispatcher.send();
    expect(await stateOf(next)).toMatchObject({ state: 'sent' });
  });

  test('a beat frees what is not connected any more: it is offline', async () => {
    const away = await leftBehind();
    const stays = await connected();
    await one.beats.advance(20_000);
    await vi.waitFor(async () => expect(await holderOf(away.id)).toBeNull());
    expect(await holderOf(stays.id)).toBe('one');
  });

  test('a beat does not wait until lost devices are offline; one that came back meanwhile is not', async () => {
    const third = processNamed('third', { db, bus });
    const stop = await third.lines.start();
    const lamps = await Promise.all(Array.from({ length: 17 }, registered));
    await sql`INSERT INTO line_holder VALUES ('dead', now() - interval '1 second')`.execute(db);
    for (const { id } of lamps) await hold(id, 'dead');
    const offline = new Set<number>();
    const written = Promise.withResolvers<undefined>();
    const take = ingest.takeHeard;
    const heard = vi.spyOn(ingest, 'takeHeard').mockImplementation((speaker, said, slow) => {
      if (!said.ok || said.message.kind !== 'status' || said.message.online) return take(speaker, said, slow);
      offline.add(speaker.deviceId);
      return written.promise;
    });
    await third.beats.advance(20_000);
    await vi.waitFor(() => expect(offline.size).toBe(16));
    const [back] = lamps.filter(({ id }) => !offline.has(id));
    await connected(other, back);
    written.resolve(undefined);
    await stop();
    heard.mockRestore();
    expect(offline.size).toBe(16);
  });

  test('a device that another process took is not offline when its old connection ends', async () => {
    const lamp = await connected();
    await one.journal.settled();
    await hold(lamp.id, 'other');
    lamp.end();
    await lamp.closed;
    await expect.poll(() => one.lines.send(commandTo(lamp.id))).toHaveProperty('away');
    await one.journal.settled();
    expect(await logged(lamp.id)).toEqual([]);
    await hold(lamp.id, null);
  });

  test('what a slow process has back is online again', async () => {
    const lamp = await connected(other);
    await sql`UPDATE line_holder SET until = now() - interval '1 second' WHERE process = 'other'`.execute(db);
    await one.beats.advance(20_000);
    await vi.waitFor(async () => {
      await one.journal.settled();
      expect(await logged(lamp.id)).toMatchObject([{ kind: 'link', endedAt: null }]);
    });
    await other.beats.advance(20_000);
    await vi.waitFor(async () => {
      await other.journal.settled();
      expect(await logged(lamp.id)).toMatchObject([{ kind: 'link', endedAt: expect.any(String) }]);
    });
  });

  test('the bus is a hint: a late word of another process ends no connection', async () => {
    const lamp = await connected();
    bus.publish('line.taken', { deviceId: lamp.id, process: 'other' });
    const moved = await connected();
    await hold(moved.id, 'other');
    bus.publish('line.taken', { deviceId: moved.id, process: 'other' });
    await moved.closed;
    lamp.write(readings(0, now(), [1, 60]));
    expect((await lamp.take())[3]).toBe(0x12);
    await hold(moved.id, null);
  });

  test('after a break of the bus lines that another process has, or another secret, end', async () => {
    const [stays, moved, revoked] = [await connected(), await connected(), await connected()];
    await hold(moved.id, 'other');
    await db
      .updateTable('device_credential')
      .set({ secret_hash: Buffer.alloc(32, 1) })
      .where('device_id', '=', revoked.id)
      .execute();
    bus.publish('bus.resumed', {});
    await Promise.all([moved.closed, revoked.closed]);
    stays.write(readings(0, now(), [1, 60]));
    expect((await stays.take())[3]).toBe(0x12);
    await hold(moved.id, null);
  });

  test('credentials that are taken away while a device is let in end its connection', async () => {
    const lamp = await registered();
    const line = await dial(one.port());
    await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM device_address WHERE device_id = ${lamp.id} FOR UPDATE`.execute(tx);
      line.write(hello(lamp.address, lamp.password));
      // It waits for the row: it has been checked, and is not let in yet.
      await vi.waitFor(async () => {
        const { rows } = await sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock'`.execute(db);
        expect(rows).toHaveLength(1);
      });
      await tx.deleteFrom('device_address').where('device_id', '=', lamp.id).execute();
    });
    await line.closed;
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

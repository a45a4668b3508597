import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { createIngest, type Ingest } from '../../../ingest/index.ts';
import {
  commandsRoutes,
  createCommandFeature,
  createDispatcher,
  createLimits,
  createProofs,
} from '../../../light/commands/index.ts';
import { openKeys } from '../../../platform/keys/index.ts';
import { createDevices, devicesRoutes } from '../../../register/devices/index.ts';
import { testApp, type TestParts } from '../../../testing/app.ts';
import { testClock } from '../../../testing/clock.ts';
import { givenArea, givenDevice } from '../../../testing/devices.ts';
import { writtenLog } from '../../../testing/written-log.ts';
import { connectionsRoutes, createConnections, createLineJournal } from '../../connections/index.ts';
import { createLines, linkBy } from '../index.ts';
import { binaryWire } from './binary-wire.ts';

/** Two processes with doors of the binary wire, and devices that dial them. Call it at the top of a test file. */
export async function twoProcesses() {
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
    frame(
      0x02,
      ...time(now()),
      channel,
      ...time(at),
      items.length,
      ...items.flatMap(([code, v]) => [code, ...float(v)]),
    );
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

  return {
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
    commandTo,
    logged,
  };
}

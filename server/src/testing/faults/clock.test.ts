import { afterAll, expect, test } from 'vitest';
import { createProofs } from '../../light/commands/index.ts';
import { createIngest } from '../../ingest/index.ts';
import { startBus } from '../../platform/bus/index.ts';
import { createLog } from '../../platform/log.ts';
import { testClock } from '../clock.ts';
import { testDatabase } from '../database.ts';
import { givenArea, givenDevice } from '../devices.ts';

const { db, connection } = await testDatabase();
const log = createLog('silent');
const bus = await startBus(connection, log);
const start = Date.parse('2026-11-21T12:00:00.000Z');
const clock = testClock(new Date(start));
const ingest = createIngest({ db, bus, clock, log, proofs: createProofs({ bus }), stored: () => undefined });
await givenArea(db);
const lamp = await givenDevice(db);
afterAll(async () => {
  await ingest.stop();
  await bus.stop();
});

/** A lamp with a right clock reports at true second `second`, whatever the server's clock says. */
async function report(second: number): Promise<void> {
  const at = new Date(start + second * 1000).toISOString();
  await ingest.take({
    topic: `lampyris/v1/devices/${lamp}/readings`,
    username: null,
    payload: Buffer.from(JSON.stringify({ sentAt: at, readings: [{ at, values: { energy: second } }] })),
  });
}

test('a server whose clock jumps ahead, back and behind stores every reading once, and comes to the right times by itself', async () => {
  const hour = 3_600_000;
  const jumps = [0, hour, 0, -2 * hour, 0, 26 * hour, 0];
  for (const [index, jump] of jumps.entries()) {
    for (let turn = 0; turn < 5; turn += 1) {
      const second = index * 100 + turn * 20;
      clock.set(new Date(start + second * 1000 + jump));
      await report(second);
      // What was not acknowledged is sent again: it keeps its place.
      await report(second);
    }
  }
  const rows = await db
    .selectFrom('reading')
    .select(['at', 'values'])
    .where('device_id', '=', lamp)
    .orderBy('received_at')
    .execute();
  expect(rows.map(({ values }) => (values as { energy: number }).energy).toSorted((a, b) => a - b)).toEqual(
    jumps.flatMap((_, index) => [0, 20, 40, 60, 80].map((more) => index * 100 + more)),
  );
  const last = rows.find(({ values }) => (values as { energy: number }).energy === 680);
  expect(last?.at.getTime()).toBe(start + 680_000);
  expect(ingest.stats().refused).toEqual({});
});

test('a queue that looks like a late clock for a while costs no reading: what was shifted does not pass for a repeat of another one', async () => {
  const patient = await givenDevice(db);
  const send = (sentSecond: number, receivedSecond: number, atSecond: number, energy: number) => {
    const at = (second: number) => new Date(start + second * 1000).toISOString();
    clock.set(new Date(start + receivedSecond * 1000));
    return ingest.take({
      topic: `lampyris/v1/devices/${patient}/readings`,
      username: null,
      payload: Buffer.from(
        JSON.stringify({ sentAt: at(sentSecond), readings: [{ at: at(atSecond), values: { energy } }] }),
      ),
    });
  };
  await send(1000, 1000, 1000, 1);
  // Ahead of its time, as buffers of devices are when their clock has just been set.
  await send(1001, 1001, 1070, 2);
  // Two that waited as long as each other, half a minute apart: they look like a clock that is late.
  await send(1002, 1042, 1002, 3);
  await send(1034, 1074, 1030, 4);
  await send(1034, 1074, 1030, 4);
  const rows = await db
    .selectFrom('reading')
    .select(['at', 'values'])
    .where('device_id', '=', patient)
    .orderBy('at')
    .execute();
  expect(rows.map(({ at, values }) => [(at.getTime() - start) / 1000, (values as { energy: number }).energy])).toEqual([
    [1000, 1],
    [1002, 3],
    [1070, 2],
    [1070, 4],
  ]);
});

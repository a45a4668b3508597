import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { binaryWire } from './testing/binary-wire.ts';
import { twoProcesses } from './testing/two-processes.ts';

const {
  clock,
  now,
  ingest,
  processNamed,
  one,
  other,
  db,
  bus,
  hello,
  readings,
  dial,
  registered,
  connected,
  holderOf,
  stateOf,
  command,
  commandTo,
  logged,
} = await twoProcesses();

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

import { connect as connectTcp } from 'node:net';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { describe, expect, it } from 'vitest';
import { batchesOffice, type Batch } from './testing/batches.ts';

const {
  clock,
  broker,
  db,
  call,
  givenBatch,
  listed,
  waitingFor,
  batchOf,
  member,
  closed,
  topic,
  newSecret,
  say,
  readings,
  newLamp,
} = await batchesOffice();

describe('a member of a batch', () => {
  it('comes into the inbox with what it says, and nothing of it into the history', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-1');
    expect(await waitingFor(batch.batch.id, 'SN-1')).toMatchObject({
      state: 'waiting',
      ready: false,
      family: null,
      address: expect.stringContaining('127.0.0.1'),
    });
    const before = (await sql<{ n: number }>`SELECT count(*)::int AS n FROM reading`.execute(db)).rows[0]?.n;
    const secret = newSecret();
    await say(client, batch, 'hello', { secret, model: 'LC-2\u0007‮', firmware: '1.0' });
    await say(client, batch, 'readings', readings());
    const found = await waitingFor(batch.batch.id, 'SN-1');
    expect(found).toMatchObject({
      ready: true,
      family: 'single-lamp-controller',
      model: 'LC-2  ',
      messages: 2,
      doubt: null,
    });
    expect(found.payloads.map(({ kind, problem }) => [kind, problem])).toEqual([
      ['readings', null],
      ['hello', null],
    ]);
    expect(JSON.stringify(found)).not.toContain(secret);
    expect((await sql<{ n: number }>`SELECT count(*)::int AS n FROM reading`.execute(db)).rows[0]?.n).toBe(before);
  });

  it('is told what is wrong with its messages by the inbox, which keeps only the last few', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-2');
    await say(client, batch, 'hello', { secret: 'short' });
    await say(client, batch, 'readings', '{"sentAt":');
    await say(client, batch, 'hello', `{"secret":"${'a'.repeat(3000)}`);
    for (let count = 0; count < 4; count += 1) await say(client, batch, 'readings', readings({ mystery: count }));
    const found = await waitingFor(batch.batch.id, 'SN-2');
    expect(found.payloads).toHaveLength(5);
    expect(found.payloads.at(-1)).toMatchObject({ kind: 'hello', problem: expect.stringMatching(/^tooLarge/) });
    expect(found).toMatchObject({ ready: false, messages: 7 });
    expect(JSON.stringify(found)).not.toContain('aaaa');
  });

  it('that talks too much is acknowledged and counted, not written', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-3');
    for (let count = 0; count < 40; count += 1) await say(client, batch, 'readings', readings());
    expect((await waitingFor(batch.batch.id, 'SN-3')).messages).toBe(10);
    await clock.advance(60_000);
    await say(client, batch, 'readings', readings());
    expect((await waitingFor(batch.batch.id, 'SN-3')).messages).toBe(41);
  });

  it('may only use its own topics, and no client id of a device', async () => {
    const batch = await givenBatch();
    const client = await member(batch, 'SN-4');
    const grants = await client
      .subscribeAsync(
        [
          topic(batch, 'SN-4', 'provision'),
          topic(batch, '+', 'provision'),
          topic(batch, 'SN-5', 'provision'),
          'lampyris/v1/devices/1/commands',
          '#',
        ],
        { qos: 1 },
      )
      .catch((thrown: unknown) => thrown);
    expect(grants).toBeInstanceOf(Error);
    expect((await client.subscribeAsync(topic(batch, 'SN-4', 'provision'), { qos: 1 }))[0]?.qos).toBe(1);
    const gone = closed(client);
    client.publish(topic(batch, 'SN-5', 'hello'), '{}', { qos: 1 });
    await gone;
    await expect(member(batch, 'lampyris-1')).rejects.toThrow();
    await expect(member(batch, 'a/b')).rejects.toThrow();
    expect((await batchOf(batch.batch.id))?.lastDenied).toMatchObject({ reason: 'badSerial' });
    expect((await listed(batch.batch.id)).map(({ serial }) => serial)).toEqual(['SN-4']);
  });

  it('with a wrong, disabled, expired or full batch is refused, and the batch says why', async () => {
    const batch = await givenBatch({
      maxDevices: 1,
      expiresAt: new Date(clock.now().getTime() + 3_600_000).toISOString(),
    });
    const reason = async () => (await batchOf(batch.batch.id))?.lastDenied?.reason;
    await expect(
      member({ ...batch, credentials: { ...batch.credentials, password: 'wrong' } }, 'SN-6'),
    ).rejects.toThrow();
    expect(await reason()).toBe('wrongPassword');
    await member(batch, 'SN-6');
    await clock.advance(2000);
    await expect(member(batch, 'SN-7')).rejects.toThrow();
    expect(await reason()).toBe('batchFull');
    expect((await batchOf(batch.batch.id))?.standing).toBe('full');
    await call(`/api/v1/batches/${batch.batch.id}`, { method: 'PUT', body: { enabled: false } });
    await clock.advance(2000);
    await expect(member(batch, 'SN-6')).rejects.toThrow();
    expect(await reason()).toBe('batchDisabled');
    await call(`/api/v1/batches/${batch.batch.id}`, { method: 'PUT', body: { enabled: true, maxDevices: 5 } });
    const client = await member(batch, 'SN-6');
    const gone = closed(client);
    await clock.advance(3_600_000);
    await gone;
    await expect(member(batch, 'SN-6')).rejects.toThrow();
    expect(await reason()).toBe('batchExpired');
    expect((await batchOf(batch.batch.id))?.standing).toBe('expired');
  });

  it('is disconnected when its batch is disabled, gets another secret or is deleted', async () => {
    const batch = await givenBatch();
    const path = `/api/v1/batches/${batch.batch.id}`;
    const first = closed(await member(batch, 'SN-8'));
    await call(path, { method: 'PUT', body: { enabled: false } });
    await first;
    await call(path, { method: 'PUT', body: { enabled: true } });
    const second = closed(await member(batch, 'SN-8'));
    const { body: credentials } = await call<Batch['credentials']>(`${path}/secret`, { method: 'POST' });
    await second;
    await expect(member(batch, 'SN-8')).rejects.toThrow();
    const third = closed(await member({ ...batch, credentials }, 'SN-8'));
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
    await third;
    await expect(member({ ...batch, credentials }, 'SN-8')).rejects.toThrow();
  });

  it('that is blocked is disconnected and stays out until it is let in again', async () => {
    const batch = await givenBatch();
    const gone = closed(await member(batch, 'SN-9'));
    const { id } = await waitingFor(batch.batch.id, 'SN-9');
    await call(`/api/v1/newcomers/${id}/blocked`, { method: 'PUT', body: { blocked: true } });
    await gone;
    await expect(member(batch, 'SN-9')).rejects.toThrow();
    expect((await call(`/api/v1/newcomers/${id}/claim`, { body: newLamp('BLOCKED-1') })).status).toBe(409);
    await call(`/api/v1/newcomers/${id}/blocked`, { method: 'PUT', body: { blocked: false } });
    await member(batch, 'SN-9');
  });

  it('whose serial another one uses too is doubted: by another secret, from another address, or in another batch', async () => {
    const [batch, other] = [await givenBatch(), await givenBatch()];
    const client = await member(batch, 'SN-10');
    await say(client, batch, 'hello', { secret: newSecret() });
    await say(client, batch, 'hello', { secret: newSecret() });
    expect(await waitingFor(batch.batch.id, 'SN-10')).toMatchObject({ doubt: 'secret' });
    await member(batch, 'SN-12');
    const elsewhere = new mqtt.MqttClient(
      () => connectTcp({ host: '127.0.0.1', port: broker.port, localAddress: '127.0.0.2' }),
      { clientId: 'SN-12', ...batch.credentials, reconnectPeriod: 0 },
    );
    await expect.poll(async () => (await waitingFor(batch.batch.id, 'SN-12')).doubt).toBe('address');
    await elsewhere.endAsync(true);
    await member(batch, 'SN-11');
    await member(other, 'SN-11');
    expect(await waitingFor(other.batch.id, 'SN-11')).toMatchObject({ doubt: 'elsewhere' });
  });
});

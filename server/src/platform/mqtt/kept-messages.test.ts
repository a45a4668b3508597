import { Aedes } from 'aedes';
import { afterAll, expect, test, vi } from 'vitest';
import { letGoExpired } from './kept-messages.ts';

const aedes = await Aedes.createBroker();
letGoExpired(aedes);
afterAll(() => new Promise<void>((resolve) => aedes.close(() => resolve())));
const store = Reflect.get(aedes, 'persistence') as {
  outgoingEnqueueCombi(subscriptions: readonly object[], packet: object): Promise<void>;
  outgoingUpdate(client: object, packet: object): Promise<void>;
  outgoingStream(client: object): { toArray(): Promise<{ payload: string; messageId?: number }[]> };
};
const away = { id: 'dev-1' };
let counter = 0;
const keepPacket = (more: object, clients: readonly string[]) =>
  store.outgoingEnqueueCombi(
    clients.map((clientId) => ({ clientId, topic: 't', qos: 1 })),
    {
      cmd: 'publish',
      topic: 't',
      qos: 1,
      retain: false,
      dup: false,
      brokerId: aedes.id,
      brokerCounter: (counter += 1),
      ...more,
    },
  );
const keep = (payload: string, seconds: number, clients = [away.id]) =>
  keepPacket({ payload, messageExpiry: Date.now() + seconds * 1000 }, clients);
const settings = (payload: string, topic: string) => keepPacket({ payload, topic, retain: true }, ['dev-5']);
const kept = async (id: string) => (await store.outgoingStream({ id }).toArray()).map(({ payload }) => payload);

test('what is kept for a client that is away is let go past its expiry when something new is kept', async () => {
  for (const payload of ['a', 'b', 'c']) await keep(payload, 0);
  expect(await kept(away.id)).toEqual(['c']);
  // One that was on its way when the line broke has its number already.
  const [sent] = await store.outgoingStream(away).toArray();
  await store.outgoingUpdate(away, Object.assign(Object.create(sent ?? null) as object, { messageId: 7 }));
  await keep('worth something', 60, [away.id, 'dev-2']);
  await keep('expired', 0);
  await keep('last', 60);
  expect(await kept(away.id)).toEqual(['worth something', 'last']);
  expect(await kept('dev-2')).toEqual(['worth something']);
});

test('what is kept for many behind one that is away lets go of each expired one once, and of nothing else', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const [payload, seconds] of [
    ['a', 30],
    ['b', 30],
    ['worth something', 90],
  ] as const)
    await keep(payload, seconds, ['dev-4']);
  vi.setSystemTime(Date.now() + 60_000);
  await Promise.all(['c', 'd', 'e'].map((payload) => keep(payload, 60, ['dev-4'])));
  vi.useRealTimers();
  expect(await kept('dev-4')).toEqual(['worth something', 'c', 'd', 'e']);
});

test('settings, worth something for ever, hide no expired command behind them, and only the newest of a topic are kept', async () => {
  await settings('first', 's/1');
  await settings('of another one', 's/2');
  for (const payload of ['a', 'b', 'c']) await keep(payload, 0, ['dev-5']);
  await settings('second', 's/1');
  expect(await kept('dev-5')).toEqual(['of another one', 'second']);
  await keep('worth something', 60, ['dev-5']);
  await settings('third', 's/1');
  expect(await kept('dev-5')).toEqual(['of another one', 'worth something', 'third']);
});

test('what is kept for one that is there is its own business', async () => {
  (Reflect.get(aedes, 'clients') as Record<string, unknown>)['dev-3'] = {};
  for (const payload of ['a', 'b']) await keep(payload, 0, ['dev-3']);
  expect(await kept('dev-3')).toEqual(['a', 'b']);
  delete (Reflect.get(aedes, 'clients') as Record<string, unknown>)['dev-3'];
});

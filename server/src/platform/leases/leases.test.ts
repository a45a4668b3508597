import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath as node } from 'node:process';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { testClock } from '../../testing/clock.ts';
import { testDatabase } from '../../testing/database.ts';
import { createLog } from '../log.ts';
import { createLeases, LeaseLost, type Held } from './index.ts';

const { connection, db } = await testDatabase();
const leaseMs = 60_000;
const patient = { timeout: 20_000 };

/** A process with a clock of its own: it stands still as long as nobody moves it. */
function process(holder: string) {
  const clock = testClock();
  const leases = createLeases({
    connection,
    clock,
    log: createLog('silent'),
    holder,
    leaseMs,
    monotonic: () => clock.now().getTime(),
  });
  running.push(() => leases.stop());
  /** Wants a name; what happens to it, in order, and the lease it has. */
  function want(name: string) {
    const seen: string[] = [];
    const state: { held: Held | undefined } = { held: undefined };
    const begun = Promise.withResolvers<Held>();
    const ended = Promise.withResolvers<void>();
    const stop = leases.hold(name, (held) => {
      seen.push('start');
      state.held = held;
      begun.resolve(held);
      return () => {
        seen.push('stop');
        ended.resolve();
      };
    });
    return { seen, stop, begun: begun.promise, ended: ended.promise };
  }
  return { clock, leases, want };
}
const running: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(running.splice(0).map((stop) => stop())));

/** The database's clock goes on although the test's stands still. */
const runOut = (name: string) => sql`UPDATE lease SET until = clock_timestamp() WHERE name = ${name}`.execute(db);
const holderOf = async (name: string) =>
  await db.selectFrom('lease').select(['holder', 'token']).where('name', '=', name).executeTakeFirstOrThrow();
/** How many processes wait in the middle of renewing. */
const renewing = async () =>
  (
    await sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lampyris leases'
      AND wait_event_type = 'Lock'`.execute(db)
  ).rows.length;
const write = (held: Held, text: string) =>
  db.transaction().execute(async (tx) => {
    await held.fence(tx);
    await tx
      .insertInto('setting')
      .values({ name: `lease test ${text}`, value: '{}' })
      .execute();
  });

test('one process holds a name; another begins when it is given back', async () => {
  const [a, b] = [process('a'), process('b')];
  const first = a.want('one');
  expect((await first.begun).token).toBe(1);
  const second = b.want('one');
  await b.clock.advance(60_000);
  expect(second.seen).toEqual([]);
  expect([a.leases.held(), b.leases.held()]).toEqual([['one'], []]);
  await first.stop();
  expect(first.seen).toEqual(['start', 'stop']);
  await b.clock.advance(1000);
  expect((await second.begun).token).toBe(2);
});

test('what is renewed stays, however long it takes', async () => {
  const [a, b] = [process('a'), process('b')];
  const first = a.want('kept');
  await first.begun;
  const second = b.want('kept');
  for (let tens = 0; tens < 20; tens += 1) {
    await sql`UPDATE lease SET until = until - interval '10 s' WHERE name = 'kept'`.execute(db);
    await a.clock.advance(10_000);
    await b.clock.advance(1000);
  }
  expect([first.seen, second.seen]).toEqual([['start'], []]);
});

test('a process that stood still notices before it acts: by its own clock, by the fence, and it stops', async () => {
  const [a, b] = [process('a'), process('b')];
  const first = a.want('frozen');
  const held = await first.begun;
  await write(held, 'before');
  await runOut('frozen');
  const second = b.want('frozen');
  const next = await second.begun;
  expect(next.token).toBe(held.token + 1);
  // Its clock has not moved yet: it still believes; the transaction knows better.
  expect(held.isMine()).toBe(true);
  await expect(write(held, 'after')).rejects.toThrow(LeaseLost);
  await write(next, 'next');
  await a.clock.advance(leaseMs);
  expect(held.isMine()).toBe(false);
  expect(held.signal.aborted).toBe(true);
  await first.ended;
  expect(await holderOf('frozen')).toEqual({ holder: 'b', token: next.token });
  const rows = await db
    .selectFrom('setting')
    .select('name')
    .where('name', 'like', 'lease test %')
    .orderBy('name')
    .execute();
  expect(rows.map(({ name }) => name)).toEqual(['lease test before', 'lease test next']);
});

test('a database that does not answer ends what runs under a lease, before anybody else may begin', async () => {
  const a = process('a');
  const first = a.want('away');
  const held = await first.begun;
  await db.transaction().execute(async (tx) => {
    // Renewing waits for this row as it waits for a database that is away.
    await sql`SELECT FROM lease WHERE name = 'away' FOR UPDATE`.execute(tx);
    const beats = a.clock.advance(leaseMs / 2);
    await expect.poll(renewing, patient).toBe(1);
    a.clock.set(new Date(a.clock.now().getTime() + leaseMs));
    expect(held.isMine()).toBe(false);
    void beats;
  });
  await a.clock.advance(1000);
  await first.ended;
  expect(held.signal.aborted).toBe(true);
});

test('who was told once that it is lost is not told later that it is not: it ends, and begins anew', async () => {
  const a = process('a');
  const first = a.want('late');
  const held = await first.begun;
  await db.transaction().execute(async (tx) => {
    await sql`SELECT FROM lease WHERE name = 'late' FOR UPDATE`.execute(tx);
    void a.clock.advance(1000);
    await expect.poll(renewing, patient).toBe(1);
    // The answer comes after the time that is being renewed, and within the new one.
    a.clock.set(new Date(a.clock.now().getTime() + leaseMs - 500));
    expect(held.isMine()).toBe(false);
  });
  await first.ended;
  expect([held.isMine(), held.signal.aborted]).toEqual([false, true]);
  await expect
    .poll(async () => {
      await a.clock.advance(1000);
      return first.seen;
    }, patient)
    .toEqual(['start', 'stop', 'start']);
});

test('a lease is not taken from under a transaction that goes on, and renewing does not wait for it', async () => {
  const [a, b] = [process('a'), process('b')];
  const held = await a.want('busy').begun;
  const second = b.want('busy');
  await db.transaction().execute(async (tx) => {
    await held.fence(tx);
    await runOut('busy');
    await b.clock.advance(1000);
    expect(second.seen).toEqual([]);
    await a.clock.advance(leaseMs / 2);
    expect(held.isMine()).toBe(true);
    await runOut('busy');
  });
  await b.clock.advance(1000);
  expect((await second.begun).token).toBe(held.token + 1);
});

test('what cannot start is given back, and tried again later', async () => {
  const a = process('a');
  let tries = 0;
  const begun = Promise.withResolvers<void>();
  a.leases.hold('bad', () => {
    tries += 1;
    if (tries === 1) throw new Error('a bug');
    begun.resolve();
    return () => undefined;
  });
  await expect
    .poll(
      async () =>
        (
          await db.selectFrom('lease').select('token').where('name', '=', 'bad').where('holder', 'is', null).execute()
        ).map(({ token }) => token),
      patient,
    )
    .toEqual([1]);
  await a.clock.advance(leaseMs / 2);
  await a.clock.advance(1000);
  await begun.promise;
  expect(tries).toBe(2);
});

test('who cannot do it gives it back, and lets others have their turn', async () => {
  const [a, b] = [process('a'), process('b')];
  const first = a.want('turn');
  (await first.begun).giveBack(leaseMs);
  await first.ended;
  await expect.poll(async () => (await holderOf('turn')).holder, patient).toBeNull();
  await a.clock.advance(1000);
  expect(first.seen).toEqual(['start', 'stop']);
  const second = b.want('turn');
  await second.begun;
  await second.stop();
  await a.clock.advance(leaseMs);
  expect(first.seen).toEqual(['start', 'stop', 'start']);
});

test('a job runs at once and then by the clock, in the process that holds its name', async () => {
  const [a, b] = [process('a'), process('b')];
  const runs: string[] = [];
  const ran = Promise.withResolvers<void>();
  const stop = a.leases.every('job', 1000, () => {
    runs.push('a');
    ran.resolve();
  });
  await ran.promise;
  const stopOther = b.leases.every('job', 1000, () => void runs.push('b'));
  await a.clock.advance(2000);
  await b.clock.advance(2000);
  expect(runs).toEqual(['a', 'a', 'a']);
  await stop();
  await b.clock.advance(2000);
  expect(runs.slice(3)).toContain('b');
  await stopOther();
});

test('what a killed process of this machine held is taken at once', async () => {
  const child = spawn(
    node,
    [
      '-e',
      `import(${JSON.stringify(new URL('./process-name.ts', import.meta.url).href)}).then(({ processName }) => process.stdout.write(processName + '\\n')); setInterval(() => {}, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [name] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const killed = process(name);
  await killed.want('orphan').begun;
  const b = process('b');
  const next = b.want('orphan');
  await b.clock.advance(5000);
  expect(next.seen).toEqual([]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await b.clock.advance(1000);
  expect((await next.begun).token).toBe(2);
});

test('a process that can only be alone takes over at once what a killed one held', async () => {
  const killed = process('killed');
  await killed.want('left').begun;
  const clock = testClock();
  const alone = createLeases({ connection, clock, log: createLog('silent'), holder: 'next', alone: true });
  const begun = Promise.withResolvers<Held>();
  alone.hold('left', (held) => {
    begun.resolve(held);
    return () => undefined;
  });
  expect((await begun.promise).token).toBe(2);
  await alone.stop();
  expect(await holderOf('left')).toEqual({ holder: null, token: 2 });
});

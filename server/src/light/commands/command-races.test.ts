import { setImmediate as tick } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { commandOffice } from '../../testing/command-office.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { givenDevice } from '../../testing/devices.ts';
import { createLimits } from './index.ts';

/**
 * Two who want the same item at the same moment: each item ends in one state, and nothing that was called off is sent.
 */
const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'));
const { db, clock, now, detail, ask, act, quietLamp, lamp, dispatcher } = office;

afterEach(async () => {
  await sql`UPDATE command_item SET state = 'cancelled', ended_at = now()
    WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged')`.execute(db);
  clock.set(new Date(now() + 60_000));
});

/** A broker that says when it was asked and takes a message only when it is told to. */
function slowBroker() {
  const asked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const heard: string[] = [];
  return {
    heard,
    asked: asked.promise,
    take: () => open.resolve(),
    refuse: () => open.reject(new Error('away')),
    broker: {
      problem: () => null,
      publish: async (topic: string) => {
        heard.push(topic);
        asked.resolve();
        await open.promise;
      },
    },
  };
}

it('a step that fails while the settings cannot be read either is a failure to send, and no bug that ends the program', async () => {
  const one = await quietLamp();
  await ask({ deviceIds: [one.id], command: 'on' });
  const [unawaited, failed] = [[] as unknown[], Promise.withResolvers<void>()];
  const note = (reason: unknown) => void unawaited.push(reason);
  const limits = createLimits({ db, clock });
  let asked = 0;
  const away = office.anotherDispatcher(
    { problem: () => null, publish: () => Promise.resolve() },
    {
      meter: () => {
        failed.resolve();
        throw new Error('the database is away');
      },
      limits: async () => {
        asked += 1;
        if (asked === 1) return limits();
        await failed.promise;
        await tick();
        throw new Error('the database is away');
      },
    },
  );
  process.on('unhandledRejection', note);
  await expect(away.send()).rejects.toThrow('the database is away');
  await tick();
  await tick();
  process.off('unhandledRejection', note);
  expect(unawaited).toEqual([]);
});

describe('cancelling while the dispatcher sends', () => {
  it('leaves what is in its hands on its way; taken by the broker it is sent', async () => {
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    expect((await act(id, 'cancel', { reason: 'x' })).body).toEqual({ cancelled: 0, onTheWay: 1 });
    slow.take();
    await sending;
    expect(await detail(id)).toMatchObject({ state: 'cancelled', states: { sent: 1 } });
    await one.accept(id);
    await clock.advance(100);
    await one.report(100, true);
    expect(await detail(id)).toMatchObject({ finished: true, states: { confirmed: 1 } });
  });

  it('refused by the broker it is not tried again, and ends cancelled', async () => {
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    await act(id, 'cancel', { reason: 'x' });
    slow.refuse();
    await sending;
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ finished: true, states: { cancelled: 1 } });
    expect((await act(id, 'cancel', { reason: 'x' })).body).toEqual({ cancelled: 1, onTheWay: 0 });
  });

  it('who sends passes over what is just being cancelled', async () => {
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    const slow = slowBroker();
    await db
      .transaction()
      .execute(async (tx) => {
        await sql`SELECT FROM command_item WHERE command_id = ${id} FOR UPDATE`.execute(tx);
        const cancelling = act(id, 'cancel', { reason: 'x' });
        await lockWaiters(db, 1);
        await office.anotherDispatcher(slow.broker).send();
        expect(slow.heard).toEqual([]);
        return { cancelling };
      })
      .then(({ cancelling }) => cancelling);
    await office.anotherDispatcher(slow.broker).send();
    expect(slow.heard).toEqual([]);
    expect(await detail(id)).toMatchObject({ states: { cancelled: 1 } });
  });
});

describe('a command that halts while the dispatcher sends', () => {
  const halted = async () => {
    const lamps = await Promise.all(Array.from({ length: 4 }, () => quietLamp()));
    const { id } = (
      await ask({
        deviceIds: lamps.map((one) => one.id),
        command: 'on',
        canary: { count: 2, minSuccessPercent: 100, waitSeconds: 5 },
      })
    ).body;
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    clock.set(new Date(now() + 5000));
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ state: 'halted', states: { queued: 2, waiting: 2 } });
    slow.refuse();
    await sending;
    await dispatcher.send();
    return { id, lamps };
  };

  it('sends no more of what the broker had refused; it waits with the rest', async () => {
    const { id, lamps } = await halted();
    expect(await detail(id)).toMatchObject({ state: 'halted', states: { waiting: 4 } });
    // The broker had passed it on all the same: what the device says again when it is asked again counts.
    await lamps[0]?.accept(id);
    expect(await detail(id)).toMatchObject({ state: 'halted', states: { waiting: 4 } });
    await act(id, 'resume', { reason: 'x' });
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ state: 'running', states: { sent: 4 } });
    await lamps[0]?.accept(id);
    expect(await detail(id)).toMatchObject({ states: { acknowledged: 1, sent: 3 } });
  });

  it('and that nobody decides about is over when nothing of it may be sent any more', async () => {
    const { id } = await halted();
    clock.set(new Date(now() + 25 * 3_600_000));
    await dispatcher.endOverdue();
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ state: 'finished', states: { expired: 4 }, halted: { why: 'canary' } });
  });
});

describe('a process that dies', () => {
  it('with a command in its hands: another sends it after a while, and the device that gets it twice answers once', async () => {
    const one = await lamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    // It was handed to the broker, and the process ended before it could say so.
    const dying = office.anotherDispatcher({
      problem: () => null,
      publish: async (topic, payload, options) => {
        await office.broker.publish(topic, payload, options);
        throw new Error('the process ended');
      },
    });
    await sql`CREATE FUNCTION keep_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`.execute(
      db,
    );
    await sql`CREATE TRIGGER keep_claim BEFORE UPDATE OF claimed_at ON command_item FOR EACH ROW
      WHEN (NEW.claimed_at IS NULL) EXECUTE FUNCTION keep_claim()`.execute(db);
    await dying.send();
    await sql`DROP TRIGGER keep_claim ON command_item; DROP FUNCTION keep_claim`.execute(db);
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ states: { queued: 1 } });
    await clock.advance(11_000);
    await dispatcher.send();
    const [first, second] = [await one.heard.take(), await one.heard.take()];
    expect([first.message['commandId'], second.message['commandId']]).toEqual([String(id), String(id)]);
    await one.accept(id);
    await one.accept(id);
    await clock.advance(100);
    await one.report(100, true);
    expect(await detail(id)).toMatchObject({ finished: true, states: { confirmed: 1 } });
  });

  it('is not outlived by its command: held up past the lease it sends nothing', async () => {
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    const heard: string[] = [];
    const frozen = office.anotherDispatcher({
      problem: () => null,
      publish: (topic) => {
        heard.push(topic);
        return Promise.resolve();
      },
    });
    await sql`CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1);
      RETURN NULL; END $$`.execute(db);
    await sql`CREATE TRIGGER hold_up AFTER UPDATE OF claimed_at
      ON command_item FOR EACH ROW EXECUTE FUNCTION hold_up()`.execute(db);
    const sending = await db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
      const begun = frozen.send();
      await lockWaiters(db, 1);
      clock.set(new Date(now() + 9000));
      return { begun };
    });
    await sending.begun;
    await sql`DROP TRIGGER hold_up ON command_item; DROP FUNCTION hold_up`.execute(db);
    expect(heard).toEqual([]);
    clock.set(new Date(now() + 2000));
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ states: { sent: 1 } });
  });

  it('nothing in the hands of somebody who sends is called expired', async () => {
    const one = await quietLamp();
    const { id } = (
      await ask({ deviceIds: [one.id], command: 'on', expiresAt: new Date(now() + 10_500).toISOString() })
    ).body;
    clock.set(new Date(now() + 9000));
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    clock.set(new Date(now() + 2000));
    await dispatcher.endOverdue();
    expect(await detail(id)).toMatchObject({ states: { queued: 1 } });
    slow.take();
    await sending;
    expect(await detail(id)).toMatchObject({ states: { sent: 1 } });
  });
});

describe('two at once', () => {
  it('two dispatchers send each item once', async () => {
    for (let n = 0; n < 40; n += 1) await givenDevice(db, { roadId: 1 });
    const { id, total } = (await ask({ scope: { roadId: 1 }, command: 'on' })).body;
    const heard: string[] = [];
    const broker = {
      problem: () => null,
      publish: (topic: string) => {
        heard.push(topic);
        return Promise.resolve();
      },
    };
    await Promise.all([
      office.anotherDispatcher(broker).send(),
      office.anotherDispatcher(broker).send(),
      office.anotherDispatcher(broker).send(),
    ]);
    expect([heard.length, new Set(heard).size]).toEqual([total, total]);
    expect((await detail(id)).states).toEqual({ sent: total });
  });

  // As the claim of another dispatcher does: PostgreSQL locks what a query found as of its begin, also what it does not
  // return because it was changed since.
  it('what somebody else keeps for a moment while it is handed over is waited for, and counts as sent', async () => {
    const [one, other] = [await quietLamp(), await quietLamp()];
    const { id } = (await ask({ deviceIds: [one.id, other.id], command: 'on' })).body;
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM command_item WHERE command_id = ${id} AND device_id = ${other.id} FOR UPDATE`.execute(tx);
      slow.take();
      await lockWaiters(db, 1);
      expect((await detail(id)).states).toEqual({ sent: 1, queued: 1 });
    });
    await sending;
    expect((await detail(id)).states).toEqual({ sent: 2 });
  });

  it('and what is told once more counts as told once more', async () => {
    const one = await quietLamp();
    const { id } = (await ask({ deviceIds: [one.id], command: 'on' })).body;
    await dispatcher.send();
    clock.set(new Date(now() + 6000));
    const slow = slowBroker();
    const sending = office.anotherDispatcher(slow.broker).send();
    await slow.asked;
    await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM command_item WHERE command_id = ${id} FOR UPDATE`.execute(tx);
      slow.take();
      await lockWaiters(db, 1);
    });
    await sending;
    expect((await detail(id)).items).toMatchObject([{ deviceId: one.id, state: 'sent', tries: 2 }]);
    expect(slow.heard).toHaveLength(1);
  });

  it('two commands for the same lamps: the later one holds for all of them', async () => {
    const lamps = await Promise.all(Array.from({ length: 20 }, () => quietLamp()));
    const ids = lamps.map((one) => one.id);
    const made = await Promise.all([
      ask({ deviceIds: ids, command: 'on' }),
      ask({ deviceIds: ids.toReversed(), command: 'off' }),
    ]);
    const [earlier, later] = made.map(({ body }) => body.id).toSorted((a, b) => a - b);
    expect((await detail(earlier ?? 0)).states).toEqual({ superseded: 20 });
    expect((await detail(later ?? 0)).states).toEqual({ queued: 20 });
  });

  it('a halt and a cancel: one of them holds, and every item has one state', async () => {
    const lamps = await Promise.all(Array.from({ length: 6 }, () => quietLamp()));
    const { id } = (
      await ask({
        deviceIds: lamps.map((one) => one.id),
        command: 'on',
        canary: { count: 2, minSuccessPercent: 100, waitSeconds: 5 },
      })
    ).body;
    await dispatcher.send();
    clock.set(new Date(now() + 5000));
    const [, cancelled] = await Promise.all([
      dispatcher.send(),
      act<{ cancelled: number; onTheWay: number }>(id, 'cancel', { reason: 'x' }),
    ]);
    expect(cancelled.body).toEqual({ cancelled: 4, onTheWay: 2 });
    expect(await detail(id)).toMatchObject({ state: 'cancelled', states: { cancelled: 4, sent: 2 } });
  });
});

it('a clock that is put right, an hour back, keeps no gateway waiting', async () => {
  const gateway = await givenDevice(db, { family: 'central-controller' });
  for (let n = 0; n < 30; n += 1) await givenDevice(db, { parentId: gateway });
  const sentOf = async (id: number) => (await detail(id)).states['sent'];
  clock.set(new Date(now() + 3_600_000));
  const first = (await ask({ scope: { controllerId: gateway }, command: 'read' })).body.id;
  await dispatcher.send();
  expect(await sentOf(first)).toBe(25);
  clock.set(new Date(now() - 3_600_000));
  await dispatcher.send();
  expect(await sentOf(first)).toBe(30);
});

import { RawNode, sql, type KyselyPlugin, type QueryId } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { takeLock } from '../../platform/db/index.ts';
import { commandOffice } from '../../testing/command-office.ts';
import { givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { claimUnanswered } from './again.store.ts';
import { readSettings } from './settings.ts';

/**
 * What one lamp is told stays in its order, whichever process tells it; what it does not answer is told again; who is
 * in a hurry waits for nobody's large command.
 */
const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'), { steps: { first: 100, next: 20 } });
const { db, call, clock, now, detail, ask, act, quietLamp, settings } = office;

afterEach(async () => {
  await sql`UPDATE command_item SET state = 'cancelled', ended_at = now(), in_hand = false
    WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged') OR in_hand`.execute(db);
  clock.set(new Date(now() + 60_000));
});

interface Told {
  readonly process: string;
  readonly commandId: number;
  readonly command: string;
  readonly turn: number;
  readonly expiresAt: string;
  readonly deviceId: number;
}
const told: Told[] = [];
/** A process with a broker of its own, which may be slow. */
function processNamed(name: string) {
  const asked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let slow = false;
  const claims = new WeakSet<QueryId>();
  let looked = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (RawNode.is(node) && node.sqlFragments.some((fragment) => fragment.includes('FOR UPDATE OF own SKIP LOCKED')))
        claims.add(queryId);
      return node;
    },
    transformResult: ({ result, queryId }) => {
      if (claims.has(queryId)) looked += 1;
      return Promise.resolve(result);
    },
  };
  const dispatcher = office.anotherDispatcher(
    {
      problem: () => null,
      publish: async (topic, payload) => {
        const said = JSON.parse(payload.toString()) as {
          commandId: string;
          command: string;
          turn: number;
          expiresAt: string;
        };
        if (slow) {
          asked.resolve();
          await open.promise;
        }
        told.push({
          process: name,
          ...said,
          commandId: Number(said.commandId),
          deviceId: Number(/devices\/(?:\d+\/children\/)?(\d+)\/commands$/u.exec(topic)?.[1]),
        });
      },
    },
    { db: db.withPlugin(counting) },
  );
  /**
   * It has its first command in its hands, and has looked for what comes after that too: it takes nothing of what is
   * given now.
   */
  const busy = async () => {
    await asked.promise;
    await expect.poll(() => looked, { timeout: 10_000 }).toBe(2);
  };
  return {
    asked: asked.promise,
    busy,
    send: () => dispatcher.send(),
    endOverdue: () => dispatcher.endOverdue(),
    keepCounts: () => dispatcher.keepCounts(),
    go: () => open.resolve(),
    fail: () => open.reject(new Error('away')),
    get slow() {
      return slow;
    },
    set slow(value) {
      slow = value;
    },
  };
}
const since = async (work: () => Promise<unknown>) => {
  const from = told.length;
  await work();
  return told.slice(from);
};
const give = async (deviceIds: readonly number[], command: string, more: object = {}) =>
  (await ask({ deviceIds, command, ...more })).body.id;

describe('an older and a newer command for one lamp', () => {
  /** One process has the older one in its hands while the newer one is given and another process sends. */
  async function overtaking(more: object = {}) {
    const [one, other] = [await quietLamp(), await quietLamp()];
    const [first, second] = [processNamed('first'), processNamed('second')];
    first.slow = true;
    const older = await give([one.id], 'off');
    const sending = first.send();
    await first.busy();
    const newer = await give([one.id, other.id], 'on', more);
    expect(await detail(older)).toMatchObject({ states: { superseded: 1 } });
    return { one, other, first, second, older, newer, sending };
  }

  it.each([
    ['an equal one', {}],
    ['an emergency', { lane: 'emergency', reason: '积水抢险' }],
  ])('%s waits until the older one is out of the other process’s hands, and goes at once then', async (_name, more) => {
    const { one, other, first, second, older, newer, sending } = await overtaking(more);
    expect(await since(second.send)).toMatchObject([{ process: 'second', commandId: newer, deviceId: other.id }]);
    const rest = await since(async () => {
      first.go();
      await sending;
    });
    expect(rest).toMatchObject([
      { process: 'first', commandId: older, command: 'off' },
      { process: 'first', commandId: newer, command: 'on', deviceId: one.id },
    ]);
    expect(rest[1]?.turn).toBeGreaterThan(rest[0]?.turn ?? Number.NaN);
    expect((await detail(newer)).states).toEqual({ sent: 2 });
  });

  it('goes at once when the broker did not take the older one, which is never sent again', async () => {
    const { one, first, second, older, newer, sending } = await overtaking();
    await second.send();
    first.fail();
    await sending;
    expect(await since(second.send)).toMatchObject([{ process: 'second', commandId: newer, deviceId: one.id }]);
    expect(told.filter(({ commandId }) => commandId === older)).toEqual([]);
  });

  it('waits for a process that died with it no longer than its lease', async () => {
    const { one, second, newer } = await overtaking();
    await second.send();
    clock.set(new Date(now() + 9000));
    const toIt = async () => (await since(second.send)).filter(({ deviceId }) => deviceId === one.id);
    expect(await toIt()).toEqual([]);
    clock.set(new Date(now() + 2000));
    expect(await toIt()).toMatchObject([{ commandId: newer }]);
    await second.keepCounts();
    expect((await sql`SELECT FROM command_item WHERE in_hand`.execute(db)).rows).toEqual([]);
  });

  it('a process that says that it has sent while its command is just being replaced keeps nobody waiting', async () => {
    const one = await quietLamp();
    const [first, second] = [processNamed('first'), processNamed('second')];
    first.slow = true;
    const older = await give([one.id], 'off');
    const sending = first.send();
    await first.asked;
    // The newer command is written, and its commit is held up.
    await sql`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM
      pg_advisory_xact_lock(1); RETURN NULL; END $$`.execute(db);
    await sql`CREATE TRIGGER hold_commit AFTER UPDATE OF in_hand
      ON command_item FOR EACH STATEMENT EXECUTE FUNCTION hold_commit()`.execute(db);
    const giving = await db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
      const begun = give([one.id], 'on');
      await lockWaiters(db, 1);
      first.go();
      // Whoever lets go waits for the row of the older one.
      await lockWaiters(db, 2);
      return { begun };
    });
    const newer = await giving.begun;
    await sending;
    await sql`DROP TRIGGER hold_commit ON command_item; DROP FUNCTION hold_commit`.execute(db);
    await second.send();
    expect(told.slice(-2).map(({ commandId }) => commandId)).toEqual([older, newer]);
  });

  it('a stronger one without an end, which keeps nothing in force, gives way: two states are never on their way to one lamp', async () => {
    const one = await quietLamp();
    const over = await give([one.id], 'auto', { lane: 'emergency', reason: 'x' });
    const manual = await give([one.id], 'dim', { args: { level: 40 } });
    expect([await office.stateOf(over), await office.stateOf(manual)]).toEqual([['superseded'], ['queued']]);
  });

  it('a device that heard the newer one first refuses the older, which is superseded', async () => {
    const one = await quietLamp();
    const id = await give([one.id], 'on');
    await processNamed('one').send();
    await one.refuse(id, 'superseded');
    expect((await detail(id)).items).toMatchObject([{ state: 'superseded', error: null }]);
  });
});

describe('what is not answered', () => {
  const at = (seconds: number) => clock.set(new Date(now() + seconds * 1000));

  it('is sent again under its id, after ever longer, as long as an answer counts; not who answered, and not what was called off', async () => {
    const [silent, quick, off] = [await quietLamp(), await quietLamp(), await quietLamp()];
    const start = now();
    const [id, cancelled] = [await give([silent.id, quick.id], 'on'), await give([off.id], 'on')];
    const one = processNamed('one');
    expect((await since(one.send)).length).toBe(3);
    await quick.accept(id);
    await act(cancelled, 'cancel', { reason: 'x' });
    const seen: number[][] = [];
    for (const second of [4, 5, 6, 14, 15, 16, 29, 31, 40]) {
      clock.set(new Date(start + second * 1000));
      for (const { deviceId, commandId, expiresAt } of await since(one.send)) {
        expect([deviceId, commandId, Date.parse(expiresAt)]).toEqual([silent.id, id, start + 30_000]);
        seen.push([second]);
      }
      await one.endOverdue();
    }
    expect(seen).toEqual([[5], [15]]);
    expect((await detail(id)).items).toMatchObject([
      { deviceId: silent.id, state: 'timedOut', error: 'noAnswer', tries: 3 },
      { deviceId: quick.id, state: 'acknowledged', error: null, tries: 1 },
    ]);
  });

  it('is not sent after the command’s own expiry, nor to a device that was taken out of use or told something newer; a halted command waits', async () => {
    const [expiring, disabled, newer] = [await quietLamp(), await quietLamp(), await quietLamp()];
    const ids = [
      await give([expiring.id], 'on', { expiresAt: new Date(now() + 10_000).toISOString() }),
      await give([disabled.id], 'on'),
      await give([newer.id], 'on'),
    ];
    const one = processNamed('one');
    await one.send();
    await sql`UPDATE device SET enabled = false WHERE id = ${disabled.id}`.execute(db);
    await give([newer.id], 'off');
    await one.send();
    at(6);
    expect((await since(one.send)).map(({ deviceId, command }) => [deviceId, command])).toEqual(
      expect.arrayContaining([
        [expiring.id, 'on'],
        [newer.id, 'off'],
      ]),
    );
    at(10);
    expect((await since(one.send)).map(({ deviceId, command }) => [deviceId, command])).toEqual([[newer.id, 'off']]);
    expect(
      told
        .filter(({ commandId }) => ids.includes(commandId))
        .map(({ deviceId }) => deviceId)
        .toSorted((a, b) => a - b),
    ).toEqual([expiring.id, expiring.id, disabled.id, newer.id]);
    at(20);
    await one.endOverdue();
    expect(await Promise.all(ids.map(office.stateOf))).toEqual([['timedOut'], ['timedOut'], ['superseded']]);
  });

  it('takes its turn at the pace of its gateway, after what is queued, and once by however many processes', async () => {
    const gateway = await givenDevice(db, { family: 'central-controller' });
    const lamps = await Promise.all(Array.from({ length: 3 }, () => quietLamp({ parentId: gateway })));
    await call(`/api/v1/command-paces/${gateway}`, { method: 'PUT', body: { perSecond: 4 } });
    await settings({ limits: { repeatSeconds: 2 } });
    const silent = await give(
      lamps.slice(0, 2).map(({ id }) => id),
      'on',
    );
    const [one, other] = [processNamed('one'), processNamed('other')];
    await one.send();
    at(1);
    await one.send();
    const later = await give(
      lamps.slice(2).map(({ id }) => id),
      'on',
    );
    at(2);
    const inTurn = async () =>
      (await since(() => Promise.all([one.send(), other.send()]))).map(({ commandId }) => commandId);
    expect(await inTurn()).toEqual([later]);
    at(1);
    expect(await inTurn()).toEqual([silent]);
    at(1);
    expect(await inTurn()).toEqual([silent]);
    await settings({ limits: { repeatSeconds: 5 } });
  });

  it('comes again when its gateway is free, who was told less often first', async () => {
    const gateway = await givenDevice(db, { family: 'central-controller' });
    const lamps = (await Promise.all(Array.from({ length: 5 }, () => quietLamp({ parentId: gateway }))))
      .map(({ id: lamp }) => lamp)
      .toSorted((a, b) => a - b);
    const pace = (perSecond: number) =>
      call(`/api/v1/command-paces/${gateway}`, { method: 'PUT', body: { perSecond } });
    await pace(100);
    const id = await give(lamps, 'on');
    const one = processNamed('one');
    expect(await since(one.send)).toHaveLength(5);
    await pace(8);
    await sql`UPDATE command_item SET tries = 2 WHERE command_id = ${id} AND device_id = ${lamps[0]}`.execute(db);
    at(15);
    const from = told.length;
    await one.send();
    for (const times of [2, 4]) {
      expect(told.length - from).toBe(times);
      await clock.advance(250);
      await expect.poll(() => told.length - from, { timeout: 20_000 }).toBe(times + 2);
      await one.send();
    }
    const turns = told.slice(from).map(({ deviceId }) => deviceId);
    expect([turns.slice(0, 4).toSorted((a, b) => a - b), turns[4]]).toEqual([lamps.slice(1), lamps[0]]);
  });

  it('is told once more by one process, though another had looked before it was', async () => {
    const silent = await quietLamp();
    await give([silent.id], 'on');
    const one = processNamed('one');
    await one.send();
    at(6);
    await db.connection().execute(async (own) => {
      // Looks, and is held up before it takes anything.
      await sql`CREATE TEMP VIEW device AS SELECT d.* FROM public.device d
        WHERE pg_advisory_xact_lock_shared(1) IS NOT NULL`.execute(own);
      const taking = await db.transaction().execute(async (tx) => {
        await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
        const begun = claimUnanswered(own, clock.now(), (await readSettings(db)).limits);
        await lockWaiters(db, 1);
        expect(await since(one.send)).toMatchObject([{ deviceId: silent.id }]);
        return { begun };
      });
      expect(await taking.begun).toEqual([]);
      await sql`DROP VIEW pg_temp.device`.execute(own);
    });
    expect(await since(processNamed('other').send)).toEqual([]);
  });

  it('keeps a newer command waiting while it is being sent again', async () => {
    const one = await quietLamp();
    const [first, second] = [processNamed('first'), processNamed('second')];
    const older = await give([one.id], 'off');
    await first.send();
    at(6);
    first.slow = true;
    const sending = first.send();
    await first.asked;
    const newer = await give([one.id], 'on');
    expect(await since(second.send)).toEqual([]);
    first.go();
    await sending;
    expect(told.slice(-2).map(({ commandId }) => commandId)).toEqual([older, newer]);
  });
});

describe('a device that is no longer to be told anything', () => {
  it.each([
    ['it', 'lamp'],
    ['the controller it is spoken to through', 'gateway'],
  ] as const)('is not told what was queued once %s is out of use: that failed, and says why', async (_name, which) => {
    const gateway = await givenDevice(db, { family: 'central-controller' });
    const [one, other] = [await quietLamp({ parentId: gateway }), await quietLamp()];
    const id = await give([one.id, other.id], 'on');
    await sql`UPDATE device SET enabled = false WHERE id = ${which === 'lamp' ? one.id : gateway}`.execute(db);
    expect((await since(processNamed('one').send)).map(({ deviceId }) => deviceId)).toEqual([other.id]);
    expect((await detail(id)).items).toMatchObject([
      { deviceId: one.id, state: 'failed', error: 'disabled' },
      { deviceId: other.id, state: 'sent' },
    ]);
  });

  it('is told the way it is reached now when its controller left the register, and nothing when it left itself', async () => {
    const [gone, next] = [
      await givenDevice(db, { family: 'central-controller' }),
      await givenDevice(db, { family: 'central-controller' }),
    ];
    const [direct, moved, removed] = [
      await quietLamp({ parentId: gone }),
      await quietLamp({ parentId: gone }),
      await quietLamp({ parentId: gone }),
    ];
    const id = await give([direct.id, moved.id, removed.id], 'on');
    await sql`UPDATE device SET parent_id = ${next} WHERE id = ${moved.id}`.execute(db);
    await sql`DELETE FROM device WHERE id = ANY(${[gone, removed.id]}::bigint[])`.execute(db);
    const [one, other] = [processNamed('one'), processNamed('other')];
    expect(
      (await since(() => Promise.all([one.send(), other.send()])))
        .map(({ deviceId }) => deviceId)
        .toSorted((a, b) => a - b),
    ).toEqual([direct.id, moved.id]);
    expect(await detail(id)).toMatchObject({ states: { sent: 2 }, total: 2 });
  });
});

it('an emergency is taken and sent while a command to very many is still being written, and stays in force over it', async () => {
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name) VALUES (2, 1, 'R2', '江南大道')`.execute(db);
  await sql`INSERT INTO device (family, work_area_id, equipment_code, road_id)
    SELECT 'single-lamp-controller', 1, 'many-' || n, 2 FROM generate_series(1, 120) n`.execute(db);
  const {
    rows: [lamp],
  } = await sql<{ id: number }>`SELECT id FROM device WHERE equipment_code = 'many-1'`.execute(db);
  // Written, and not committed: as long as many more take.
  await sql`CREATE FUNCTION hold_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF EXISTS (SELECT FROM made
    WHERE state = 'waiting') THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NULL; END $$`.execute(db);
  await sql`CREATE TRIGGER hold_many AFTER INSERT
    ON command_item REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION hold_many()`.execute(db);
  const one = processNamed('one');
  const { making, emergency } = await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
    const begun = ask({ scope: { roadId: 2 }, command: 'dim', args: { level: 30 } });
    await lockWaiters(db, 1);
    const id = await give([lamp?.id ?? 0], 'on', { lane: 'emergency', reason: '积水抢险' });
    expect(await since(one.send)).toMatchObject([{ commandId: id, deviceId: lamp?.id }]);
    return { making: begun, emergency: id };
  });
  const { id, total } = (await making).body;
  await sql`DROP TRIGGER hold_many ON command_item; DROP FUNCTION hold_many`.execute(db);
  expect(await detail(id)).toMatchObject({ states: { queued: 99, waiting: total - 100, superseded: 1 } });
  expect(await detail(emergency)).toMatchObject({ states: { sent: 1 } });
}, 60_000);

it('an emergency is sent while the next step of another command waits for its turn', async () => {
  const [first, rest, hasty] = [await quietLamp(), await quietLamp(), await quietLamp()];
  const id = await give([first.id, rest.id], 'on');
  await sql`UPDATE command SET phase = 'staged' WHERE id = ${id}`.execute(db);
  await sql`UPDATE command_item SET state = 'waiting' WHERE command_id = ${id} AND device_id = ${rest.id}`.execute(db);
  const emergency = await give([hasty.id], 'on', { lane: 'emergency', reason: '积水抢险' });
  const one = processNamed('one');
  const { sending } = await db.transaction().execute(async (tx) => {
    await takeLock(tx, 'commandQueue');
    const begun = one.send();
    await lockWaiters(db, 1);
    await expect.poll(() => told.at(-1)?.commandId, { timeout: 20_000 }).toBe(emergency);
    return { sending: begun };
  });
  expect(
    (await since(() => sending))
      .filter(({ commandId }) => commandId === id)
      .map(({ deviceId }) => deviceId)
      .toSorted((a, b) => a - b),
  ).toEqual([first.id, rest.id]);
});

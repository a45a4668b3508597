import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../platform/db/index.ts';
import { givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { commandProcesses } from './testing/processes.ts';

/**
 * What one lamp is told stays in its order, whichever process tells it; what it does not answer is told again; who is
 * in a hurry waits for nobody's large command.
 */
const { office, db, clock, now, detail, ask, quietLamp, told, processNamed, since, give } = await commandProcesses();

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

import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';
import { claimUnanswered } from './again.store.ts';
import { readSettings } from './settings.ts';
import { commandProcesses } from './testing/processes.ts';

const { office, db, call, clock, now, detail, act, quietLamp, settings, told, processNamed, since, give } =
  await commandProcesses();

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

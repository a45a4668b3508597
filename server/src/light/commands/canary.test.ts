import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { obedientLamps } from './testing/obedient-lamps.ts';

const { office, db, clock, detail, ask, act, dispatcher, quietLamps, obey } = await obedientLamps();

describe('a canary', () => {
  it('that is counted two ways is no matter where there is none: of an emergency, and of one device', async () => {
    const lamps = await quietLamps(2);
    const form = (count: number, more: object) =>
      ask({
        deviceIds: lamps.slice(0, count).map((one) => one.id),
        command: 'on',
        reason: '抢修',
        expiresAt: '2020-01-01T00:00:00Z',
        canary: { count: 1, share: 10, minSuccessPercent: 100, waitSeconds: 60 },
        ...more,
      } as never);
    const refused = async (asked: ReturnType<typeof form>) =>
      ((await asked).body as unknown as { params: { field: string }[] }).params.map(({ field }) => field).toSorted();
    expect(
      await Promise.all([refused(form(2, {})), refused(form(1, {})), refused(form(2, { lane: 'emergency' }))]),
    ).toEqual([['canary.count', 'expiresAt'], ['expiresAt'], ['expiresAt']]);
  });

  it('that works lets the rest go', async () => {
    const lamps = await quietLamps(6);
    const { id } = (
      await ask({
        deviceIds: lamps.map((one) => one.id),
        command: 'on',
        canary: { count: 2, minSuccessPercent: 100, waitSeconds: 60 },
      })
    ).body;
    await dispatcher.send();
    expect((await detail(id)).states).toEqual({ sent: 2, waiting: 4 });
    const first = (await detail(id, '?canary=true')).items.map((item) => item.deviceId);
    await obey(
      lamps.filter((one) => first.includes(one.id)),
      id,
    );
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({
      state: 'running',
      states: { confirmed: 2, sent: 4 },
      canary: { state: 'passed', confirmed: 2 },
    });
  });

  it('and its rest takes nothing from a later command whose rest still waits too: the later one holds for every lamp', async () => {
    const lamps = await quietLamps(4);
    const given = {
      deviceIds: lamps.map((one) => one.id),
      canary: { count: 1, minSuccessPercent: 100, waitSeconds: 60 },
    };
    const [earlier, later] = [
      (await ask({ ...given, command: 'on' })).body.id,
      (await ask({ ...given, command: 'dim', args: { level: 40 } })).body.id,
    ];
    await dispatcher.send();
    // The first lamp of the later one took over that of the earlier one, whose rest goes: nobody is left to judge it
    // by.
    expect([(await detail(earlier)).states, (await detail(later)).states]).toEqual([
      { superseded: 1, sent: 3 },
      { sent: 1, waiting: 3 },
    ]);
    const first = (await detail(later, '?canary=true')).items.map((item) => item.deviceId);
    await obey(
      lamps.filter((one) => first.includes(one.id)),
      later,
      40,
    );
    await dispatcher.send();
    expect([(await detail(earlier)).states, (await detail(later)).states]).toEqual([
      { superseded: 4 },
      { confirmed: 1, sent: 3 },
    ]);
  });

  it('that does not halts; a person goes on with a reason, or ends it', async () => {
    const lamps = await quietLamps(6);
    const given = {
      deviceIds: lamps.map((one) => one.id),
      command: 'on',
      canary: { share: 33, minSuccessPercent: 80, waitSeconds: 20 },
    };
    const { id } = (await ask(given)).body;
    await dispatcher.send();
    await clock.advance(20_000);
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({
      state: 'halted',
      finished: false,
      halted: { why: 'canary', finished: 2, failed: 2 },
      canary: { state: 'failed' },
      states: { waiting: 4 },
    });
    expect((await act(id, 'resume', { reason: '现场确认' })).body).toEqual({ released: 4 });
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({ state: 'running', halted: null, states: { sent: 6 } });
    expect((await act(id, 'resume', { reason: 'x' })).body['code']).toBe(4013);
    const other = (await ask(given)).body.id;
    await dispatcher.send();
    await clock.advance(20_000);
    await dispatcher.send();
    expect((await act(other, 'cancel', { reason: '不再需要' })).body).toEqual({ cancelled: 4, onTheWay: 2 });
    expect(
      office.logLines().filter(({ msg, commandId }) => msg === 'a command was halted' && commandId === other),
    ).toMatchObject([{ level: 'warn', command: 'on', why: 'canary', finished: 2, failed: 2 }]);
  });
});

it('halts when too many fail, and counts anew when it goes on', async () => {
  const lamps = await quietLamps(8);
  const { id } = (
    await ask({ deviceIds: lamps.map((one) => one.id), command: 'on', stopAt: { failurePercent: 50, afterAtLeast: 2 } })
  ).body;
  await dispatcher.send();
  expect((await detail(id)).states).toEqual({ sent: 8 });
  // Five of them as if their gateway had not had time for them yet.
  await sql`UPDATE command_item SET state = 'queued', sent_at = NULL, claimed_at = NULL
    WHERE command_id = ${id} AND device_id > ${lamps[2]?.id ?? 0}`.execute(db);
  await clock.advance(1000);
  for (const one of lamps.slice(0, 2)) await one.refuse(id, 'driver fault');
  await dispatcher.send();
  expect(await detail(id)).toMatchObject({
    state: 'halted',
    halted: { why: 'failures', finished: 2, failed: 2 },
    states: { failed: 2, sent: 1, waiting: 5 },
  });
  await act(id, 'resume', { reason: 'x' });
  await dispatcher.send();
  expect(await detail(id)).toMatchObject({ state: 'running', states: { failed: 2, sent: 6 } });
});

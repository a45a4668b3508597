import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { commandOffice, type SeenItem as Item } from '../../testing/command-office.ts';

// 2026-11-21 20:00 in Hangzhou.
const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'), { steps: { first: 500, next: 100 } });
const { app, db, call, now, detail, ask, quietLamp, dispatcher } = office;

describe('lists', () => {
  it('tell of what has ended as it ended, and each reader of its own areas', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区') ON CONFLICT DO NOTHING`.execute(
      db,
    );
    const lamps = [await quietLamp(), await quietLamp(), await quietLamp({ workAreaId: 2, roadId: null })];
    const give = async () => (await ask({ deviceIds: lamps.map((one) => one.id), command: 'on' })).body.id;
    const [ended, open] = [await give(), await give()];
    const readers = {
      all: app.adminToken,
      west: (await app.signIn({ username: 'west', permissions: ['lamp.monitor'], workAreas: [2] })).token,
      bound: (await app.signIn({ username: 'bound', permissions: ['lamp.monitor'], workAreas: [2] })).token,
    };
    await sql`INSERT INTO device_account (device_id, account_id) SELECT ${lamps[0]?.id}, id FROM account
      WHERE username = 'bound'`.execute(db);
    const told = async (token: string) => {
      const { data } = (
        await call<{ data: { id: number; total: number; states: object; state: string }[] }>(
          '/api/v1/commands?size=1000',
          { token },
        )
      ).body;
      return [ended, open]
        .map((id) => data.find((row) => row.id === id))
        .map((row) => [row?.total, row?.states, row?.state]);
    };
    const expected = {
      all: [
        [3, { superseded: 3 }, 'finished'],
        [3, { queued: 3 }, 'running'],
      ],
      west: [
        [1, { superseded: 1 }, 'finished'],
        [1, { queued: 1 }, 'running'],
      ],
      bound: [
        [2, { superseded: 2 }, 'finished'],
        [2, { queued: 2 }, 'running'],
      ],
    };
    for (const [name, token] of Object.entries(readers))
      expect(await told(token), name).toEqual(expected[name as keyof typeof expected]);
    await dispatcher.keepCounts();
    await dispatcher.keepCounts();
    for (const [name, token] of Object.entries(readers))
      expect(await told(token), name).toEqual(expected[name as keyof typeof expected]);
    expect(
      (
        await db.selectFrom('command').select(['id', 'counts']).where('id', 'in', [ended, open]).orderBy('id').execute()
      ).map((row) => row.counts),
    ).toEqual([{ 1: { superseded: 2 }, 2: { superseded: 1 } }, null]);
    // One that is taken out of the register afterwards was told all the same.
    await db
      .deleteFrom('device')
      .where('id', '=', lamps[1]?.id ?? 0)
      .execute();
    expect((await told(readers.all))[0]).toEqual([3, { superseded: 3 }, 'finished']);
    expect((await detail(ended)).total).toBe(2);
  });
  it('are filtered by state, lane, who and when; items by state and words', async () => {
    const lamps = [await quietLamp(), await quietLamp(), await quietLamp()];
    const { id } = (
      await ask({ deviceIds: lamps.map((one) => one.id), command: 'dim', args: { level: 44 }, lane: 'plan' })
    ).body;
    await dispatcher.send();
    await lamps[0]?.refuse(id, 'driver fault');
    const ids = async (query: string) =>
      (await call<{ data: { id: number }[] }>(`/api/v1/commands?size=1000&${query}`)).body.data.map((row) => row.id);
    expect(await ids('lane=plan&state=running')).toContain(id);
    expect(await ids('lane=manual,emergency')).not.toContain(id);
    expect(await ids('state=finished')).not.toContain(id);
    expect(await ids('actor=ADM&command=dim')).toContain(id);
    expect(await ids(`from=${encodeURIComponent(timeText(now() + 1))}`)).toEqual([]);
    expect((await call('/api/v1/commands?state=done')).status).toBe(400);
    expect(await detail(id, '?state=failed')).toMatchObject({
      total: 3,
      recordsTotal: 1,
      items: [{ error: 'driver fault' }],
    });
    const { code } = await db
      .selectFrom('device')
      .select('equipment_code as code')
      .where('id', '=', lamps[1]?.id ?? 0)
      .executeTakeFirstOrThrow();
    expect((await detail(id, `?q=${code.toLowerCase()}`)).items.map((item) => item.deviceId)).toContain(lamps[1]?.id);
  });
});

it('a very large command goes in steps, all of it; what failed stands first', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (5, 'A5', '大区') ON CONFLICT DO NOTHING`.execute(
    db,
  );
  await sql`INSERT INTO device (family, work_area_id, equipment_code, rated_watts, search_words)
    SELECT 'single-lamp-controller', 5, 'V-' || i, 100, '' FROM generate_series(1, 510) i`.execute(db);
  const { body } = await ask({ scope: { workAreaId: 5 }, command: 'dim', args: { level: 70 } });
  expect(body.total).toBe(510);
  expect((await detail(body.id)).states).toEqual({ queued: 500, waiting: 10 });
  await dispatcher.send();
  expect((await detail(body.id)).states).toEqual({ sent: 510 });
  const { id } = await db
    .selectFrom('device')
    .select('id')
    .where('equipment_code', '=', 'V-400')
    .executeTakeFirstOrThrow();
  await sql`UPDATE command_item SET state = 'failed' WHERE command_id = ${body.id} AND device_id = ${id}`.execute(db);
  expect((await detail(body.id, '?size=2')).items.map((item) => item.state)).toEqual(['failed', 'sent']);
  const { token } = await app.signIn({ username: 'large', permissions: ['lamp.monitor'], workAreas: [5] });
  expect((await call<{ items: Item[] }>(`/api/v1/commands/${body.id}?size=1`, { token })).body.items).toMatchObject([
    { deviceId: id },
  ]);
  // Every page of it is its stretch of the whole, whatever is asked for; and reads no more than that.
  const page = async (query: string) => {
    const { items, recordsTotal } = await detail(body.id, `?${query}`);
    return [recordsTotal, items.length, items[0]?.state, items.at(-1)?.deviceId] as const;
  };
  const last = (await page('size=10&page=51'))[3];
  expect(await page('size=10&page=51')).toEqual([510, 10, 'sent', last]);
  expect(await page('size=10&page=52')).toEqual([510, 0, undefined, undefined]);
  expect(await page('size=100&page=6&state=sent,failed')).toEqual([510, 10, 'sent', last]);
  expect(await page('size=100&page=6&state=sent')).toEqual([509, 9, 'sent', last]);
  expect(await page('size=5&state=sent&canary=false&page=102')).toEqual([509, 4, 'sent', last]);
  expect(await page('size=50&state=queued')).toEqual([0, 0, undefined, undefined]);
});

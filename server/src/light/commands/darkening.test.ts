import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandOffice } from '../../testing/command-office.ts';
import { givenDevice } from '../../testing/devices.ts';

// 2026-11-21 20:00 in Hangzhou.
const { app, db, clock, now, ask, act, detail, dispatcher, settings, call } = await commandOffice(
  Date.parse('2026-11-21T12:00:00Z'),
);
const minute = 60_000;
let group: number;
let approverId: number;
let number = 0;

beforeAll(async () => {
  expect((await settings({ policy: { approvalAbove: 3 } })).status).toBe(200);
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区')`.execute(db);
  group = (
    await db
      .insertInto('equipment_group')
      .values({ work_area_id: 1, group_code: 'G', group_name: 'G' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  approverId = (await app.signIn({ username: 'second', permissions: ['lamp.approve', 'lamp.monitor'], workAreas: [1] }))
    .accountId;
});
const signedIn = (at: Date | null) =>
  db.updateTable('account').set({ last_login_at: at, disabled: false }).where('id', '=', approverId).execute();
beforeEach(() => signedIn(clock.now()));

/** An account of its own: what one darkens does not count for another. */
const operator = () =>
  app.signIn({ username: `op${(number += 1)}`, permissions: ['lamp.control', 'lamp.monitor'], workAreas: [1, 2] });
const lamps = (count: number) => Promise.all(Array.from({ length: count }, () => givenDevice(db)));
const off = async (token: string, deviceIds: readonly number[], more: object = {}) =>
  ask({ deviceIds, command: 'off', reason: '演练', ...more }, { token });
const stateOf = async (reply: ReturnType<typeof ask>) => (await reply).body.state;

describe('darkening by one account', () => {
  it('in single commands counts like one command', async () => {
    const { token } = await operator();
    const states = [];
    for (const id of await lamps(5)) states.push(await stateOf(off(token, [id])));
    expect(states).toEqual(['running', 'running', 'running', 'awaitingApproval', 'awaitingApproval']);
    const { token: other } = await operator();
    expect(await stateOf(off(other, await lamps(3)))).toBe('running');
  });

  it('by dimming below 20 %, by a group and by trying again counts too; by 20 % and above does not', async () => {
    const { token } = await operator();
    const [first = 0, second = 0] = await lamps(2);
    await sql`UPDATE device SET group_id = ${group} WHERE id IN (${first}, ${second})`.execute(db);
    expect(await stateOf(ask({ deviceIds: await lamps(5), command: 'dim', args: { level: 20 } }, { token }))).toBe(
      'running',
    );
    expect(await stateOf(ask({ deviceIds: await lamps(2), command: 'dim', args: { level: 19 } }, { token }))).toBe(
      'running',
    );
    expect(await stateOf(ask({ scope: { groupId: group }, command: 'off', reason: 'x' }, { token }))).toBe(
      'awaitingApproval',
    );
    const failed = (await off(token, [first])).body.id;
    await sql`UPDATE command_item SET state = 'failed', ended_at = now() WHERE command_id = ${failed}`.execute(db);
    expect(await stateOf(off(token, [second]))).toBe('awaitingApproval');
    // The lamp of the old command is among those that were darkened: again adds none.
    expect((await act<{ state: string }>(failed, 'retry', {}, { token })).body.state).toBe('running');
  });

  it('of a lamp that was lit since then, or for longer, is no repetition; of one that is as dark as before it is', async () => {
    const { token } = await operator();
    const ids = await lamps(4);
    const [until, later] = [30, 60].map((minutes) => new Date(now() + minutes * minute).toISOString());
    const {
      body: { id },
    } = await off(token, ids, { until });
    await sql`UPDATE command SET phase = 'running' WHERE id = ${id}`.execute(db);
    expect(await stateOf(off(token, ids.slice(0, 2), { until }))).toBe('running');
    expect(await stateOf(off(token, ids.slice(0, 2), { until: later }))).toBe('awaitingApproval');
    const alike = new Date(now() + 31 * minute).toISOString();
    expect(await stateOf(off(token, ids.slice(0, 2), { until: alike }))).toBe('running');
    for (const [index, command] of ['on', 'auto'].entries()) {
      const deviceIds = ids.slice(index, index + 1);
      expect(await stateOf(ask({ deviceIds, command }, { token }))).toBe('running');
      await dispatcher.send();
      expect(await stateOf(off(token, deviceIds, { until }))).toBe('awaitingApproval');
    }
    expect(await stateOf(ask({ deviceIds: ids.slice(2, 3), command: 'read' }, { token }))).toBe('running');
    await dispatcher.send();
    expect(await stateOf(off(token, ids.slice(2, 3), { until }))).toBe('running');
  });

  it('is over after ten minutes; what was cancelled before it was sent, refused or waits darkened nothing', async () => {
    const { token } = await operator();
    const {
      body: { id },
    } = await off(token, await lamps(3));
    expect((await act(id, 'cancel', { reason: 'x' }, { token })).status).toBe(200);
    expect(await stateOf(off(token, await lamps(3)))).toBe('running');
    expect(await stateOf(off(token, await lamps(2)))).toBe('awaitingApproval');
    await clock.advance(10 * minute);
    expect(await stateOf(off(token, await lamps(3)))).toBe('running');
  });

  it('in commands at the same moment does not slip past', async () => {
    const { token } = await operator();
    const each = await Promise.all(Array.from({ length: 6 }, () => lamps(2)));
    const states = await Promise.all(each.map((ids) => stateOf(off(token, ids))));
    expect(states.filter((state) => state === 'running')).toHaveLength(1);
    expect(states.filter((state) => state === 'awaitingApproval')).toHaveLength(5);
  });

  it('is allowed as far as the site says; off means never', async () => {
    const { token } = await operator();
    expect((await settings({ policy: { approvalAbove: null } })).status).toBe(200);
    expect(await stateOf(off(token, await lamps(6)))).toBe('running');
    expect((await settings({ policy: { approvalAbove: 3 } })).status).toBe(200);
  });

  it('is 200 lamps in ten minutes, and below 20 %, until somebody changes it', async () => {
    await db.deleteFrom('setting').where('name', '=', 'commands.settings').execute();
    expect((await call('/api/v1/command-settings')).body).toMatchObject({
      policy: { approvalAbove: 200, withinMinutes: 10, off: true, dimBelow: 20 },
    });
    const { token } = await operator();
    expect(await stateOf(off(token, await lamps(200)))).toBe('running');
    expect(await stateOf(off(token, await lamps(1)))).toBe('awaitingApproval');
    expect((await settings({ policy: { approvalAbove: 3 } })).status).toBe(200);
  });
});

describe('where nobody could approve', () => {
  const alone = {
    status: 400,
    body: { code: 4017, count: 4, minutes: 10, params: [{ field: 'confirmCount', rule: 'required' }] },
  };

  it.each([
    ['nobody has signed in within 30 days', () => signedIn(new Date(now() - 31 * 86_400_000))],
    ['nobody has ever signed in', () => signedIn(null)],
    [
      'who could is disabled',
      () => db.updateTable('account').set({ disabled: true }).where('id', '=', approverId).execute(),
    ],
  ])('the count is typed instead: %s', async (_what, prepare) => {
    await prepare();
    const { token } = await operator();
    const ids = await lamps(4);
    expect(await off(token, ids, { reason: null })).toMatchObject(alone);
    expect((await off(token, ids, { confirmCount: 3 })).body).toMatchObject({
      code: 4017,
      params: [{ field: 'confirmCount', rule: 'invalid' }],
    });
    const { body } = await off(token, ids, { confirmCount: 4, reason: null });
    expect(body.state).toBe('running');
    await dispatcher.send();
    expect((await detail(body.id)).states).toEqual({ sent: 4 });
    // The count is that of all lamps of these minutes.
    expect((await off(token, await lamps(1))).body).toMatchObject({ code: 4017, count: 5 });
  });

  it('who does not see all the lamps could not; bound to them one by one it could', async () => {
    const { token } = await operator();
    const ids = [...(await lamps(3)), await givenDevice(db, { workAreaId: 2, roadId: null })];
    expect(await off(token, ids)).toMatchObject(alone);
    await db
      .insertInto('device_account')
      .values({ device_id: ids[3] ?? 0, account_id: approverId })
      .execute();
    expect(await stateOf(off(token, ids))).toBe('awaitingApproval');
  });

  it('oneself is no second person; a typed count is worth nothing where there is one', async () => {
    const { token } = await app.signIn({
      username: `op${(number += 1)}`,
      permissions: ['lamp.control', 'lamp.approve'],
      workAreas: [1],
    });
    expect(await stateOf(off(token, await lamps(4), { confirmCount: 4 }))).toBe('awaitingApproval');
    await signedIn(null);
    expect(await off(token, await lamps(4))).toMatchObject(alone);
  });
});

import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { commandOffice } from '../../testing/command-office.ts';
import { givenDevice } from '../../testing/devices.ts';
import { lockWaiters } from '../../testing/row-locks.ts';

// 2026-11-21 20:00 in Hangzhou.
const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'));
const { app, db, call, clock, now, detail, stateOf, ask, act, quietLamp, dispatcher, settings } = office;
beforeAll(async () => {
  expect(
    (await settings({ policy: { reasonAbove: 1, approvalAbove: 2, approvalMinutes: 10, dimBelow: 20 } })).status,
  ).toBe(200);
  // Somebody who could approve, so that commands wait for a second person at all.
  const { accountId } = await app.signIn({ username: 'always there', level: 0, permissions: ['lamp.approve'] });
  await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', accountId).execute();
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '西区')`.execute(db);
});
const quietLamps = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => quietLamp()))).toSorted((a, b) => a.id - b.id);
const approver = (username: string, permissions = ['lamp.approve', 'lamp.monitor']) =>
  app.signIn({ username, permissions, workAreas: [1] });
const darken = async (count: number, reason: string | null = '台风停电演练', more: object = {}) => {
  const lamps = await quietLamps(count);
  return { lamps, ...(await ask({ deviceIds: lamps.map((one) => one.id), command: 'off', reason, ...more })) };
};
const each = (item: object) => Array.from({ length: 3 }, () => item);
/** The commands of a list, newest first. */
const listed = async (query: string, token = app.adminToken) =>
  (
    await call<{
      data: { id: number; state: string; approval: { outcome: string; decision: unknown } }[];
      recordsTotal: number;
    }>(`/api/v1/commands?${query}`, { token })
  ).body;
const ids = async (query: string, token?: string) => (await listed(query, token)).data.map(({ id }) => id);

describe('the second person', () => {
  it('is asked for by number and darkness; a reason before that', async () => {
    expect((await darken(2, null)).body.code).toBe(4011);
    expect((await darken(2)).body.state).toBe('running');
    expect((await darken(3)).body.state).toBe('awaitingApproval');
    const lamps = await quietLamps(3);
    const states = async (body: object) =>
      (await ask({ deviceIds: lamps.map((one) => one.id), reason: 'x', ...body })).body.state;
    expect(await states({ command: 'on' })).toBe('running');
    expect(await states({ command: 'dim', args: { level: 20 } })).toBe('running');
    expect(await states({ command: 'dim', args: { level: 19 } })).toBe('awaitingApproval');
  });

  it('agrees: nothing was sent before, and both names stand in the log', async () => {
    const {
      body: { id },
    } = await darken(3);
    await dispatcher.send();
    const { token } = await approver('approver');
    const seen = (await call<{ data: { id: number }[] }>('/api/v1/commands?state=awaitingApproval', { token })).body
      .data;
    expect(seen.map((row) => row.id)).toContain(id);
    expect((await detail(id)).approval?.hindrance).toBe('own');
    const { body: mine } = await call<{ approval: { digest: string; hindrance: null }; states: object }>(
      `/api/v1/commands/${id}`,
      { token },
    );
    expect(mine).toMatchObject({ states: { waiting: 3 }, approval: { hindrance: null } });
    expect(
      (await act(id, 'approval', { approved: true, digest: mine.approval.digest })).body['code'],
      'not who asked',
    ).toBe(4015);
    expect((await act(id, 'approval', { approved: true, digest: mine.approval.digest }, { token })).body).toEqual({
      state: 'running',
    });
    await dispatcher.send();
    expect(await detail(id)).toMatchObject({
      state: 'running',
      states: { sent: 3 },
      approval: { decision: { approved: true, by: 'approver' } },
    });
    const row = await db.selectFrom('operation_log').selectAll().orderBy('id', 'desc').executeTakeFirst();
    expect(row).toMatchObject({ username: 'approver' });
    expect(JSON.stringify(row)).toContain('"askedBy');
    expect((await act(id, 'approval', { approved: false, digest: 'x', reason: 'late' }, { token })).body['code']).toBe(
      4014,
    );
  });

  it('agrees when the state has ended already in one area: nothing is sent there, and what was told there meanwhile stays', async () => {
    const {
      lamps,
      body: { id },
    } = await darken(3);
    // In another area the sun rises in five minutes.
    await sql`UPDATE command_item SET until = ${new Date(now() + 300_000)}
      WHERE command_id = ${id} AND device_id = ${lamps[0]?.id}`.execute(db);
    clock.set(new Date(now() + 400_000));
    const later = (await ask({ deviceIds: [lamps[0]?.id], command: 'on', lane: 'plan' })).body.id;
    const { token } = await approver('between');
    const digest = (await detail(id)).approval?.digest;
    expect((await act(id, 'approval', { approved: true, digest }, { token })).body).toEqual({ state: 'running' });
    await dispatcher.send();
    expect([(await detail(id)).states, (await detail(later)).states]).toEqual([{ expired: 1, sent: 2 }, { sent: 1 }]);
    expect((await detail(id)).items.find(({ state }) => state === 'expired')).toMatchObject({
      deviceId: lamps[0]?.id,
      error: 'notSent',
    });
  });

  it('refuses with a reason; cannot agree to what was changed; has only so long', async () => {
    const { token } = await approver('refuser');
    const first = await darken(3);
    expect((await act(first.body.id, 'approval', { approved: false, digest: 'x' }, { token })).body['code']).toBe(4011);
    expect(
      (await act(first.body.id, 'approval', { approved: false, digest: 'x', reason: '今晚有活动' }, { token })).body,
    ).toEqual({ state: 'refused' });
    expect(await detail(first.body.id)).toMatchObject({
      state: 'refused',
      finished: true,
      states: { cancelled: 3 },
      approval: { decision: { approved: false, reason: '今晚有活动' } },
    });
    const changed = await darken(4);
    const digest = (await detail(changed.body.id)).approval?.digest;
    await db
      .deleteFrom('device')
      .where('id', '=', changed.lamps[0]?.id ?? 0)
      .execute();
    expect((await act(changed.body.id, 'approval', { approved: true, digest }, { token })).status).toBe(409);
    await clock.advance(600_000);
    await dispatcher.send();
    expect(await detail(changed.body.id)).toMatchObject({ state: 'lapsed', finished: true, states: { expired: 3 } });
    expect((await act(changed.body.id, 'approval', { approved: true, digest }, { token })).body['code']).toBe(4016);
  });

  it('sees every device it decides about, and has the code', async () => {
    const { token } = await approver('elsewhere');
    const foreign = await givenDevice(db, { workAreaId: 2, roadId: null });
    const lamps = await quietLamps(2);
    const { id } = (await ask({ deviceIds: [...lamps.map((one) => one.id), foreign], command: 'off', reason: 'x' }))
      .body;
    expect((await act(id, 'approval', { approved: true, digest: 'x' }, { token })).status).toBe(403);
    const { body } = await call<{ approval: { hindrance: string } }>(`/api/v1/commands/${id}`, { token });
    expect(body.approval.hindrance).toBe('area');
    const { body: list } = await call<{ data: (typeof body & { id: number; total: number })[] }>(
      '/api/v1/commands?state=awaitingApproval',
      { token },
    );
    expect(
      list.data.find((row) => row.id === id),
      'its row says so too',
    ).toMatchObject({ total: 2, approval: { hindrance: 'area' } });
    const plain = await approver('watching', ['lamp.monitor']);
    expect((await act(id, 'approval', { approved: true, digest: 'x' }, { token: plain.token })).status).toBe(403);
  });

  it('what awaits it takes nothing away from what is on its way', async () => {
    const lamps = await quietLamps(3);
    const ids = lamps.map((one) => one.id);
    const lit = (await ask({ deviceIds: ids, command: 'on' })).body.id;
    const dark = (await ask({ deviceIds: ids, command: 'off', reason: 'x' })).body.id;
    expect([new Set(await stateOf(lit)), new Set(await stateOf(dark))]).toEqual([
      new Set(['queued']),
      new Set(['waiting']),
    ]);
    const { token } = await approver('third');
    await act(dark, 'approval', { approved: true, digest: (await detail(dark)).approval?.digest }, { token });
    await dispatcher.send();
    expect([new Set(await stateOf(lit)), new Set(await stateOf(dark))]).toEqual([
      new Set(['superseded']),
      new Set(['sent']),
    ]);
  });
});

describe('what awaits a second person longer than it is worth something', () => {
  const asked = async (more: object) => (await darken(3, 'x', more)).body.id;
  it('is over when the command is, or when its state would have ended', async () => {
    const end = async (more: object) => (await detail(await asked(more))).approval?.expiresAt;
    expect(await end({})).toBe(timeText(now() + 600_000));
    expect(await end({ expiresAt: timeText(now() + 40_000) })).toBe(timeText(now() + 40_000));
    expect(await end({ until: timeText(now() + 30_000), expiresAt: timeText(now() + 40_000) })).toBe(
      timeText(now() + 30_000),
    );
  });

  it('is offered to nobody from that moment on, cannot be agreed to, and nothing of it is sent', async () => {
    const { token } = await approver('late');
    const id = await asked({ expiresAt: timeText(now() + 40_000) });
    const digest = (await detail(id)).approval?.digest;
    expect([await ids('state=awaitingApproval', token), await ids('approval=pending', token)]).toEqual([
      expect.arrayContaining([id]),
      expect.arrayContaining([id]),
    ]);
    clock.set(new Date(now() + 40_000));
    // No job has seen it yet, and the one that ends what is too late leaves it to the one that knows why.
    await dispatcher.endOverdue();
    expect([await ids('state=awaitingApproval', token), await ids('approval=pending', token)]).toEqual([
      expect.not.arrayContaining([id]),
      expect.not.arrayContaining([id]),
    ]);
    for (const query of ['state=lapsed', 'approval=expired', 'approval=expired,pending'])
      expect(await ids(query, token), query).toContain(id);
    const told = async () => (await call<object>(`/api/v1/commands/${id}`, { token })).body;
    expect(await told()).toMatchObject({
      state: 'lapsed',
      approval: { outcome: 'expired', hindrance: 'expired', decision: null },
    });
    const agree = async () => (await act(id, 'approval', { approved: true, digest }, { token })).body;
    expect(await agree()).toMatchObject({ code: 4016, title: '审批已过期' });
    await dispatcher.send();
    await dispatcher.endOverdue();
    expect(await told()).toMatchObject({
      state: 'lapsed',
      finished: true,
      states: { expired: 3 },
      items: each({ error: 'approvalExpired', sentAt: null }),
      approval: { outcome: 'expired' },
    });
    expect((await agree())['code']).toBe(4016);
    expect(await ids('approval=expired', token)).toContain(id);
  });

  it('runs out while somebody who agrees waits for a lock: it is too late', async () => {
    const { token } = await approver('waiting');
    const id = await asked({ expiresAt: timeText(now() + 40_000) });
    const digest = (await detail(id)).approval?.digest;
    const agreeing = await db.transaction().execute(async (tx) => {
      await sql`SELECT FROM command WHERE id = ${id} FOR UPDATE`.execute(tx);
      const asking = act(id, 'approval', { approved: true, digest }, { token });
      await lockWaiters(db, 1);
      clock.set(new Date(now() + 40_000));
      return { asking };
    });
    expect((await agreeing.asking).body['code']).toBe(4016);
  });

  it('agreed to in time it is still not sent after its time', async () => {
    const { token } = await approver('punctual');
    const id = await asked({ expiresAt: timeText(now() + 40_000) });
    expect(
      (await act(id, 'approval', { approved: true, digest: (await detail(id)).approval?.digest }, { token })).body,
    ).toEqual({ state: 'running' });
    clock.set(new Date(now() + 40_000));
    await dispatcher.send();
    await dispatcher.endOverdue();
    expect(await detail(id)).toMatchObject({
      state: 'finished',
      states: { expired: 3 },
      approval: { outcome: 'agreed' },
      items: each({ error: 'notSent', sentAt: null }),
    });
  });
});

describe('what became of approvals', () => {
  it('is listed by outcome, by who decided and by day, to who sees the devices', async () => {
    const { token } = await approver('Zhou Min');
    const from = timeText(now());
    const given = async () => (await darken(3)).body.id;
    const [agreed, refused, withdrawn, stopped] = [await given(), await given(), await given(), await given()];
    const decide = async (id: number, approved: boolean) =>
      expect(
        (await act(id, 'approval', { approved, digest: (await detail(id)).approval?.digest, reason: 'y' }, { token }))
          .status,
      ).toBe(200);
    await decide(agreed, true);
    await decide(refused, false);
    await decide(stopped, true);
    for (const id of [withdrawn, stopped]) await act(id, 'cancel', { reason: 'z' });
    clock.set(new Date(now() + 1000));
    const pending = await given();
    const since = `from=${from}`;
    expect(
      (await listed(`${since}&approval=pending,agreed,refused,expired,withdrawn`)).data.map(({ id, approval }) => [
        id,
        approval.outcome,
      ]),
    ).toEqual([
      [pending, 'pending'],
      [stopped, 'agreed'],
      [withdrawn, 'withdrawn'],
      [refused, 'refused'],
      [agreed, 'agreed'],
    ]);
    expect(await ids(`${since}&approval=agreed`)).toEqual([stopped, agreed]);
    expect(await ids(`${since}&approver=zhou`)).toEqual([stopped, refused, agreed]);
    expect(await ids(`${since}&approver=admin`), 'who withdrew decided too').toEqual([withdrawn]);
    expect(await listed(`${since}&approval=agreed&size=1&page=2`)).toMatchObject({
      recordsTotal: 2,
      data: [{ id: agreed, approval: { decision: { by: 'Zhou Min', approved: true, reason: 'y' } } }],
    });
    expect(await ids(`${since}&to=${timeText(now())}&approval=pending`)).toEqual([]);
    const elsewhere = await app.signIn({ username: 'far', permissions: ['lamp.approve'], workAreas: [2] });
    expect(await ids(`${since}&approval=agreed,refused`, elsewhere.token)).toEqual([]);
    expect((await call('/api/v1/commands?approval=agreed,never')).status).toBe(400);
  });

  it('is read from its index: most commands needed nobody', async () => {
    await sql`INSERT INTO command (command, actor_name, phase, approval)
      SELECT 'off', 'x', 'lapsed', CASE WHEN i % 100 = 0 THEN '{"approved": null}'::jsonb END
      FROM generate_series(1, 3000) i`.execute(db);
    await sql`ANALYZE command`.execute(db);
    const { rows } = await sql<{
      'QUERY PLAN': string;
    }>`EXPLAIN (COSTS OFF) SELECT c.id FROM command c WHERE c.approval_outcome = ANY(${['agreed', 'expired']}::text[])
      ORDER BY c.id DESC LIMIT 50`.execute(db);
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('command_approval');
  });
});

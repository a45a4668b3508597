import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { assign } from '../plans/index.ts';
import { noon, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, app, clock, get, act, publish, turn, phaseOf, stateOf } = office;
beforeEach(() => clock.set(new Date(noon)));

const reason = '投诉太暗';
const levelOf = async (lamp: number, at = '2026-11-23T23:30') => {
  const plan = (await office.plans.of(db, [lamp], clock.now().getTime())).get(lamp);
  return plan && levelAt(plan, wall(at));
};
const made = async (...args: Parameters<typeof publish>) => {
  const { status, body } = await publish(...args);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
};

describe('a return', () => {
  it('leads to what lamps followed before, and a return of a return to what was returned from', async () => {
    const lamps = await office.lamps(2);
    const id = await made(lamps);
    await turn();
    const first = await act(id, 'revert', { reason });
    expect(first.body).toMatchObject({ phase: 'reverting', lamps: 2, darker: 2 });
    await turn();
    expect([await phaseOf(id), await levelOf(lamps[0] ?? 0)]).toEqual(['reverted', 100]);
    const second = await act(first.body.revertId, 'revert', { reason });
    expect(second.status, JSON.stringify(second.body)).toBe(200);
    expect(second.body).toMatchObject({ lamps: 2, darker: 2 });
    await turn();
    expect([await phaseOf(first.body.revertId), await levelOf(lamps[0] ?? 0)]).toEqual(['reverted', 60]);
    expect(await get(second.body.revertId)).toMatchObject({
      reverts: first.body.revertId,
      phase: 'proving',
      states: { told: 2 },
    });
    expect((await get(first.body.revertId)).revertedBy).toBe(second.body.revertId);
  });

  it('stands in the operation log with the hashes before and after, and the lamps that change and get darker', async () => {
    const lamps = await office.lamps(120);
    const noted = async (message: string) => {
      const { rows } = await sql<{ params: string }>`SELECT params FROM operation_log WHERE message = ${message}
        AND status < 300 ORDER BY id DESC LIMIT 1`.execute(db);
      expect(Buffer.byteLength(rows[0]?.params ?? '')).toBeLessThanOrEqual(4096);
      return JSON.parse(rows[0]?.params ?? '') as object;
    };
    const id = await made(lamps, { canary: { count: 2 } });
    const step = { lamps: 120, scheme: [null, 'aaaaaaaaaaaa'], template: [null, null] };
    const counts = { lamps: 120, changed: 120, darker: 120, steps: 1 };
    expect(await noted('publication.start')).toMatchObject({
      ...{ ...counts, id, phase: 'tellingCanary', states: { pending: 2, waiting: 118 }, versions: [step] },
      body: { reason: '节能' },
    });
    await turn();
    await act(id, 'halt', { reason });
    const halted = { phaseBefore: 'judging', phase: 'halted', states: { told: 2, waiting: 118 }, versions: [step] };
    expect(await noted('publication.halt')).toMatchObject({ ...counts, ...halted, body: { reason } });
    await act(id, 'resume');
    expect(await noted('publication.resume')).toMatchObject({ ...counts, phaseBefore: 'halted', versions: [step] });
    const { body } = await act(id, 'revert', { reason });
    expect(await noted('publication.revert')).toMatchObject({
      phase: 'reverting',
      body: { reason },
      return: { id: body.revertId, lamps: 2, changed: 2, versions: [{ lamps: 2, scheme: ['aaaaaaaaaaaa', null] }] },
    });
    const untold = await made(await office.lamps(1), { effectiveFrom: '2026-12-24' });
    await act(untold, 'cancel', { reason });
    expect(await noted('publication.cancel')).toMatchObject({ phase: 'cancelled', lamps: 1, changed: 1, darker: 1 });
  });

  it('holds its lamps until they have proven it, and at once frees those that were never told', async () => {
    const lamps = await office.lamps(4);
    const id = await made(lamps, { canary: { count: 1 } });
    await turn();
    const canary = (await get(id)).items.find((item) => item.canary)?.deviceId ?? 0;
    // 23:05: it is as bright as before.
    await office.read(canary, wall('2026-11-23T23:05'), 100);
    clock.set(new Date(wall('2026-11-24T00:30')));
    await turn();
    const { revertedBy } = await get(id);
    expect(await get(id)).toMatchObject({ phase: 'reverting', halted: { why: 'canary' }, judged: { passed: false } });
    const refused = await publish([canary]);
    expect([refused.status, refused.body.code]).toEqual([409, 4303]);
    expect(refused.body.detail).toContain(String(revertedBy));
    expect((await publish(lamps.filter((lamp) => lamp !== canary))).status).toBe(201);
    await turn();
    expect(await phaseOf(id)).toBe('reverted');
  });

  it('that is halted is not at its end: it is gone on with, and cannot be given up', async () => {
    const lamps = await office.lamps(2);
    const id = await made(lamps);
    await turn();
    const { revertId } = (await act(id, 'revert', { reason })).body;
    expect((await act(revertId, 'halt', { reason })).status).toBe(200);
    await turn();
    expect(await phaseOf(id)).toBe('reverting');
    expect((await act(revertId, 'cancel', { reason })).status).toBe(409);
    expect((await act(revertId, 'resume')).body.phase).toBe('tellingAll');
    await turn();
    expect([await phaseOf(id), await levelOf(lamps[0] ?? 0)]).toEqual(['reverted', 100]);
  });

  it('of what has ended waits for a second person when it darkens much; until then nothing is changed', async () => {
    const lamps = await office.lamps(201);
    // They are dim; what is published makes them brighter.
    const dim = (await publishable(40)).version;
    await db.transaction().execute((tx) =>
      assign(tx, {
        deviceIds: lamps,
        schemeVersionIds: lamps.map(() => dim),
        templateVersionIds: lamps.map(() => null),
        fromDay: '2026-11-20',
        publicationId: null,
        by: 'test',
        at: clock.now(),
      }),
    );
    const id = await made(lamps);
    await turn();
    clock.set(new Date(wall('2026-11-24T01:00')));
    for (let turns = 0; turns < 3; turns += 1) await turn();
    expect(await get(id)).toMatchObject({ phase: 'done', darkens: 0, states: { away: 201 } });
    clock.set(new Date(wall('2026-11-24T12:00')));
    const alone = await act(id, 'revert', { reason });
    expect([alone.status, alone.body.count]).toEqual([400, 201]);
    const approver = await app.signIn({
      username: 'second',
      permissions: ['lamp.approve', 'plan.query'],
      workAreas: [1],
    });
    await db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
    const asked = await act(id, 'revert', { reason });
    expect(asked.body, JSON.stringify(asked.body)).toMatchObject({ phase: 'done' });
    const { revertId } = asked.body;
    await turn();
    expect(await get(revertId)).toMatchObject({ phase: 'awaitingApproval', darkens: 201, states: { waiting: 201 } });
    expect([await levelOf(lamps[0] ?? 0, '2026-11-24T23:30'), await phaseOf(id)]).toEqual([60, 'done']);
    expect((await act(revertId, 'decide', { approved: true }, approver.token)).body.phase).toBe('tellingAll');
    await turn();
    await turn();
    expect([await levelOf(lamps[0] ?? 0, '2026-11-24T23:30'), await phaseOf(id)]).toEqual([40, 'reverted']);
  });
});

describe('what is halted', () => {
  it('keeps its lamps from others until somebody goes on, takes it back or gives it up', async () => {
    clock.set(new Date(noon + 2 * 86_400_000));
    const lamps = await office.lamps(3);
    const id = await made(lamps, { canary: { count: 1 } });
    expect((await act(id, 'halt', { reason })).body.phase).toBe('halted');
    clock.set(new Date(noon + 4 * 86_400_000));
    await turn();
    expect([await phaseOf(id), (await publish(lamps)).body.code]).toEqual(['halted', 4303]);
    // Nobody was told anything.
    expect((await act(id, 'revert', { reason })).status).toBe(409);
    expect((await act(id, 'cancel', { reason })).body.phase).toBe('cancelled');
    const next = await made(lamps, { canary: { count: 1 } });
    await turn();
    expect((await act(next, 'halt', { reason })).body.phase).toBe('halted');
    expect((await act(next, 'cancel', { reason })).status).toBe(409);
    expect((await act(next, 'resume')).body.phase).toBe('tellingCanary');
    const { body } = await act(next, 'revert', { reason });
    const untold = (await get(next)).items.find(({ toldAt }) => toldAt === null)?.deviceId ?? 0;
    expect([await stateOf(next, untold), (await publish([untold])).status]).toEqual(['superseded', 201]);
    await turn();
    expect([await phaseOf(next), await phaseOf(body.revertId)]).toEqual(['reverted', 'proving']);
  });
});

/** A scheme that dims to this level, and its version. */
async function publishable(level: number) {
  const id = await office.version('scheme', exampleScheme(level));
  const { rows } = await sql<{ id: number }>`SELECT id FROM scheme_version WHERE scheme_id = ${id}`.execute(db);
  return { id, version: rows[0]?.id ?? 0 };
}

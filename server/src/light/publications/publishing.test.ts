import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { exampleProgramme, exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { minuteMs, noon, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, app, clock, get, act, publish, turn, phaseOf } = office;
beforeEach(() => clock.set(new Date(noon)));
const approver = await app.signIn({
  username: 'second',
  permissions: ['lamp.approve', 'plan.query'],
  workAreas: [1],
});
const seenNow = () =>
  db.updateTable('account').set({ last_login_at: clock.now() }).where('id', '=', approver.accountId).execute();
const alternate = (level: number, floorExceptions: SchemeContent['floorExceptions'] = []): SchemeContent => ({
  mode: 'alternateOne',
  programmes: [
    {
      key: 1,
      name: '平日',
      programme: {
        ...exampleProgramme(),
        periods: [
          { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 },
          { start: { at: '23:00', offsetMinutes: 0 }, level, pattern: 'alternateOne', rampSeconds: 0 },
        ],
      },
    },
  ],
  calendar: { rules: [], default: 1 },
  rotation: 'weekly',
  floorExceptions,
});
const roadOf = async (id: number, roadClass: string) =>
  sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
    VALUES (${id}, 1, ${`R${id}`}, '路', ${roadClass})`.execute(db);
const along = async (roadId: number, count = 1) => {
  const lamps = await office.lamps(count);
  await sql`UPDATE device SET road_id = ${roadId} WHERE id = ANY(${lamps}::bigint[])`.execute(db);
  return lamps;
};
/** Holidays of a year that nobody knows yet, and what is darker. */
const everyWarning = ['darker', 'unknownHolidays'];
const findingsOf = ({ body }: Awaited<ReturnType<typeof publish>>) => body.findings.map(({ code }) => code);

describe('two who publish to one lamp', () => {
  it('at the same moment: one is let in, the other is refused by its name', async () => {
    const { token } = await app.signIn({ username: 'other', permissions: ['plan.publish'], workAreas: [1] });
    const lamps = await office.lamps(5);
    const answers = await Promise.all([publish(lamps), publish(lamps.slice(2), {}, token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const [first, second] = answers.toSorted((a, b) => a.status - b.status);
    expect(second?.body).toMatchObject({ code: 4303, id: first?.body.id });
    const { rows } =
      await sql`SELECT publication_id AS id FROM publication_item WHERE device_id = ANY(${lamps}::bigint[])
      GROUP BY 1`.execute(db);
    expect(rows).toEqual([{ id: first?.body.id }]);
  });
});

describe('who has to agree', () => {
  it('agrees in time, or nothing is told and the lamps are free', async () => {
    await seenNow();
    const lamps = await office.lamps(201);
    const asked = await publish(lamps);
    expect(asked.body.phase, JSON.stringify(asked.body)).toBe('awaitingApproval');
    clock.set(new Date(noon + 86_400_000));
    const late = await act(asked.body.id, 'decide', { approved: true }, approver.token);
    expect(late.status).toBe(409);
    await turn();
    expect(await get(asked.body.id)).toMatchObject({ phase: 'lapsed', approval: { outcome: 'expired' } });
    await seenNow();
    expect((await publish(lamps)).body.phase).toBe('awaitingApproval');
  });

  it('agrees to what a disabled account asked for; the first part is told then, by itself all the rest', async () => {
    await seenNow();
    const asking = await app.signIn({ username: 'leaves', permissions: ['plan.publish'], workAreas: [1] });
    const lamps = await office.lamps(201);
    const { body } = await publish(lamps, { canary: { count: 2 }, goOn: true }, asking.token);
    expect(body.phase).toBe('awaitingApproval');
    await db.updateTable('account').set({ disabled: true }).where('id', '=', asking.accountId).execute();
    clock.set(new Date(noon + 5 * minuteMs));
    const agreed = await act(body.id, 'decide', { approved: true }, approver.token);
    expect(agreed.body.phase, JSON.stringify(agreed.body)).toBe('tellingCanary');
    await turn();
    expect(await get(body.id)).toMatchObject({ phase: 'judging', states: { told: 2, waiting: 199 } });
    const first = (await get(body.id, 'canary=true')).items;
    expect(first).toHaveLength(2);
    for (const { deviceId, planHash } of first) {
      await office.say(deviceId, planHash);
      await office.read(deviceId, wall('2026-11-23T23:05'), 60);
    }
    clock.set(new Date(wall('2026-11-23T23:06')));
    await turn();
    expect(await get(body.id)).toMatchObject({
      phase: 'tellingAll',
      judged: { passed: true, provenPercent: 100, reportedPercent: 100 },
    });
    // What is told a day later holds from that day on: the record of the night before stays true.
    clock.set(new Date(noon + 86_400_000));
    await turn();
    expect(await get(body.id)).toMatchObject({ phase: 'proving', states: { told: 199, proven: 2 } });
    const { rows } = await sql`SELECT from_day::text AS day, count(*)::int AS lamps FROM plan_assignment
      WHERE publication_id = ${body.id} GROUP BY 1 ORDER BY 1`.execute(db);
    expect(rows).toEqual([
      { day: '2026-11-23', lamps: 2 },
      { day: '2026-11-24', lamps: 199 },
    ]);
  });
});

describe('the guard', () => {
  it('holds back the first part too, around the on-time, and is over half an hour after it', async () => {
    const { body } = await publish(await office.lamps(4), { canary: { count: 1 } });
    for (const [at, phase] of [
      ['16:30', 'tellingCanary'],
      ['17:15', 'tellingCanary'],
      ['17:45', 'judging'],
    ] as const) {
      clock.set(new Date(wall(`2026-11-23T${at}`)));
      await turn();
      expect([at, await phaseOf(body.id)]).toEqual([at, phase]);
    }
  });
});

describe('a first day that is far ahead', () => {
  it('is weighed as of that day, and told shortly before it', async () => {
    const lamps = await office.lamps(2);
    const asked = { effectiveFrom: '2026-12-20' };
    const preview = await app.call<{ darkens: number; changed: number; kwh: { before: number; after: number } }>(
      '/api/v1/publications/preview',
      {
        token: office.publisher.token,
        body: { schemeId: office.schemeId, scope: { deviceIds: lamps }, ...asked },
      },
    );
    expect(preview.body).toMatchObject({ ...asked, darkens: 2, changed: 2 });
    const { body } = await publish(lamps, asked);
    const at = async (day: string) => {
      clock.set(new Date(`${day}T04:00:00Z`));
      await turn();
      return (await get(body.id)).states;
    };
    expect([await at('2026-11-23'), await at('2026-12-16')]).toEqual([{ pending: 2 }, { pending: 2 }]);
    expect(await at('2026-12-17')).toEqual({ told: 2 });
    const plan = (await office.plans.of(db, lamps, clock.now().getTime())).get(lamps[0] ?? 0);
    expect(plan?.following.at(-1)?.from).toBe('2026-12-20');
    const levels = ['2026-12-18', '2026-12-21'].map((day) => plan && levelAt(plan, wall(`${day}T23:30`)));
    expect(levels).toEqual([100, 60]);
  });

  it('is at most a year ahead', async () => {
    const lamps = await office.lamps(1);
    const { status, body } = await publish(lamps, { effectiveFrom: '2027-11-25' });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ params: [expect.objectContaining({ field: 'effectiveFrom', rule: 'maximum' })] }),
    ]);
    expect((await publish(lamps, { effectiveFrom: '2027-11-24', acceptedFindings: everyWarning })).status).toBe(201);
  });
});

describe('findings', () => {
  it('block a message that no device takes', async () => {
    const programmes = Array.from({ length: 8 }, (_none, index) => ({
      key: index + 1,
      name: `方案 ${index + 1}`,
      programme: {
        ...exampleProgramme(),
        periods: Array.from({ length: 6 }, (_other, period) => ({
          start: period === 0 ? ('on' as const) : { at: `0${period}:00`, offsetMinutes: index },
          level: 100 - period,
          pattern: 'all' as const,
          rampSeconds: 0,
        })),
      },
    }));
    const schemeId = await office.version('scheme', {
      ...exampleScheme(),
      programmes,
      calendar: {
        rules: [1, 2, 3, 4, 5, 6, 7].map((day) => ({
          programme: day,
          label: `周${day}`,
          enabled: true,
          when: [{ kind: 'weekdays' as const, days: [day] }],
        })),
        default: 8,
      },
    });
    const refused = await publish(await office.lamps(1), { schemeId });
    expect(findingsOf(refused)).toContain('messageTooLarge');
    expect(refused.status).toBe(400);
  });

  it('judge the darkest three neighbours of a row by the class of their road', async () => {
    await roadOf(11, 'secondary');
    await roadOf(12, 'lane');
    const [busy, quiet] = [await along(11), await along(12)];
    const schemeId = await office.version('scheme', alternate(100));
    const refused = await publish([...busy, ...quiet], { schemeId });
    expect([refused.status, findingsOf(refused)]).toEqual([400, expect.arrayContaining(['belowFloor'])]);
    // 100, 0 and 0 of 100: 33 is less than 40. On a lane nothing is asked.
    expect(refused.body.findings[0]).toMatchObject({ params: { roadClass: 'secondary', level: 33.3, floor: 40 } });
    expect((await publish(quiet, { schemeId })).status).toBe(201);
    await seenNow();
    const excepted = await office.version('scheme', alternate(100, [{ roadClass: 'secondary', reason: '施工封路' }]));
    const codes = ['darker', 'floorException'];
    const asked = await publish(busy, { schemeId: excepted, acceptedFindings: codes });
    expect(asked.body.phase, JSON.stringify(asked.body)).toBe('awaitingApproval');
  });

  it('judge a template by the lamps that follow no scheme', async () => {
    await roadOf(13, 'arterial');
    const [with60, without] = [await along(13), await along(13)];
    expect((await publish(with60)).status).toBe(201);
    await turn();
    clock.set(new Date(wall('2026-11-24T12:00')));
    await turn();
    await turn();
    const templateId = await office.version('template', {
      ...exampleTemplate(),
      fallbackProgramme: exampleProgramme(20),
    });
    const only = { schemeId: undefined, templateId };
    const refused = await publish(without, only);
    expect([refused.status, findingsOf(refused)]).toEqual([400, expect.arrayContaining(['belowFloor'])]);
    expect((await publish(with60, only)).status).toBe(201);
  });
});

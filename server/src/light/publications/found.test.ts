import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme, exampleTemplate } from '../../../../catalogue/lighting/plan/examples.ts';
import { findingSeverities, type FindingCode } from '../../../../catalogue/lighting/plan/findings.ts';
import type { Period, Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { CalendarRule, SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { publicationBounds, type previewPublication } from '../../../../contract/light/publications.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { noon, publishingOffice } from './testing/office.ts';

const office = await publishingOffice();
const { app, db, call, clock, publish, get, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

type Preview = ReplyOf<typeof previewPublication>;
const lit: Period = { start: 'on', level: 100, pattern: 'all', rampSeconds: 0 };
const at = (start: Period['start'], level: number): Period => ({ start, level, pattern: 'all', rampSeconds: 0 });
const clockAt = (text: string) => ({ at: text, offsetMinutes: 0 });
/** One programme on all days. */
const every = (change: Partial<Programme>, rules: readonly CalendarRule[] = []): SchemeContent => ({
  ...exampleScheme(),
  programmes: [{ key: 1, name: '平日', programme: { ...exampleProgramme(100), ...change } }],
  calendar: { rules, default: 1 },
});
const { on, off } = exampleProgramme();
const rule = (...when: CalendarRule['when']): CalendarRule => ({ programme: 1, label: '闰日', enabled: true, when });
const previewOf = async (deviceIds: readonly number[], schemeId: number, more: object = {}) => {
  const { status, body } = await call<Preview>('/api/v1/publications/preview', {
    token: office.publisher.token,
    body: { schemeId, scope: { deviceIds }, ...more },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
/** Lamps of a road of which no class asks for light. */
async function quiet(count: number): Promise<number[]> {
  const lamps = await office.lamps(count);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
    VALUES (30, 1, 'R30', '小巷', 'lane') ON CONFLICT DO NOTHING`.execute(db);
  await sql`UPDATE device SET road_id = 30 WHERE id = ANY(${lamps}::bigint[])`.execute(db);
  return lamps;
}
/** So many poles of a road, a lamp each, in their order. */
async function row(roadId: number, length: number): Promise<number[]> {
  const lamps = await office.lamps(length);
  await sql`INSERT INTO road (id, work_area_id, road_code, road_name, road_class)
    VALUES (${roadId}, 1, ${`R${roadId}`}, '滨江大道', 'lane')`.execute(db);
  for (const [position, lamp] of lamps.entries())
    await sql`WITH pole AS (INSERT INTO device (family, work_area_id, equipment_code, road_id, props)
        VALUES ('lamp-pole', 1, ${`P-${roadId}-${position}`}, ${roadId}, '{}') RETURNING id),
      standing AS (INSERT INTO lamp_position (pole_id, road_id, side, position, row_length, source)
        SELECT id, ${roadId}, 'left', ${position}, ${length}, 'auto' FROM pole)
      UPDATE device SET pole_id = (SELECT id FROM pole), road_id = ${roadId} WHERE id = ${lamp}`.execute(db);
  return lamps;
}

describe('a publication finds what a year of its nights has', () => {
  it('neverDark of the last of many lamps that each have a time table of their own', async () => {
    const lamps = await quiet(62);
    const last = every({ on: { ...on, ...clockAt('04:00') }, off: { ...off, offsetMinutes: -120 } });
    for (const [index, lamp] of lamps.entries()) {
      const content = index === lamps.length - 1 ? last : every({ periods: [at('on', 100 - index)] });
      await sql`INSERT INTO plan_assignment (device_id, scheme_version_id, from_day, assigned_by, at)
        SELECT ${lamp}, id, '2026-11-01', 'test', ${clock.now()} FROM scheme_version
        WHERE scheme_id = ${await office.version('scheme', content)}`.execute(db);
    }
    const templateId = await office.version('template', exampleTemplate());
    const { body } = await call<Preview>('/api/v1/publications/preview', {
      token: office.publisher.token,
      body: { templateId, scope: { deviceIds: lamps } },
    });
    const found = body.findings.find(({ code }) => code === 'neverDark');
    expect(found, JSON.stringify(body)).toMatchObject({ lamps: { count: 1, first: [{ id: lamps.at(-1) }] } });
  });

  const dimmed = [lit, at(clockAt('23:00'), 60)];
  const found: readonly (readonly [FindingCode, SchemeContent])[] = [
    ['periodNeverReached', every({ periods: [lit, at(clockAt('10:00'), 60)] })],
    ['periodUnused', every({ periods: [lit, at(clockAt('05:30'), 60)] })],
    ['neverDark', every({ on: { ...on, ...clockAt('04:00') }, off: { ...off, offsetMinutes: -120 } })],
    ['nightWithoutLight', every({ periods: [at('on', 0)] })],
    [
      'minimumBurning',
      every({ periods: [lit, at(clockAt('23:00'), 0), at({ at: 'sunrise', offsetMinutes: -3 }, 100)] }),
    ],
    ['sameInstant', every({ periods: [...dimmed, at(clockAt('23:00'), 80)] })],
    ['farFromTwilight', every({ on: { ...on, offsetMinutes: -60 } })],
    ['leapDay', every({}, [rule({ kind: 'yearly', from: '02-29', to: '02-29', otherwise: 'none' })])],
  ];
  it.each(found)('%s, with its lamps', async (code, content) => {
    const lamps = await quiet(2);
    const schemeId = await office.version('scheme', content);
    const { findings } = await previewOf(lamps, schemeId);
    const one = findings.find((finding) => finding.code === code);
    expect(one, JSON.stringify(findings)).toMatchObject({
      severity: findingSeverities[code],
      params: { nights: expect.any(Number), first: expect.any(String) },
      lamps: { count: 2, first: lamps.map((id) => ({ id, code: expect.any(String) })) },
    });
    // What blocks is refused, a warning is read first, a note stands in nobody's way.
    const warned = findings.flatMap((finding) => (finding.severity === 'warning' ? [finding.code] : []));
    const without = await publish(lamps, { schemeId, acceptedFindings: warned.filter((other) => other !== code) });
    const blocks = findingSeverities[code] === 'error';
    expect(without.status, JSON.stringify(without.body)).toBe(findingSeverities[code] === 'note' ? 201 : 400);
    if (findingSeverities[code] === 'note') return;
    const read = await publish(lamps, { schemeId, acceptedFindings: warned });
    expect(read.status, JSON.stringify(read.body)).toBe(blocks ? 400 : 201);
  });

  it('names the period that is never reached, and nothing of a sound plan', async () => {
    const lamps = await office.lamps(1);
    const schemeId = await office.version('scheme', found[0]?.[1] ?? every({}));
    const { findings } = await previewOf(lamps, schemeId);
    expect(findings.find(({ code }) => code === 'periodNeverReached')?.params).toMatchObject({
      programme: '平日',
      period: 1,
      nights: 366,
    });
    const sound = await previewOf(lamps, await office.version('scheme', every({})));
    expect(sound.findings).toEqual([]);
  });

  it('looks at neighbours of a row that follow other plans', async () => {
    const lamps = await row(31, 6);
    const burning = await office.version('scheme', every({}));
    const made = await publish(lamps, { schemeId: burning });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await turn();
    await call(`/api/v1/publications/${made.body.id}/revert`, { token: office.publisher.token, body: { reason: 'x' } });
    const dark = await office.version('scheme', every({ periods: [lit, at(clockAt('23:00'), 0)] }));
    const two = await previewOf(lamps.slice(1, 3), dark);
    expect(two.findings.map(({ code }) => code)).not.toContain('darkNeighbours');
    const three = await previewOf(lamps.slice(1, 4), dark);
    expect(three.findings.find(({ code }) => code === 'darkNeighbours')).toMatchObject({
      severity: 'warning',
      params: { nights: 366 },
      lamps: { count: 3, first: lamps.slice(1, 4).map((id) => ({ id })) },
    });
    // All of one row together do the same.
    expect((await previewOf(lamps, dark)).findings.map(({ code }) => code)).not.toContain('darkNeighbours');
  });

  it('looks at neighbours of a row to which other plans are on their way', async () => {
    const lamps = await row(32, 6);
    const burning = await office.version('scheme', every({}));
    const dark = await office.version('scheme', every({ periods: [lit, at(clockAt('23:00'), 0)] }));
    const made = await publish(lamps, { schemeId: burning });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await turn();
    await sql`UPDATE publication_item SET open = false WHERE device_id = ANY(${lamps}::bigint[])`.execute(db);
    const found = async () => (await previewOf(lamps.slice(1, 2), dark)).findings.map(({ code }) => code);
    expect(await found()).not.toContain('darkNeighbours');
    const coming = await publish(lamps.slice(2, 4), { schemeId: dark, effectiveFrom: '2026-12-20' });
    expect(coming.status, JSON.stringify(coming.body)).toBe(201);
    const { findings } = await previewOf(lamps.slice(1, 2), dark);
    expect(findings.find(({ code }) => code === 'darkNeighbours')).toMatchObject({
      params: { nights: 339, first: '2026-12-20' },
      lamps: { count: 1, first: [{ id: lamps[1] }] },
    });
  });

  it('names some lamps of a finding, and all of them where they are asked for', async () => {
    const lamps = await office.lamps(publicationBounds.findingLamps.first + 5);
    const schemeId = await office.version('scheme', found[6]?.[1] ?? every({}));
    const lampsOf = (preview: Preview) => preview.findings.find(({ code }) => code === 'farFromTwilight')?.lamps;
    const some = lampsOf(await previewOf(lamps, schemeId));
    expect([some?.count, some?.first.length]).toEqual([lamps.length, publicationBounds.findingLamps.first]);
    const all = lampsOf(await previewOf(lamps, schemeId, { lampsOf: 'farFromTwilight' }));
    expect(all?.first.map(({ id }) => id)).toEqual(lamps);
  });

  it('keeps them with the publication, and names no lamp to who sees a part of it', async () => {
    await sql`INSERT INTO work_area (id, work_code, work_name, time_zone, latitude, longitude)
      VALUES (2, 'B', '城西', 'Asia/Shanghai', 30.2, 120.2)`.execute(db);
    const lamps = await office.lamps(2);
    const wide = await app.signIn({ username: 'wide', permissions: ['plan.publish', 'plan.query'], workAreas: [1, 2] });
    await sql`UPDATE device SET work_area_id = 2 WHERE id = ${lamps[0]}`.execute(db);
    const schemeId = await office.version('scheme', found[6]?.[1] ?? every({}));
    const made = await publish(lamps, { schemeId, acceptedFindings: ['farFromTwilight'] }, wide.token);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const whole = await call<Preview>(`/api/v1/publications/${made.body.id}`, { token: wide.token });
    expect(whole.body.findings[0]?.lamps?.count).toBe(2);
    const part = await get(made.body.id);
    expect(part.findings[0]).toMatchObject({ code: 'farFromTwilight' });
    expect(JSON.stringify(part.findings)).not.toContain('lamps');
  });
});

describe('lamps that get darker', () => {
  const from = '2026-11-23';
  const { nights, days } = publicationBounds.compared;
  it.each([
    [nights - 1, 1],
    [nights + 100, 1],
    [days - 1, 1],
    [days, 0],
  ])('on one night alone, %i days after the first: %i', async (ahead, darkens) => {
    const [lamp = 0] = await quiet(1);
    const night = addDays(from, ahead);
    const content: SchemeContent = {
      ...every({ periods: [at('on', 100)] }),
      programmes: [
        { key: 1, name: '平日', programme: { ...exampleProgramme(100), periods: [at('on', 100)] } },
        { key: 2, name: '试', programme: { ...exampleProgramme(100), periods: [at('on', 40)] } },
      ],
      calendar: {
        rules: [{ programme: 2, label: '试', enabled: true, when: [{ kind: 'range', from: night, to: night }] }],
        default: 1,
      },
    };
    const preview = await previewOf([lamp], await office.version('scheme', content));
    expect([preview.effectiveFrom, preview.darkens]).toEqual([from, darkens]);
    const found = preview.findings.filter(({ code }) => code === 'darker');
    expect(found.map(({ params }) => params)).toEqual(darkens > 0 ? [{ lamps: 1 }] : []);
  });
});

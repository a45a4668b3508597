import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { createLog } from '../../platform/log.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { createDevices, devicesRoutes } from '../../register/devices/index.ts';
import { noon, publishingOffice } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { createRegisterWeighing } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-poles-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const office = await publishingOffice((parts) =>
  devicesRoutes(createDevices({ ...parts, log: createLog('silent'), keys, weighing: createRegisterWeighing(parts) })),
);
const { db, call, clock, publish, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

interface Answer {
  readonly code: number;
  readonly darkens: number;
  readonly answer: { readonly darkens: number };
}
/** A row at a junction: no pattern puts its lamps out. */
async function atJunction(roadClass: string) {
  const lamps = await givenRow(db, 9, roadClass);
  await sql`UPDATE device SET props = props || '{"ifIntersection":true}' WHERE id IN
    (SELECT pole_id FROM device WHERE id = ANY(${lamps}::bigint[]))`.execute(db);
  await sql`UPDATE lamp_position SET junction = true WHERE pole_id IN
    (SELECT pole_id FROM device WHERE id = ANY(${lamps}::bigint[]))`.execute(db);
  const schemeId = await office.version('scheme', {
    ...exampleScheme(),
    mode: 'alternateOne',
    programmes: [
      {
        key: 1,
        name: '平日',
        programme: {
          ...exampleProgramme(),
          periods: [{ start: 'on', level: 100, pattern: 'alternateOne', rampSeconds: 0 }],
        },
      },
    ],
    calendar: { rules: [], default: 1 },
  });
  const made = await publish(lamps, { schemeId });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await turn();
  const { rows } = await sql<{ pole: number }>`SELECT pole_id AS pole FROM device
    WHERE id = ANY(${lamps}::bigint[]) ORDER BY id`.execute(db);
  return rows.map(({ pole }) => pole);
}
const save = (pole: number | undefined, ifIntersection: boolean | null, query = '') =>
  call<Answer>(`/api/v1/devices/${pole}${query}`, { method: 'PUT', body: { ifIntersection } });
const isJunction = async (pole: number | undefined) =>
  (await sql<{ junction: boolean }>`SELECT junction FROM lamp_position WHERE pole_id = ${pole}`.execute(db)).rows[0]
    ?.junction;

describe('a pole that stands at another side of its road', () => {
  it('is in another row: what its lamp does by it is weighed at once', async () => {
    const poles = await atJunction('lane');
    await sql`UPDATE lamp_position SET source = 'auto', junction = false WHERE pole_id = ANY(${poles}::bigint[])`.execute(
      db,
    );
    await sql`UPDATE device SET props = props || '{"ifIntersection":false}' WHERE id = ANY(${poles}::bigint[])`.execute(
      db,
    );
    const move = (roadside: string | null, query = '') =>
      call<Answer>(`/api/v1/devices/${poles[4]}${query}`, { method: 'PUT', body: { roadside } });
    expect((await move('left', '?dryRun=1')).body.answer.darkens).toBeTypeOf('number');
    const made = await move('left');
    expect([made.status, typeof made.body.darkens]).toEqual([200, 'number']);
    const { rows } = await sql<{ side: string }>`SELECT side FROM lamp_position WHERE pole_id = ${poles[4]}`.execute(
      db,
    );
    expect(rows[0]?.side).toBe('left');
    expect((await move('left')).body.darkens).toBeUndefined();
  });
});

describe('a pole that is no junction any more', () => {
  it('says that its lamp gets darker by the pattern of its row, at once and not by the next sweep', async () => {
    const poles = await atJunction('lane');
    const pole = poles[4];
    expect((await save(pole, false, '?dryRun=1')).body.answer.darkens).toBe(1);
    expect(await isJunction(pole)).toBe(true);
    const made = await save(pole, false);
    expect([made.status, made.body.darkens]).toEqual([200, 1]);
    expect(await isJunction(pole)).toBe(false);
    expect((await save(pole, true)).body.darkens).toBe(0);
    expect(await isJunction(pole)).toBe(true);
    // The end of a row is lit anyway; what it is already changes nothing.
    expect((await save(poles[0], false)).body.darkens).toBe(0);
    expect((await save(poles[0], false)).body.darkens).toBeUndefined();
  });

  it('is weighed where the field is emptied too', async () => {
    const [, , , , pole] = await atJunction('lane');
    expect((await save(pole, null, '?dryRun=1')).body.answer.darkens).toBe(1);
    const made = await save(pole, null);
    expect([made.status, made.body.darkens]).toEqual([200, 1]);
    expect(await isJunction(pole)).toBe(false);
    expect((await save(pole, null)).body.darkens).toBeUndefined();
  });

  it('hears what is wrong with it before what it darkens', async () => {
    const poles = await atJunction('secondary');
    const refused = await call<Answer>(`/api/v1/devices/${poles[4]}`, {
      method: 'PUT',
      body: { ifIntersection: false, version: 99 },
    });
    expect([refused.status, refused.body.code]).toEqual([409, 1401]);
    const unsound = await call<Answer>(`/api/v1/devices/${poles[4]}`, {
      method: 'PUT',
      body: { ifIntersection: false, roadId: 999_999 },
    });
    expect([unsound.status, unsound.body.code]).toEqual([400, 1001]);
    expect(await isJunction(poles[4])).toBe(true);
  });

  it('is refused below the floor of its road', async () => {
    const poles = await atJunction('secondary');
    const saved: number[] = [];
    for (const pole of poles) saved.push((await save(pole, false)).status);
    expect(saved).toContain(400);
    const lit = await Promise.all(poles.map(isJunction));
    expect(lit.map((junction) => (junction ? 400 : 200))).toEqual(saved);
  });
});

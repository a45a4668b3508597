import { sql } from 'kysely';
import type { Static } from 'typebox';
import { describe, expect, it } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { Pattern } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import type { previewPublication } from '../../../../contract/light/publications.ts';
import type { listFindingLamps, Simulation } from '../../../../contract/light/simulations.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { assign } from '../plans/index.ts';
import { simulationOffice } from './testing/simulation-office.ts';

/** What a simulation says of floors is what publishing says of them: both judge the same rows. */

const office = await simulationOffice();
const { app, call, lampAt, scheme, freeze, road, row, simulate, ended } = office;
const { db } = app;
type Preview = ReplyOf<typeof previewPublication>;

const whole = (level: number, pattern: Pattern = 'all', more: Partial<SchemeContent> = {}): SchemeContent => {
  const { periods, ...rest } = exampleProgramme(level);
  const programme = { ...rest, periods: periods.map((one, index) => (index === 0 ? one : { ...one, pattern })) };
  const mode = pattern === 'all' ? 'energySaving' : pattern;
  const programmes = [{ key: 1, name: '平日', programme }];
  return { ...exampleScheme(), mode, programmes, calendar: { rules: [], default: 1 }, ...more };
};
async function version(content: SchemeContent): Promise<number> {
  const id = await scheme(content);
  await freeze(id);
  return id;
}
async function follow(lamps: readonly number[], schemeId: number): Promise<void> {
  const { id } = await db
    .selectFrom('scheme_version')
    .select('id')
    .where('scheme_id', '=', schemeId)
    .executeTakeFirstOrThrow();
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds: lamps,
      schemeVersionIds: lamps.map(() => id),
      templateVersionIds: lamps.map(() => null),
      ...{ fromDay: '2026-11-01', publicationId: null, by: 'test', at: app.clock.now() },
    }),
  );
}
async function judged(roadClass: string, length: number) {
  const roadId = await road(roadClass);
  return { roadId, lamps: await row(roadId, length) };
}

const floorCodes = ['belowFloor', 'floorException'];

async function published(schemeId: number, deviceIds: readonly number[]): Promise<string[]> {
  const { body, status } = await call<Preview>('/api/v1/publications/preview', {
    body: { schemeId, scope: { deviceIds } },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.findings
    .flatMap(({ code, params, lamps }) =>
      floorCodes.includes(code)
        ? [
            `${code} ${params['roadClass']} ${(lamps?.first ?? [])
              .map(({ id }) => id)
              .toSorted((a, b) => a - b)
              .join()}`,
          ]
        : [],
    )
    .toSorted();
}

async function simulated(schemeId: number, deviceIds: readonly number[]) {
  const asked = { scope: { deviceIds }, from: '2026-11-25', to: '2027-11-24', b: { schemeId, number: 1 } };
  const answer: Static<typeof Simulation> = await ended(await simulate(asked));
  const floors = (answer.result?.findings ?? []).filter(({ code, side }) => side === 'b' && floorCodes.includes(code));
  const lampsOf = new Map<string, Set<number>>();
  for (const { place, code, roadClass, lamps } of floors) {
    const found = await call<ReplyOf<typeof listFindingLamps>>(
      `/api/v1/plan-simulations/${answer.id}/findings/${place}/lamps`,
    );
    expect(found.body.recordsTotal).toBe(lamps);
    const key = `${code} ${roadClass}`;
    const known = lampsOf.get(key) ?? new Set();
    for (const { id } of found.body.data) known.add(id);
    lampsOf.set(key, known);
  }
  const said = [...lampsOf].map(([key, ids]) => `${key} ${[...ids].toSorted((a, b) => a - b).join()}`).toSorted();
  return { said, floors };
}

/** Both say the same; returns what. */
async function both(content: SchemeContent, deviceIds: readonly number[]): Promise<string[]> {
  const schemeId = await version(content);
  const { said } = await simulated(schemeId, deviceIds);
  expect(said).toEqual(await published(schemeId, deviceIds));
  return said;
}

describe('a simulation and a preview say the same', () => {
  it('of one dim lamp between bright ones, and of three', async () => {
    const { lamps } = await judged('arterial', 5);
    expect(await both(whole(30), lamps.slice(2, 3))).toEqual([]);
    expect(await both(whole(30), lamps.slice(1, 4))).toEqual([`belowFloor arterial ${lamps.slice(1, 4).join()}`]);
    expect(await both(whole(60), lamps)).toEqual([]);
  });

  it('of neighbours that are not asked about', async () => {
    const { lamps } = await judged('arterial', 5);
    await follow(lamps.slice(3), await version(whole(30)));
    expect(await both(whole(60), lamps.slice(2, 3))).toEqual([`belowFloor arterial ${lamps[2]}`]);
    expect(await both(whole(100), lamps.slice(2, 3))).toEqual([]);
  });

  it('of lamps that patterns keep lit', async () => {
    const [long, short] = [await judged('secondary', 9), await judged('secondary', 4)];
    const alternate = whole(100, 'alternateOne');
    expect(await both(alternate, long.lamps)).toEqual([`belowFloor secondary ${long.lamps.slice(1, -1).join()}`]);
    expect(await both(alternate, short.lamps)).toEqual([]);
    await sql`UPDATE lamp_position SET keep = true WHERE road_id = ${long.roadId} AND position % 3 <> 0`.execute(db);
    expect(await both(alternate, long.lamps)).toEqual([]);
  });

  it('of lamps of no row, and of lamps that only switch', async () => {
    const roadId = await road('branch');
    const alone = await lampAt({ roadId });
    expect(await both(whole(80, 'alternateTwo'), [alone])).toEqual([`belowFloor branch ${alone}`]);
    expect(await both(whole(40), [alone])).toEqual([]);
    const { lamps } = await judged('arterial', 3);
    await sql`UPDATE device SET props = props || '{"type":"switch"}' WHERE id = ${lamps[1]}`.execute(db);
    expect(await both(whole(40), lamps)).toEqual([]);
    expect(await both(whole(10), lamps)).toEqual([`belowFloor arterial ${lamps[0]},${lamps[2]}`]);
  });

  it('of what is excepted, whether a row needs it or not', async () => {
    const { lamps } = await judged('arterial', 4);
    const floorExceptions = [{ roadClass: 'arterial' as const, reason: '夜间封闭施工' }];
    expect(await both(whole(40, 'all', { floorExceptions }), lamps)).toEqual([
      `floorException arterial ${lamps.join()}`,
    ]);
    expect(await both(whole(40, 'all', { floorExceptions }), lamps.slice(1, 2))).toEqual([
      `floorException arterial ${lamps[1]}`,
    ]);
    expect(await both(whole(90, 'all', { floorExceptions }), lamps)).toEqual([]);
  });

  it('of lamps whose light does not change', async () => {
    const { lamps } = await judged('arterial', 4);
    await follow(lamps, await version(whole(30)));
    expect(await both(whole(30), lamps)).toEqual([]);
    expect(await both(whole(35), lamps)).toEqual([`belowFloor arterial ${lamps.join()}`]);
  });
});

it('a simulation says for how many hours, in which period', async () => {
  const { lamps } = await judged('arterial', 3);
  const { floors } = await simulated(await version(whole(40)), lamps);
  expect(floors).toMatchObject([{ programme: '平日', period: 1, nights: 365, of: 365, first: '2026-11-25', lamps: 3 }]);
  expect(floors[0]?.hours).toBeGreaterThan(2400);
  expect(floors[0]?.hours).toBeLessThan(2600);
});

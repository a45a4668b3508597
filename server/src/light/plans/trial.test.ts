import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { levelAt } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { startBus } from '../../platform/bus/index.ts';
import { tried, type Db, type Transaction } from '../../platform/db/index.ts';
import { inDryRun } from '../../platform/dry-run.ts';
import { createLog } from '../../platform/log.ts';
import { testDatabase } from '../../testing/database.ts';
import { givenArea, givenDevice } from '../../testing/devices.ts';
import { assign, createLampPlans } from './index.ts';
import { keptOrBegun } from './kept.ts';

const at = Date.parse('2026-11-25T23:30+08:00');
const database = await testDatabase();
const { db } = database;
const bus = await startBus(database.connection, createLog('silent'));
const plans = createLampPlans(bus);
beforeAll(() => givenArea(db));
afterAll(async () => {
  plans.stop();
  await bus.stop();
});

/** A lamp whose scheme burns at 80 % on holidays, else at 60 %. */
async function lampOfHolidays(): Promise<number> {
  const lamp = await givenDevice(db);
  const scheme = {
    ...exampleScheme(),
    calendar: {
      rules: [{ programme: 2, label: '节日', enabled: true, when: [{ kind: 'holiday', class: 'public', name: null }] }],
      default: 1,
    },
  };
  const { rows } = await sql<{ id: number }>`
    WITH item AS (INSERT INTO scheme (code, name) VALUES (${`H-${lamp}`}, '节日') RETURNING id)
    INSERT INTO scheme_version (scheme_id, number, content, content_hash, created_by, created_at)
    SELECT id, 1, ${JSON.stringify(scheme)}::jsonb, 'h', 'test', now() FROM item RETURNING id`.execute(db);
  await db.transaction().execute((tx) =>
    assign(tx, {
      deviceIds: [lamp],
      schemeVersionIds: [rows[0]?.id ?? 0],
      templateVersionIds: [null],
      fromDay: '2026-11-25',
      publicationId: null,
      by: 'test',
      at: new Date(at),
    }),
  );
  return lamp;
}
const levelIn = async (from: Db | Transaction, lamp: number) => {
  const plan = (await plans.of(from, [lamp], at)).get(lamp);
  return plan && levelAt(plan, at);
};
async function makeHoliday(tx: Transaction): Promise<void> {
  await sql`INSERT INTO holiday_year (country, year, state, source, imported_at)
    VALUES ('CN', 2026, 'official', 'test', now()) ON CONFLICT DO NOTHING`.execute(tx);
  await sql`INSERT INTO holiday (country, day, class, name) VALUES ('CN', '2026-11-25', 'public', '试')`.execute(tx);
}

const ways = {
  trial: (work: (tx: Transaction) => Promise<void>) => tried(db, work),
  'dry run': async (work: (tx: Transaction) => Promise<void>) => {
    const connect = () => expect.fail('all of it is asked on one connection');
    await db
      .transaction()
      .execute((tx) => inDryRun({ connect }, () => work(tx)).then(() => Promise.reject(new Error('taken back'))))
      .catch((thrown: unknown) => expect(thrown).toMatchObject({ message: 'taken back' }));
  },
};

it.each(Object.entries(ways))('what a %s reads is not kept for what really happens', async (_name, way) => {
  const lamp = await lampOfHolidays();
  await way(async (tx) => {
    await makeHoliday(tx);
    expect(await levelIn(tx, lamp)).toBe(80);
    // Within it the same plan is made once: lamps are compared by it.
    const [one, other] = [await plans.of(tx, [lamp], at), await plans.of(tx, [lamp], at)];
    expect(one.get(lamp)).toBe(other.get(lamp));
  });
  expect(await levelIn(db, lamp)).toBe(60);
});

it('a trial gets nothing that another one read', async () => {
  const lamp = await lampOfHolidays();
  const [begun, over] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const one = ways.trial(async (tx) => {
    await makeHoliday(tx);
    expect(await levelIn(tx, lamp)).toBe(80);
    begun.resolve(undefined);
    await over.promise;
  });
  await begun.promise;
  await ways.trial(async (tx) => expect(await levelIn(tx, lamp)).toBe(60));
  over.resolve(undefined);
  await one;
});

it('what fails with the transaction of one is begun again by another that waited for it', async () => {
  const kept = new Map<string, Promise<number>>();
  const first = keptOrBegun(kept, 'days', () => Promise.reject(new Error('the transaction is aborted')));
  const second = keptOrBegun(kept, 'days', () => Promise.resolve(7));
  const third = keptOrBegun(kept, 'days', () => Promise.resolve(7));
  await expect(first).rejects.toThrow('aborted');
  expect([await second, await third]).toEqual([7, 7]);
  expect(await keptOrBegun(kept, 'days', () => expect.fail('it is kept'))).toBe(7);
});

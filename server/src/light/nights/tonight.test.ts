import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { getTonight } from '../../../../contract/light/nights.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { monday, nightOffice, wall } from './testing/night-office.ts';

const office = await nightOffice();
const { app, db, reader } = office;

const tonight = async (token = reader.token) =>
  (await app.call<ReplyOf<typeof getTonight>>('/api/v1/home/tonight', { token })).body;

interface Published {
  readonly version: number;
  readonly phase: string;
  readonly toldAt: Date | null;
}
/** A publication whose lamps have these states: its id. */
async function publication(
  { version, phase, toldAt }: Published,
  states: readonly (readonly [lamp: number | undefined, state: string])[],
): Promise<number> {
  const at = wall(`${monday}T12:00`);
  const isOver = phase === 'done';
  const made = await sql<{ id: number }>`INSERT INTO publication (scheme_version_id, scope, effective_from, phase,
      phase_since, criteria, auto_revert, go_on, total, actor_id, actor_name, created_at, ended_at)
    VALUES (${version}, '{}', ${monday}, ${phase}, ${at}, '{}', true, false, 3, 1, 'x', ${at},
      ${isOver ? at : null}) RETURNING id`.execute(db);
  const id = made.rows[0]?.id ?? 0;
  for (const [lamp, state] of states)
    await sql`INSERT INTO publication_item (publication_id, device_id, state, told_at, open)
      VALUES (${id}, ${lamp}, ${state}, ${toldAt}, ${!isOver})`.execute(db);
  return id;
}

it('says which plans hold for how many lamps, what is excepted and published, and who does otherwise', async () => {
  const version = await office.version();
  const planned = await office.lamps(3, version);
  const [free = 0] = await office.lamps(1, null);
  const at = wall(`${monday}T12:00`);
  const { rows } = await sql<{
    id: number;
  }>`INSERT INTO plan_exception (scope, from_at, to_at, op, level, reason, state,
      holds_from, total, actor_id, actor_name, created_at)
    VALUES ('{}', ${at}, ${wall('2026-11-24T12:00')}, 'max', 50, '施工', 'inForce', ${at}, 1, 1, 'x', ${at}),
      ('{}', ${wall('2026-11-25T12:00')}, ${wall('2026-11-26T12:00')}, 'max', 50, '施工', 'planned', ${at}, 1, 1, 'x', ${at})
    RETURNING id`.execute(db);
  for (const { id } of rows)
    await sql`INSERT INTO plan_exception_item (exception_id, device_id) VALUES (${id}, ${free})`.execute(db);
  // The first lamp was told something else since, and proved it.
  const [first, second] = planned;
  const old = await publication({ version, phase: 'done', toldAt: at }, [
    [first, 'diverged'],
    [second, 'diverged'],
  ]);
  await publication({ version, phase: 'proving', toldAt: at }, [[first, 'proven']]);
  const answer = await tonight();
  expect(answer).toMatchObject({
    day: monday,
    schemes: [
      { code: 'JN-1', number: 1, mode: 'energySaving', lamps: 3 },
      { schemeId: null, code: null, lamps: 1 },
    ],
    exceptions: { inForce: 1, planned: 1, lamps: 1 },
    publications: { underWay: 1, halted: 0, waiting: 0, lamps: 1 },
    notOnPlan: { lamps: 1, publications: [{ id: old, lamps: 1 }] },
    rehearsal: null,
    lastNight: null,
  });
});

it('takes settings of single lamps together, and names the schemes of most lamps', async () => {
  const before = await tonight();
  for (let index = 0; index < 21; index += 1) await office.lamps(1, await office.version());
  const single = await office.version();
  await office.lamps(2, single);
  await sql`UPDATE scheme SET schedule = true WHERE id = (SELECT scheme_id FROM scheme_version WHERE id = ${single})`.execute(
    db,
  );
  office.clock.set(wall(`${monday}T13:01`));
  const answer = await tonight();
  expect(answer.schemes).toHaveLength(20);
  expect(answer.schemes[0]).toEqual(before.schemes[0]);
  expect([answer.own, answer.moreSchemes]).toEqual([2, { schemes: 3, lamps: 3 }]);
});

it('has the rehearsal of tonight and the night before, and nothing of foreign areas', async () => {
  await office.at(`${monday}T13:00`);
  // An answer is kept for some seconds.
  office.clock.set(wall(`${monday}T13:05`));
  expect((await tonight()).rehearsal).toMatchObject({ phase: 'planned', dark: 0 });
  await office.at('2026-11-24T10:00');
  office.clock.set(wall('2026-11-24T10:05'));
  expect((await tonight()).lastNight).toMatchObject({ day: monday, lamps: 27, silent: 27 });
  // Another area is not counted yet: the night before is the last.
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (3, 'A3', '第三区')`.execute(db);
  await sql`INSERT INTO plan_night (work_area_id, day, report) VALUES (3, ${monday}, 'counting')`.execute(db);
  await sql`INSERT INTO plan_night (work_area_id, day, report, counts)
    VALUES (3, '2026-11-22', 'done', '{"ran": 5}')`.execute(db);
  const both = await app.signIn({ username: 'both', permissions: ['plan.query'], workAreas: [1, 3] });
  expect((await tonight(both.token)).lastNight).toMatchObject({ day: '2026-11-22', lamps: 32, ran: 5 });
  await sql`INSERT INTO work_area (id, work_code, work_name) VALUES (2, 'A2', '别处')`.execute(db);
  const stranger = await app.signIn({ username: 'elsewhere', permissions: ['plan.query'], workAreas: [2] });
  expect(await tonight(stranger.token)).toMatchObject({
    day: null,
    schemes: [],
    exceptions: { inForce: 0, planned: 0 },
    publications: { underWay: 0 },
    notOnPlan: { lamps: 0 },
    rehearsal: null,
    lastNight: null,
  });
});

it('counts each lamp that is not on its plan once, and the monitor lists the same lamps', async () => {
  const version = await office.version();
  const [twice, once, disabled] = await office.lamps(3, version);
  const toldAt = wall(`${monday}T12:00`);
  const old = await publication({ version, phase: 'done', toldAt }, [
    [twice, 'diverged'],
    [once, 'diverged'],
    [disabled, 'diverged'],
  ]);
  const newer = await publication({ version, phase: 'done', toldAt: null }, [[twice, 'cannot']]);
  await sql`UPDATE device SET enabled = false WHERE id = ${disabled}`.execute(db);
  office.clock.set(wall('2026-11-24T10:06'));
  const monitor = await app.signIn({
    username: 'both-pages',
    permissions: ['plan.query', 'lamp.monitor'],
    workAreas: [1],
  });
  const { notOnPlan } = await tonight(monitor.token);
  expect(notOnPlan.publications.slice(0, 2)).toEqual([
    { id: newer, lamps: 1 },
    { id: old, lamps: 1 },
  ]);
  const list = await app.call<{ recordsTotal: number; data: { id: number }[] }>('/api/v1/lamps?plan=astray', {
    token: monitor.token,
  });
  expect(list.body.data.map(({ id }) => id)).toEqual(expect.arrayContaining([twice, once]));
  expect([list.body.recordsTotal, list.body.data.length]).toEqual([notOnPlan.lamps, notOnPlan.lamps]);
});

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { createSessions } from './index.ts';
import { foldRightsChanges, rightsVersion } from './rights.ts';

const app = await testApp();
const { db } = app;
/** Another process on the same database: with a memory of its own. */
const elsewhere = createSessions(app);
const { accountId, token } = await app.signIn({ username: 'holder', permissions: ['lamp.monitor'], workAreas: [1] });
const seen = async (sessions = app.sessions) =>
  [...((await sessions.authenticate(token, { background: true }))?.permissions ?? [])].toSorted();
const version = async () =>
  (await sql<{ version: number }>`SELECT ${rightsVersion} AS version`.execute(db)).rows[0]?.version;
const grant = async (code: string, tx = db) => {
  const { id } = await tx
    .insertInto('menu_entry')
    .values({ type: 'button', title: code, name: `r-${code}`, permission_code: code })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`INSERT INTO role_menu SELECT role_id, ${id} FROM account_role WHERE account_id = ${accountId}`.execute(tx);
};

test('every way in which rights change holds at the next look, in every process', async () => {
  expect([await seen(), await seen(elsewhere)]).toEqual([['lamp.monitor'], ['lamp.monitor']]);
  await grant('device.query');
  expect([await seen(), await seen(elsewhere)]).toEqual([
    ['device.query', 'lamp.monitor'],
    ['device.query', 'lamp.monitor'],
  ]);
  await db
    .updateTable('menu_entry')
    .set({ permission_code: 'device.add' })
    .where('name', '=', 'r-device.query')
    .execute();
  expect(await seen()).toEqual(['device.add', 'lamp.monitor']);
  await db.deleteFrom('menu_entry').where('name', '=', 'r-device.query').execute();
  expect(await seen()).toEqual(['lamp.monitor']);
  await db.deleteFrom('work_group').execute();
  expect((await app.sessions.authenticate(token, { background: true }))?.workAreas).toEqual([]);
});

test('a change that commits after another that began later, while rights are read in between', async () => {
  let begun = (): void => undefined;
  let finish = (): void => undefined;
  const [hasBegun, mayFinish] = [
    new Promise<void>((resolve) => {
      begun = resolve;
    }),
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  ];
  const slow = db.transaction().execute(async (tx) => {
    await grant('record.query', tx);
    begun();
    await mayFinish;
  });
  await hasBegun;
  await grant('record.add');
  expect([await seen(), await seen(elsewhere)].flat()).toEqual([
    'lamp.monitor',
    'record.add',
    'lamp.monitor',
    'record.add',
  ]);
  finish();
  await slow;
  expect([await seen(), await seen(elsewhere)].flat()).toEqual([
    'lamp.monitor',
    'record.add',
    'record.query',
    'lamp.monitor',
    'record.add',
    'record.query',
  ]);
});

test('changes of rights wait for each other only where their rows do', async () => {
  await db.transaction().execute(async (tx) => {
    await sql`UPDATE menu_entry SET icon = 'a' WHERE name = 'lamp'`.execute(tx);
    await db.transaction().execute(async (other) => {
      await sql`SET LOCAL lock_timeout = '1s'`.execute(other);
      await sql`UPDATE menu_entry SET icon = 'b' WHERE name = 'home'`.execute(other);
      await sql`INSERT INTO organisation (name) VALUES ('meanwhile')`.execute(other);
    });
  });
});

test('one row a transaction; folding them into the base leaves the sum as it is, also when several fold', async () => {
  const before = await version();
  await db.transaction().execute(async (tx) => {
    await grant('lamp.control', tx);
    await grant('demo.control', tx);
  });
  expect(await version()).toBe(Number(before) + 1);
  for (let count = 0; count < 40; count += 1)
    await sql`UPDATE menu_entry SET icon = ${String(count)} WHERE name = 'lamp'`.execute(db);
  const after = await version();
  expect(after).toBe(Number(before) + 41);
  const changing = sql`UPDATE menu_entry SET icon = 'x' WHERE name = 'lamp'`.execute(db);
  await Promise.all([foldRightsChanges(db), foldRightsChanges(db), changing, foldRightsChanges(db)]);
  expect(await version()).toBe(Number(after) + 1);
  expect(await sql`SELECT 1 FROM rights_change OFFSET 20`.execute(db)).toMatchObject({ rows: [] });
});

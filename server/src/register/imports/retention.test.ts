import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { pruneImportRows } from './index.ts';
import { beginCheck, insertImport } from './imports.store.ts';
import type { Plan } from './plan.ts';
import { hangingOnDevice } from './write.ts';

const { db, clock } = await testApp();
const plan: Plan = {
  fields: {},
  ignored: [],
  system: 'WGS84',
  words: {},
  existing: 'update',
  createRoads: false,
  acceptFar: false,
};
/** An import whose check has begun and not ended: cancelled, failed, or still on its way. */
const begun = () =>
  db.transaction().execute(async (tx) => {
    const id = await insertImport(tx, {
      accountId: 1,
      workAreaId: null,
      family: 'lamp-pole',
      file: 'x',
      fileName: 'x.csv',
      fileBytes: 1,
      format: { kind: 'csv', encoding: 'utf-8', delimiter: ',' } as Parameters<typeof insertImport>[1]['format'],
      columns: [],
      fingerprint: 'x',
      plan,
      isRemembered: false,
      at: clock.now(),
    });
    await beginCheck(tx, id, plan);
    return id;
  });
const staged = (id: number, from: number, to: number) =>
  sql`INSERT INTO import_row (import_id, row_number, outcome) SELECT ${id}, n, 'new'
    FROM generate_series(${from}::int, ${to}::int) AS n`.execute(db);
const rowsOf = async (id: number) =>
  (
    await sql<{
      row: number;
    }>`SELECT row_number AS row FROM import_row WHERE import_id = ${id} ORDER BY 1 LIMIT 20`.execute(db)
  ).rows.map(({ row }) => row);
const later = () => new Date(clock.now().getTime() + 91 * 86_400_000);
const somebodyWaits = () =>
  expect
    .poll(
      async () =>
        (
          await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock'`.execute(db)
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);

test('rows of a check that was cancelled or failed go too', async () => {
  const id = await begun();
  await staged(id, 2, 11);
  expect(await pruneImportRows(db, later())).toBe(1);
  expect(await rowsOf(id)).toEqual([]);
  expect(await pruneImportRows(db, later())).toBe(0);
});

test('a check that begins while old rows are being taken away keeps its own', async () => {
  const id = await begun();
  await staged(id, 2, 10_003);
  let pruned: Promise<number> | undefined;
  await db.transaction().execute(async (tx) => {
    // Somebody holds one of the rows: the first ten thousand are waited for.
    await sql`SELECT 1 FROM import_row WHERE import_id = ${id} FOR UPDATE`.execute(tx);
    pruned = pruneImportRows(db, later());
    await somebodyWaits();
    await db.transaction().execute((other) => beginCheck(other, id, plan));
    await staged(id, 20_001, 20_003);
  });
  await pruned;
  expect(await rowsOf(id)).toEqual(expect.arrayContaining([20_001, 20_002, 20_003]));
});

test('an import that somebody went on with since it was found to be old is left alone', async () => {
  const [first, second] = [await begun(), await begun()];
  await staged(first, 2, 3);
  await staged(second, 2, 3);
  let pruned: Promise<number> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`SELECT 1 FROM import_row WHERE import_id = ${first} FOR UPDATE`.execute(tx);
    pruned = pruneImportRows(db, later());
    await somebodyWaits();
    await db.updateTable('import').set({ applied_at: later() }).where('id', '=', second).execute();
  });
  await pruned;
  expect([await rowsOf(first), await rowsOf(second)]).toEqual([[], [2, 3]]);
});

test('undoing an import knows every table that hangs on a device: what is not listed is what the program itself derives of it', async () => {
  const { rows } = await sql<{
    place: string;
  }>`SELECT c.conrelid::regclass || '.' || a.attname AS place FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE c.contype = 'f' AND c.confrelid = 'device'::regclass`.execute(db);
  const listed = new Set(hangingOnDevice.map(([table, column]) => `${table}.${column}`));
  expect(
    rows
      .map(({ place: at }) => at)
      .filter((at) => !listed.has(at))
      .toSorted(),
  ).toEqual([
    'command_pace.device_id',
    'connection_log.device_id',
    'connection_log.via_id',
    'device_event.device_id',
    'device_latest.device_id',
    'device_state.device_id',
    'doubted_message.speaker_id',
    'fault_log.device_id',
    'lamp_position.pole_id',
    'link_event.device_id',
    'plan_night_lamp.device_id',
    'plan_report.device_id',
  ]);
});

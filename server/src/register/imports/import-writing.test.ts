import { describe, expect, test } from 'vitest';
import { loseOnce, whileWaiting } from '../../testing/row-locks.ts';
import { pruneImportRows } from './index.ts';
import { importOffice, type Problem } from './testing/import-office.ts';

const { app, db, call, place, get, begin, check, apply, rowsOf, pole, line, checked } = await importOffice();

describe('writing', () => {
  test('all or nothing writes nothing when one row is wrong; valid rows only writes the others', async () => {
    const one = await checked(line('D1') + line('D2', { type: '木头' }));
    const all = await apply(one.id, 'all');
    expect(all.one).toMatchObject({
      state: 'checked',
      task: { state: 'failed', error: '共 1 行有错误，按“全部或不导入”没有写入任何数据。' },
    });
    expect(await pole('D1')).toBeUndefined();
    expect((await apply(one.id)).one).toMatchObject({ state: 'applied', task: { state: 'done' } });
    expect(await pole('D1')).toMatchObject({ version: 1 });
    // Once is enough.
    expect((await apply(one.id)).reply.body.code).toBe(3807);
  });

  test('a device changed since the look, or registered meanwhile, is not overwritten', async () => {
    await apply((await checked(line('E1'))).id);
    const one = await checked(line('E1', { note: '改' }) + line('E2') + line('E3'));
    const before = await pole('E1');
    await call(`/api/v1/devices/${before?.id ?? 0}`, {
      method: 'PUT',
      body: { version: before?.version, rmark: '别人' },
    });
    await call('/api/v1/devices', {
      body: {
        family: 'lamp-pole',
        equipmentCode: 'e2',
        equipmentName: '别人的',
        workId: place.north,
        equipmentTypeId: 'equipment_type_13',
      },
    });
    expect((await apply(one.id)).one).toMatchObject({ state: 'applied', counts: { new: 1, update: 0, error: 2 } });
    expect((await rowsOf(one.id, 'outcome=error')).problems).toEqual([
      expect.objectContaining({ rule: 'changedMeanwhile', rows: 2 }),
    ]);
    expect((await pole('E1'))?.['rmark']).toBe('别人');
  });

  test('two imports of the same rows at once: one writes, the other says what it found', async () => {
    const [a, b] = [await checked(line('F1')), await checked(line('F1'))];
    const [first, second] = await Promise.all([apply(a.id), apply(b.id)]);
    expect([first.one.state, second.one.state].toSorted()).toEqual(['applied', 'checked']);
    expect(await pole('F1')).toMatchObject({ version: 1 });
  });
});

test('rows of old imports go; what was imported stays, undoing says why it is too late, and what was only checked is checked again', async () => {
  const written = await checked(line('OLD1') + line('OLD2', { x: '' }));
  await apply(written.id);
  const looked = await checked(line('OLD3'));
  const now = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000);
  expect(await pruneImportRows(db, now(89))).toBe(0);
  expect((await rowsOf(written.id)).recordsTotal).toBe(2);
  expect(await pruneImportRows(db, now(91))).toBeGreaterThanOrEqual(2);
  expect(await pruneImportRows(db, now(91))).toBe(0);
  expect(await get(written.id)).toMatchObject({ state: 'applied', rowsRemovedAt: now(91).toISOString() });
  expect((await rowsOf(written.id)).recordsTotal).toBe(0);
  for (const [path, body] of [
    [`/api/v1/imports/${written.id}/undo`, {}],
    ['/api/v1/failed-row-exports', { importId: written.id }],
  ] as const) {
    expect(
      (await call<Problem>(path, { method: 'POST', body, headers: { 'accept-language': 'en-US' } })).body,
      path,
    ).toMatchObject({ code: 3810, message: expect.stringContaining('90 days') });
  }
  expect(await pole('OLD1')).toBeDefined();
  expect(await get(looked.id)).toMatchObject({ state: 'uploaded', counts: null });
  expect(await check(looked.id)).toMatchObject({ state: 'checked', counts: { new: 1 } });
  expect(await get(looked.id)).not.toHaveProperty('rowsRemovedAt');
});

describe('undoing', () => {
  test('restores what nobody touched since, removes what was new, and lists the others', async () => {
    await apply((await checked(line('U1', { note: '前', road: '滨江大道' }) + line('U2', { note: '前' }))).id);
    const one = await checked(
      line('U1', { note: '后' }) + line('U2', { note: '后' }) + line('U3') + line('U4') + line('U5'),
    );
    await apply(one.id);
    const [touched, carrier, pictured] = [await pole('U2'), await pole('U4'), await pole('U5')];
    await db
      .insertInto('attachment')
      .values({
        device_id: pictured?.id ?? 0,
        kind: 'photo',
        type: 'image/png',
        file: 'x',
        file_name: 'x.png',
        bytes: 1,
        account_name: 'admin',
        created_at: app.clock.now(),
      })
      .execute();
    await call(`/api/v1/devices/${touched?.id ?? 0}`, {
      method: 'PUT',
      body: { version: touched?.version, equipmentName: '后来' },
    });
    await call('/api/v1/devices', {
      body: {
        family: 'single-lamp-controller',
        equipmentCode: 'U-L',
        equipmentName: '灯',
        workId: place.north,
        lamppostId: carrier?.id,
      },
    });
    const undone = (await begin(one.id, 'undo')).one;
    expect(undone).toMatchObject({ state: 'undone', notUndone: 3 });
    expect(await pole('U1')).toMatchObject({ rmark: '前', roadId: place.road });
    expect(await pole('U2')).toMatchObject({ rmark: '后', equipmentName: '后来' });
    expect(await pole('U3')).toBeUndefined();
    expect((await rowsOf(one.id, 'notUndone=true')).data.map(({ code }) => code)).toEqual(['U2', 'U4', 'U5']);
    expect(
      await db
        .selectFrom('attachment')
        .select('file_name')
        .where('device_id', '=', pictured?.id ?? 0)
        .execute(),
    ).toEqual([{ file_name: 'x.png' }]);
  });
});

describe('the history of the devices', () => {
  test('tells what an import and its undoing did, by whom and through which file, references by name', async () => {
    await apply((await checked(line('H1', { note: '前' }))).id);
    const one = await checked(line('H1', { note: '后', road: '滨江大道' }) + line('H2'));
    await apply(one.id);
    const { id = 0 } = (await pole('H1')) ?? {};
    await begin(one.id, 'undo');
    const told = await db
      .selectFrom('device_change')
      .selectAll()
      .where('equipment_code', 'in', ['H1', 'H2'])
      .orderBy('id')
      .execute();
    expect(
      told
        .map(({ equipment_code, kind, source, note, actor_name }) =>
          [equipment_code, kind, source, note, actor_name].join(' '),
        )
        .sort(),
    ).toEqual([
      'H1 created import 杆.csv admin',
      'H1 updated import 杆.csv admin',
      'H1 updated import.undo 杆.csv admin',
      'H2 created import 杆.csv admin',
      'H2 deleted import.undo 杆.csv admin',
    ]);
    const fields = (source: string) =>
      (
        JSON.parse(
          JSON.stringify(
            told.find((row) => row.device_id === id && row.source === source && row.kind === 'updated')?.fields,
          ),
        ) as { field: string }[]
      ).toSorted((a, b) => a.field.localeCompare(b.field));
    expect(fields('import')).toEqual([
      { field: 'rmark', from: '前', to: '后', fromLabel: null, toLabel: null, masked: false },
      { field: 'roadId', from: null, to: place.road, fromLabel: null, toLabel: '滨江大道', masked: false },
    ]);
    expect(fields('import.undo')).toEqual([
      { field: 'rmark', from: '后', to: '前', fromLabel: null, toLabel: null, masked: false },
      { field: 'roadId', from: place.road, to: null, fromLabel: '滨江大道', toLabel: null, masked: false },
    ]);
  });
});

test('rows are taken in the order of their ids, as a move takes them, whatever their order in the sheet, and again where the database had to end it', async () => {
  await apply((await checked(line('O1') + line('O2'))).id);
  const [first, last] = [(await pole('O1'))?.id ?? 0, (await pole('O2'))?.id ?? 0];
  const { id } = await checked(line('O2', { note: '后' }) + line('O1', { note: '后' }));
  await loseOnce(db, 'import', 'UPDATE OF state');
  for (const [step, body] of [
    ['apply', { rows: 'all' }],
    ['undo', {}],
  ] as const) {
    const { free, done } = await whileWaiting(db, 'device', { first, last }, () => begin(id, step, body));
    expect([free, done.one.task?.state]).toEqual([true, 'done']);
  }
});

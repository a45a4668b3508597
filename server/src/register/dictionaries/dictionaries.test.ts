import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { namesIn, optionSets } from '../../../../catalogue/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createRecords, recordsRoutes } from '../records/index.ts';
import { createDictionaries, dictionariesRoutes, namesFrom, prepareDictionaries } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-dictionaries-'));
const keys = openKeys(join(folder, 'secret.key'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const app = await testApp({
  routes: (parts) => [
    ...recordsRoutes(createRecords({ ...parts, keys })),
    ...devicesRoutes(createDevices({ ...parts, keys })),
    ...dictionariesRoutes(createDictionaries(parts)),
  ],
});
const { call, db } = app;
interface Shown {
  code: string;
  name: string;
  builtIn: boolean;
  open: boolean;
  items: { value: string; label: string; enabled: boolean }[];
}
type Row = Record<string, unknown> & { id: number; version: number };
const shown = async (code: string, language = 'zh-CN'): Promise<Shown> =>
  (await call<{ data: Shown[] }>(`/api/v1/dictionaries?code=${code}`, { headers: { 'accept-language': language } }))
    .body.data[0]!;
const problems = (reply: { body: unknown }) =>
  (reply.body as { params: { field: string; rule: string }[] }).params.map((p) => `${p.field}:${p.rule}`);
const dictionaryId = async (code: string) =>
  (await db.selectFrom('dictionary').select('id').where('dict_code', '=', code).executeTakeFirstOrThrow()).id;
const itemId = async (code: string, value: string) =>
  (
    await db
      .selectFrom('dictionary_item')
      .select('id')
      .where('dictionary_id', '=', await dictionaryId(code))
      .where('item_value', '=', value)
      .executeTakeFirstOrThrow()
  ).id;
const record = (kind: string, body: object) => call<Row>(`/api/v1/records/${kind}`, { body });
const put = (kind: string, id: number, body: object, more = {}) =>
  call<Row>(`/api/v1/records/${kind}/${id}`, { method: 'PUT', body, ...more });
const remove = (kind: string, id: number) => call(`/api/v1/records/${kind}/${id}`, { method: 'DELETE' });
let serial = 0;
let workId = 0;
const pole = (more: object) =>
  call<Row>('/api/v1/devices', {
    body: {
      family: 'lamp-pole',
      equipmentCode: `P-${(serial += 1)}`,
      equipmentName: '杆',
      workId,
      equipmentTypeId: 'equipment_type_13',
      ...more,
    },
  });

beforeAll(async () => {
  await prepareDictionaries(db);
  workId = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'D', work_name: '字典区' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
});

describe('what is there from the start', () => {
  test('every option set of the catalogue, with its words in the caller’s language', async () => {
    const reply = await call<{ data: Shown[] }>('/api/v1/dictionaries');
    expect(reply.body.data.map(({ code }) => code).toSorted()).toEqual([...optionSets.keys()].toSorted());
    for (const language of ['zh-CN', 'fr-FR', 'ko-KR'] as const) {
      const names = namesIn(language);
      const material = await shown('poleMaterial', language);
      expect(material.name).toContain(names.field('material', 'lamp-pole'));
      expect(material).toMatchObject({ builtIn: true, open: true });
      expect(material.items).toEqual(
        optionSets
          .get('poleMaterial')!
          .options.map((value) => ({ value, label: names.option('poleMaterial', value), enabled: true })),
      );
    }
    expect(await shown('poleShape')).toMatchObject({ open: false });
    const called = reply.body.data.map(({ name }) => name);
    expect(new Set(called).size).toBe(called.length);
  });

  test('is renamed and disabled, keeps that over a start, and is never deleted', async () => {
    const id = await itemId('poleMaterial', 'steel');
    expect((await put('dictionary-item', id, { zhCN: '钢制', version: 1 })).status).toBe(200);
    expect((await put('dictionary-item', id, { zhCN: 'x', version: 1 })).status).toBe(409);
    await prepareDictionaries(db);
    expect((await shown('poleMaterial')).items[0]).toEqual({ value: 'steel', label: '钢制', enabled: true });
    expect((await namesFrom(db, 'zh-CN')).option('poleMaterial', 'steel')).toBe('钢制');
    expect((await namesFrom(db, 'zh-CN')).option('roadClass', 'lane')).toBe('街巷');
    expect(await remove('dictionary-item', id)).toMatchObject({ status: 400, body: { code: 4008 } });
    expect(await remove('dictionary', await dictionaryId('poleMaterial'))).toMatchObject({
      status: 400,
      body: { code: 4008 },
    });
    expect(problems(await put('dictionary-item', id, { value: 'iron' }))).toEqual(['value:fixed']);
  });

  test('of a closed set only words and order change', async () => {
    const id = await itemId('poleShape', 'post_top');
    expect(problems(await put('dictionary-item', id, { status: 'disabled' }))).toEqual(['status:dictionaryClosed']);
    expect((await put('dictionary-item', id, { orderby: 1, enUS: 'Garden lamp' })).status).toBe(200);
    expect((await shown('poleShape', 'en-US')).items[0]).toMatchObject({ value: 'post_top', label: 'Garden lamp' });
    expect(
      problems(
        await record('dictionary-item', { dictId: await dictionaryId('poleShape'), value: 'spiral', zhCN: '螺旋' }),
      ),
    ).toEqual(['dictId:dictionaryClosed']);
  });
});

test('an own value of an open set is offered, chosen, called in every language, kept while it is in use', async () => {
  const dictId = await dictionaryId('poleMaterial');
  expect(problems(await pole({ material: 'bamboo' }))).toEqual(['material:option']);
  const made = await record('dictionary-item', { dictId, value: 'bamboo', zhCN: '竹', enUS: 'Bamboo', orderby: 99 });
  expect(made.status).toBe(201);
  expect((await shown('poleMaterial', 'ja-JP')).items.at(-1)).toEqual({
    value: 'bamboo',
    label: 'Bamboo',
    enabled: true,
  });
  expect((await shown('poleMaterial', 'zh-TW')).items.at(-1)?.label).toBe('竹');
  const one = await pole({ material: 'bamboo' });
  expect(one).toMatchObject({ status: 201, body: { material: 'bamboo' } });
  const listed = await call<{ data: Row[] }>('/api/v1/devices?family=lamp-pole&material=bamboo');
  expect(listed.body.data.map(({ id }) => id)).toEqual([one.body.id]);
  const families = await call<{
    data: { key: string; fields: { key: string; options: { value: string; name: string }[] | null }[] }[];
  }>('/api/v1/families', { headers: { 'accept-language': 'en-US' } });
  const material = families.body.data
    .find(({ key }) => key === 'lamp-pole')!
    .fields.find(({ key }) => key === 'material')!;
  expect(material.options).toContainEqual({ value: 'bamboo', name: 'Bamboo' });
  expect((await call(`/api/v1/records/dictionary-item/${made.body.id}/uses`)).body).toEqual({
    blocking: [{ what: 'device', name: '设备', count: 1 }],
  });
  expect(await remove('dictionary-item', made.body.id)).toMatchObject({ status: 400, body: { code: 3002 } });

  expect((await put('dictionary-item', made.body.id, { status: 'disabled' })).status).toBe(200);
  expect(problems(await pole({ material: 'bamboo' }))).toEqual(['material:option']);
  // What holds it already stays as it is.
  const change = (body: object) => call<Row>(`/api/v1/devices/${one.body.id}`, { method: 'PUT', body });
  expect(await change({ material: 'bamboo', rmark: 'x' })).toMatchObject({ status: 200, body: { material: 'bamboo' } });
  await change({ material: null });
  expect((await remove('dictionary-item', made.body.id)).status).toBe(204);
});

describe('a dictionary of the site’s own', () => {
  test('has values, each once whatever its case, and goes when it is empty', async () => {
    const { body: own } = await record('dictionary', { dictCode: 'vendor', zhCN: '厂家' });
    const item = await record('dictionary-item', { dictId: own.id, value: 'firefly', zhCN: '萤火' });
    expect(item.body['labels']).toEqual({ dictId: '厂家' });
    expect(problems(await record('dictionary-item', { dictId: own.id, value: 'Firefly', zhCN: 'x' }))).toEqual([
      'value:taken',
    ]);
    expect(problems(await record('dictionary-item', { dictId: own.id, value: '萤火', zhCN: 'x' }))).toEqual([
      'value:dictionaryValue',
    ]);
    expect(problems(await record('dictionary-item', { dictId: 999_999, value: 'a', zhCN: 'x' }))).toEqual([
      'dictId:notFound',
    ]);
    expect(await shown('vendor')).toEqual({
      code: 'vendor',
      name: '厂家',
      builtIn: false,
      open: true,
      items: [{ value: 'firefly', label: '萤火', enabled: true }],
    });
    expect(await remove('dictionary', own.id)).toMatchObject({ status: 400, body: { detail: '请先处理：字典项 1。' } });
    expect((await remove('dictionary-item', item.body.id)).status).toBe(204);
    expect((await remove('dictionary', own.id)).status).toBe(204);
  });

  test('is read by everybody and changed only by who sees the whole site', async () => {
    const { token } = await app.signIn({
      username: 'scoped',
      permissions: ['record.query', 'record.add', 'record.edit', 'record.del'],
      workAreas: [workId],
    });
    const id = await itemId('poleMaterial', 'concrete');
    expect((await call('/api/v1/dictionaries', { token })).status).toBe(200);
    expect((await call(`/api/v1/records/dictionary-item/${id}`, { token })).status).toBe(200);
    expect(problems(await put('dictionary-item', id, { zhCN: '' }, { token }))).toEqual(['zhCN:required']);
    for (const refused of [
      await put('dictionary-item', id, { zhCN: 'x' }, { token }),
      await call(`/api/v1/records/dictionary-item/${id}`, { token, method: 'DELETE' }),
      await call('/api/v1/records/dictionary', { token, body: { dictCode: 'mine', zhCN: 'x' } }),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 1211 } });
  });
});

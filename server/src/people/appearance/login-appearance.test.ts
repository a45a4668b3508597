import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { createLoginAppearances, loginAppearanceRoutes } from './index.ts';

const app = await testApp({
  config: { trustedProxies: ['10.9.0.1'] },
  routes: (parts) => loginAppearanceRoutes(createLoginAppearances(parts)),
});
const path = '/api/v1/login-appearances';
const png = async (width: number, height: number) =>
  `data:image/png;base64,${(await createCanvas(width, height).encode('png')).toString('base64')}`;
const blank = { host: null, company: false, name: '滨江照明', title: '滨江照明管理', logo: null, icon: null };
const create = (body: object) => app.call(path, { body: { ...blank, ...body } });
const update = (id: number, body: object, call = {}) => app.call(`${path}/${id}`, { method: 'PUT', body, ...call });
const shownTo = async (headers: Record<string, string>, from = '10.1.1.1') =>
  (await app.call<{ data: Record<string, unknown> }>('/api/sysLoginDisposes/1', { token: null, headers, from })).body
    .data;
const clear = () => app.db.deleteFrom('login_appearance').where('id', '>', 1).execute();

describe('the general appearance', () => {
  test('is always there; while nobody set it, it is the product’s own in the reader’s language', async () => {
    expect((await app.call(path)).body).toMatchObject({
      recordsTotal: 1,
      data: [{ id: 1, host: null, company: false, name: '智慧灯杆管理平台' }],
    });
    expect(await shownTo({ 'accept-language': 'fr' })).toEqual({
      name: 'Plateforme de gestion des mâts d’éclairage intelligents',
      title: 'Plateforme de gestion des mâts d’éclairage intelligents',
      logo: null,
      ico: null,
    });
    // A form sends the whole row back: an untouched default stays one.
    expect((await update(1, { ...blank, name: '智慧灯杆管理平台', title: '新标题' })).status).toBe(200);
    expect(await shownTo({ 'accept-language': 'en' })).toMatchObject({
      name: 'Smart lamp pole management platform',
      title: '新标题',
    });
    expect((await app.call(`${path}/1`, { method: 'DELETE' })).status).toBe(204);
    expect(await shownTo({})).toMatchObject({ title: '智慧灯杆管理平台' });
  });

  test('belongs to no host; an old version is told', async () => {
    expect(await update(1, { host: 'a.example' })).toMatchObject({ status: 400, body: { code: 3401 } });
    const { version } = (await update(1, { name: '一' })).body as { version: number };
    expect(await update(1, { name: '二', version: version - 1 })).toMatchObject({ status: 409, body: { code: 1401 } });
    expect(await update(1, { name: '二', version })).toMatchObject({
      status: 200,
      body: { name: '二', version: version + 1 },
    });
    expect((await update(99, { name: '二' })).status).toBe(404);
  });
});

describe('an appearance per host name', () => {
  test('is shown to that host, with and without its port; others see the general one', async () => {
    await clear();
    await create({ host: 'Lamps.Example', name: '甲' });
    await create({ host: 'lamps.example:8443', name: '乙' });
    expect((await shownTo({ host: 'LAMPS.example' }))['name']).toBe('甲');
    expect((await shownTo({ host: 'lamps.example:9000' }))['name']).toBe('甲');
    expect((await shownTo({ host: 'lamps.example:8443' }))['name']).toBe('乙');
    expect((await shownTo({ host: 'other.example' }))['name']).toBe('二');
  });

  test('a forwarded host counts only from a trusted proxy', async () => {
    const headers = { host: 'inner', 'x-forwarded-host': 'lamps.example' };
    expect((await shownTo(headers))['name']).toBe('二');
    expect((await shownTo(headers, '10.9.0.1'))['name']).toBe('甲');
  });

  test('one host, one appearance, whatever its case; and it keeps a host', async () => {
    await clear();
    const { body } = await create({ host: 'one.example' });
    expect(await create({ host: 'ONE.example' })).toMatchObject({
      status: 400,
      body: { code: 1001, params: [{ field: 'host', rule: 'taken' }] },
    });
    expect((await update(Number(body['id']), { host: null })).body).toMatchObject({
      params: [{ field: 'host', rule: 'required' }],
    });
    expect((await update(Number(body['id']), { host: 'One.Example', name: '三' })).body).toMatchObject({
      host: 'one.example',
      name: '三',
    });
    expect((await create({ host: null })).body).toMatchObject({ params: [{ field: 'host', rule: 'required' }] });
    expect((await app.call(`${path}/${String(body['id'])}`, { method: 'DELETE' })).status).toBe(204);
    expect((await app.call(`${path}/${String(body['id'])}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('one at most is marked as the company’s own, also when several are marked at once', async () => {
    await clear();
    const ids = await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        Number((await create({ host: `${name}.example`, company: true })).body['id']),
      ),
    );
    await Promise.all(ids.map((id) => update(id, { company: true })));
    const { data } = (await app.call<{ data: { company: boolean; host: string }[] }>(path)).body;
    const [marked, ...more] = data.filter(({ company }) => company);
    expect(more).toEqual([]);
    expect(await shownTo({ host: marked?.host ?? '' })).toMatchObject({ company: true });
    expect(await shownTo({ host: 'x.example' })).not.toHaveProperty('company');
  });
});

describe('its pictures', () => {
  test('are drawn again, small; null takes one away', async () => {
    await clear();
    const { body } = await create({ host: 'p.example', logo: await png(2000, 500), icon: await png(300, 300) });
    const size = (picture: unknown) => Buffer.from(String(picture).split(',')[1] ?? '', 'base64');
    expect([
      size(body['logo']).readUInt32BE(16),
      size(body['logo']).readUInt32BE(20),
      size(body['icon']).readUInt32BE(16),
    ]).toEqual([480, 120, 96]);
    expect((await update(Number(body['id']), { icon: null })).body).toMatchObject({ icon: null, logo: body['logo'] });
    const rows = await app.db
      .selectFrom('operation_log')
      .select('params')
      .where('message', '=', 'appearance.create')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(rows[0]?.params).toContain('"logo":"[picture, ');
  });

  test('no SVG, no text; all that is wrong at once', async () => {
    const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
    expect((await create({ host: 's.example', logo: svg, icon: 'data:image/png;base64,AAAA' })).body).toMatchObject({
      code: 1001,
      params: [{ field: 'logo' }, { field: 'icon' }],
    });
    expect((await create({ host: 's.example', name: '  ', title: ' ', logo: svg })).body).toMatchObject({
      params: [{ field: 'name' }, { field: 'title' }, { field: 'logo' }],
    });
    expect((await create({ host: 'no host' })).body).toMatchObject({ params: [{ field: 'host' }] });
  });
});

test('only with the code', async () => {
  const { token } = await app.signIn({ username: 'plain', level: 0 });
  expect((await app.call(path, { token })).body).toMatchObject({ code: 1201 });
  expect(await update(1, { name: '四' }, { token })).toMatchObject({ status: 403 });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { baseMapsRoutes, createBaseMaps } from './index.ts';
import { mapService } from './testing/map-service.ts';

const site = await mapService();
const { png, port, base, folder, files, app, picture, say, address, create, patch, list, tile, ask, fields } = site;

describe('settings', () => {
  test('a fresh site has the plain grid; with a demonstration its city, which then is the default', async () => {
    expect(await list()).toMatchObject([{ kind: 'grid', isDefault: true, name: null }]);
    site.ground = true;
    expect((await list()).map(({ kind, isDefault }) => [kind, isDefault])).toEqual([
      ['grid', false],
      ['ground', true],
    ]);
  });

  test('a key is kept sealed and told to nobody, neither by the settings nor by the log', async () => {
    const { body, status } = await create({ address, key: 'topsecret-9' });
    expect([status, body.hasKey]).toEqual([201, true]);
    const told = [
      body,
      (await app.call('/api/v1/base-map-settings')).body,
      await list(),
      await app.db.selectFrom('base_map').selectAll().execute(),
      await app.db.selectFrom('operation_log').selectAll().execute(),
    ];
    expect(JSON.stringify(told)).not.toContain('topsecret-9');
    expect(JSON.stringify(await list())).not.toContain('127.0.0.1');
  });

  test.each([
    [{ kind: 'xyz', name: '', address }, ['name required', 'key required']],
    [{ address: `${base}/{z}/{x}.png` }, ['address invalid']],
    [{ address: 'file:///etc/passwd' }, ['address invalid']],
    [{ address: 'https://{key}.example/{z}/{x}/{y}', key: 'a' }, ['address invalid']],
    [{ kind: 'tianditu', name: null, style: 'vec' }, ['key required']],
    [{ kind: 'tianditu', name: null, style: 'sea', key: 'k' }, ['style enum']],
    [{ kind: 'pmtiles' }, ['address required']],
    [{ address: `${base}/{z}/{x}/{y}`, minZoom: 9, maxZoom: 3 }, ['maxZoom invalid']],
    [{ address: `${base}/{z}/{x}/{y}`, isDefault: true, isEnabled: false }, ['isEnabled invalid']],
  ])('refused by field: %j', async (body, expected) => {
    const reply = await create(body);
    expect([reply.status, fields(reply)]).toEqual([400, expected]);
  });

  test('a key follows its host: another one needs it anew', async () => {
    const { body } = await create({ address, key: 'k-1' });
    expect(fields(await patch(body.id, { address: `http://127.0.0.1:${port + 1}/{z}/{x}/{y}?tk={key}` }))).toEqual([
      'key required',
    ]);
    expect((await patch(body.id, { address: `${base}/v2/{z}/{x}/{y}?tk={key}` })).status).toBe(200);
    await ask({ id: body.id, settings: { address: `http://localhost:${port}/{z}/{x}/{y}?tk={key}` } });
    expect(site.asked.join()).not.toContain('k-1');
  });

  test('one default; what is the default cannot be switched off, nor the grid; the built-in ones stay', async () => {
    const { body } = await create({ address: `${base}/{z}/{x}/{y}`, isDefault: true });
    expect((await list()).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [1, false],
      [body.id, true],
    ]);
    expect(fields(await patch(body.id, { isEnabled: false }))).toEqual(['isEnabled invalid']);
    expect(fields(await patch(1, { isEnabled: false }))).toEqual(['isEnabled invalid']);
    expect((await app.call<{ code: number }>('/api/v1/base-maps/1', { method: 'DELETE' })).body.code).toBe(3903);
    const two = (await create({ name: '乙', address: `${base}/{z}/{x}/{y}`, isDefault: true })).body;
    expect((await list()).filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([two.id]);
    expect((await patch(two.id, { isDefault: false })).status).toBe(200);
    expect((await list()).find(({ isDefault }) => isDefault)?.id).toBe(1);
  });

  test('the order is the list’s; an old version is told', async () => {
    const { body } = await create({ address: `${base}/{z}/{x}/{y}` });
    expect((await app.call('/api/v1/base-map-order', { method: 'PUT', body: { ids: [body.id, 1] } })).status).toBe(204);
    expect((await list()).map(({ id }) => id)).toEqual([body.id, 1]);
    expect((await patch(body.id, { name: '丙', version: body.version + 5 })).status).toBe(409);
    expect((await patch(body.id, { name: '丙', version: body.version })).body).toMatchObject({
      name: '丙',
      version: body.version + 1,
    });
  });
});

describe('tiles', () => {
  test('come through this server with the key, may be kept by the browser, and are asked for once', async () => {
    const { body: map } = await create({ address, key: 'k 1' });
    const replies = await Promise.all([tile(map, 3, 5, 2), tile(map, 3, 5, 2), tile(map, 3, 5, 2)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies[0]?.bytes.equals(png)).toBe(true);
    expect(replies[0]?.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
    });
    expect(site.asked).toEqual(['/3/5/2.png?tk=k%201']);
    await app.clock.advance(11 * 60_000);
    await tile(map, 3, 5, 2);
    expect(site.asked).toHaveLength(2);
  });

  test('what the pyramid or the service does not have is 404', async () => {
    const { body: map } = await create({ address: `${base}/{z}/{x}/{y}`, minZoom: 2, maxZoom: 4 });
    site.answer = say(404, 'no');
    for (const [z, x, y] of [
      [3, 8, 0],
      [1, 0, 0],
      [5, 0, 0],
      [3, 1, 1],
    ] as const)
      expect((await tile(map, z, x, y)).status).toBe(404);
    expect((await tile(map, 3, 1, 1, 1)).status).toBe(404);
    await patch(map.id, { isEnabled: false });
    expect((await tile(map, 4, 1, 1)).status).toBe(404);
    expect(site.asked).toEqual(['/3/1/1']);
  });

  test('a service that refuses is 502 with the reason; one that is silent is left alone for a while', async () => {
    const { body: map } = await create({ address: `${base}/{z}/{x}/{y}` });
    site.answer = say(403, 'bad key');
    expect(await tile(map, 1, 0, 0)).toMatchObject({ status: 502, body: { code: 3901, reason: 'keyRefused' } });
    site.answer = (request) => void request.socket.destroy();
    expect(await tile(map, 1, 0, 1)).toMatchObject({ status: 502, body: { reason: 'network' } });
    const before = site.asked.length;
    expect(await tile(map, 1, 1, 1)).toMatchObject({ status: 502, body: { reason: 'network' } });
    expect(site.asked).toHaveLength(before);
    site.answer = picture;
    await app.clock.advance(10_001);
    expect((await tile(map, 1, 1, 1)).status).toBe(200);
  });
});

describe('this server is no way into the site’s network', () => {
  test('the tick for the own network does not lead to this machine, unless the site says so', async () => {
    const guarded = await testApp({
      logLevel: 'silent',
      routes: (parts) =>
        baseMapsRoutes(
          createBaseMaps({
            ...parts,
            files,
            keys: openKeys(join(folder, 'secret.key')),
            fromThisMachine: false,
            hasGround: () => site.ground,
          }),
        ),
    });
    site.answer = picture;
    const body = {
      settings: { kind: 'xyz', address: `${base}/{z}/{x}/{y}`, allowPrivate: true },
      longitude: 120,
      latitude: 30,
      zoom: 10,
    };
    const [there, kept] = await Promise.all(
      [app, guarded].map((on) => on.call<{ layers: { problem: string | null }[] }>('/api/v1/base-map-tests', { body })),
    );
    expect([there?.body.layers[0]?.problem, kept?.body.layers[0]?.problem]).toEqual([null, 'private']);
  });

  test.each([base, `http://localhost:${port}`, `http://[::ffff:127.0.0.1]:${port}`, `http://2130706433:${port}`])(
    '%s is not asked',
    async (host) => {
      const result = await ask({ settings: { kind: 'xyz', address: `${host}/{z}/{x}/{y}` } });
      expect(result.layers[0]?.problem).toBe('private');
      expect(site.asked).toEqual([]);
    },
  );

  test('a redirect leads nowhere else, and not round in circles', async () => {
    site.answer = (request, response) =>
      void response
        .writeHead(302, { location: request.url?.startsWith('/1') ? 'http://169.254.169.254/x' : (request.url ?? '') })
        .end();
    expect(
      (await ask({ settings: { kind: 'xyz', address: `${base}/1/{z}/{x}/{y}`, allowPrivate: true } })).layers[0]
        ?.problem,
    ).toBe('private');
    expect(
      (await ask({ settings: { kind: 'xyz', address: `${base}/2/{z}/{x}/{y}`, allowPrivate: true } })).layers[0]
        ?.problem,
    ).toBe('redirects');
  });
});

describe('what a service really answers', () => {
  const settings = { kind: 'xyz', address, key: 'k-1', allowPrivate: true };

  test('a picture: status, size, type, the address without the key', async () => {
    const result = await ask({ settings });
    expect(result.tile).toEqual({ z: 10, x: 843, y: 387 });
    expect(result.layers).toMatchObject([
      { status: 200, contentType: 'image/png', width: 256, problem: null, address: `${base}/10/843/387.png?tk=***` },
    ]);
    expect(result.layers[0]?.picture).toMatch(/^data:image\/png;base64,/);
  });

  test('in a shifted system it is asked where that system has the place; Seoul is not moved', async () => {
    const result = await ask({ settings: { ...settings, system: 'GCJ02' }, zoom: 18 });
    expect(result.system).toBe('GCJ02');
    expect(result.stated.longitude).toBeCloseTo(116.4102, 3);
    const seoul = await ask({ settings: { ...settings, system: 'BD09' }, longitude: 126.978, latitude: 37.5665 });
    expect(seoul.stated).toEqual({ longitude: 126.978, latitude: 37.5665 });
  });

  test.each([
    [403, 'key k-1 refused', 'keyRefused', 'key *** refused'],
    [401, '{"code":"INVALID_USER_KEY"}', 'keyRefused', '{"code":"INVALID_USER_KEY"}'],
    [404, '', 'notFound', null],
    [429, '', 'tooMany', null],
    [500, '<h1>oops</h1>', 'serverError', 'oops'],
    [200, '<html><style>a{}</style>Please log in</html>', 'notPicture', 'Please log in'],
    [302, '', 'status', null],
  ])('HTTP %s %s: %s', async (status, body, problem, detail) => {
    site.answer = say(status, body);
    expect((await ask({ settings })).layers[0]).toMatchObject({ status, problem, detail, picture: null });
  });

  test('nothing there, no such name, no key', async () => {
    const gone = createServer();
    await new Promise<void>((ready) => {
      gone.listen(0, '127.0.0.1', ready);
    });
    const free = (gone.address() as AddressInfo).port;
    await new Promise((done) => {
      gone.close(done);
    });
    const to = async (host: string) =>
      (await ask({ settings: { ...settings, address: `${host}/{z}/{x}/{y}` } })).layers[0];
    expect(await to(`http://127.0.0.1:${free}`)).toMatchObject({ problem: 'refused', status: null });
    expect(await to('http://no-such-host.invalid')).toMatchObject({ problem: 'dns', status: null });
    expect(await to(`https://127.0.0.1:${port}`)).toMatchObject({ problem: 'tls', status: null });
    expect((await ask({ settings: { ...settings, key: null } })).layers[0]).toMatchObject({ problem: 'keyMissing' });
  });

  test('a provider’s layers are asked one by one; the grid asks nobody', async () => {
    expect(
      (await ask({ settings: { kind: 'tianditu', style: 'img', key: '' } })).layers.map(({ problem, address: to }) => [
        problem,
        to?.match(/LAYER=(\w+)/)?.[1],
      ]),
    ).toEqual([
      ['keyMissing', 'img'],
      ['keyMissing', 'cia'],
    ]);
    expect((await ask({ id: 1 })).layers).toEqual([]);
    expect(
      (await app.call('/api/v1/base-map-tests', { body: { id: 99_999, longitude: 0, latitude: 0, zoom: 1 } })).status,
    ).toBe(404);
  });
});

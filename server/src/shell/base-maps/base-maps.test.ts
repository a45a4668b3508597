import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { lockFile, openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { insert, lockAll } from './base-maps.store.ts';
import { baseMapsRoutes, createBaseMaps } from './index.ts';
import { smallArchive } from '../../testing/small-archive.ts';

interface Row {
  id: number;
  version: number;
  kind: string;
  isDefault: boolean;
  name: string | null;
  hasKey: boolean;
  format: string;
  minZoom: number;
  maxZoom: number;
  attribution: string | null;
}
interface Answer {
  tile: object;
  stated: { longitude: number; latitude: number };
  system: string;
  layers: {
    problem: string | null;
    status: number | null;
    address: string | null;
    detail: string | null;
    picture: string | null;
    width: number | null;
    contentType: string | null;
  }[];
}

const png = await createCanvas(256, 256).encode('png');
const archive = smallArchive(png);
/** The map service: what it answers is said by the test. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[] = [];
const service = createServer((request, response) => {
  asked.push(request.url ?? '');
  answer(request, response);
});
await new Promise<void>((ready) => {
  service.listen(0, '127.0.0.1', ready);
});
const port = (service.address() as AddressInfo).port;
const base = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'lampyris-maps-'));
const files = openFiles(join(folder, 'files'));
let ground = false;
const app = await testApp({
  logLevel: 'silent',
  routes: (parts) =>
    baseMapsRoutes(
      createBaseMaps({
        ...parts,
        files,
        keys: openKeys(join(folder, 'secret.key')),
        fromThisMachine: true,
        hasGround: () => ground,
      }),
    ),
});
afterAll(() => {
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true, force: true });
});
const picture = (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(png);
const say =
  (status: number, body: string, type = 'text/html') =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
const address = `${base}/{z}/{x}/{y}.png?tk={key}`;
const create = (body: object) =>
  app.call<Row>('/api/v1/base-maps', { body: { kind: 'xyz', name: '甲', allowPrivate: true, ...body } });
const patch = (id: number, body: object) =>
  app.call<Row & Record<string, unknown>>(`/api/v1/base-maps/${id}`, { method: 'PATCH', body });
const list = async () => (await app.call<{ data: Row[] }>('/api/v1/base-maps')).body.data;
const tile = (map: Row, z: number, x: number, y: number, layer = 0) =>
  app.call(`/tiles/${map.id}/${map.version}/${layer}/${z}/${x}/${y}`);
const ask = async (body: object) =>
  (
    await app.call<Answer>('/api/v1/base-map-tests', {
      body: { longitude: 116.404, latitude: 39.915, zoom: 10, ...body },
    })
  ).body;
const fields = (reply: { body: object }) =>
  (reply.body as { params?: { field: string; rule: string }[] }).params?.map(({ field, rule }) => `${field} ${rule}`);

beforeEach(async () => {
  await app.db.deleteFrom('base_map').where('id', '>', 2).execute();
  await app.db.updateTable('base_map').set({ is_default: false }).execute();
  asked = [];
  answer = picture;
  ground = false;
});

describe('settings', () => {
  test('a fresh site has the plain grid; with a demonstration its city, which then is the default', async () => {
    expect(await list()).toMatchObject([{ kind: 'grid', isDefault: true, name: null }]);
    ground = true;
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
    expect(asked.join()).not.toContain('k-1');
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
    expect(asked).toEqual(['/3/5/2.png?tk=k%201']);
    await app.clock.advance(11 * 60_000);
    await tile(map, 3, 5, 2);
    expect(asked).toHaveLength(2);
  });

  test('what the pyramid or the service does not have is 404', async () => {
    const { body: map } = await create({ address: `${base}/{z}/{x}/{y}`, minZoom: 2, maxZoom: 4 });
    answer = say(404, 'no');
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
    expect(asked).toEqual(['/3/1/1']);
  });

  test('a service that refuses is 502 with the reason; one that is silent is left alone for a while', async () => {
    const { body: map } = await create({ address: `${base}/{z}/{x}/{y}` });
    answer = say(403, 'bad key');
    expect(await tile(map, 1, 0, 0)).toMatchObject({ status: 502, body: { code: 3901, reason: 'keyRefused' } });
    answer = (request) => void request.socket.destroy();
    expect(await tile(map, 1, 0, 1)).toMatchObject({ status: 502, body: { reason: 'network' } });
    const before = asked.length;
    expect(await tile(map, 1, 1, 1)).toMatchObject({ status: 502, body: { reason: 'network' } });
    expect(asked).toHaveLength(before);
    answer = picture;
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
            hasGround: () => ground,
          }),
        ),
    });
    answer = picture;
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
      expect(asked).toEqual([]);
    },
  );

  test('a redirect leads nowhere else, and not round in circles', async () => {
    answer = (request, response) =>
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
    answer = say(status, body);
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

describe('PMTiles', () => {
  const upload = (bytes: Buffer) =>
    app.call<{ name: string; format: string }>('/api/v1/base-map-files?name=city.pmtiles', {
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    });

  test('an uploaded archive gives its tiles, and goes with its base map', async () => {
    const { status, body: file } = await upload(archive);
    expect([status, file]).toMatchObject([
      201,
      { format: 'raster', minZoom: 0, maxZoom: 1, fileName: 'city.pmtiles', attribution: '© Test & Co' },
    ]);
    const { body: map } = await create({ kind: 'pmtiles', file: file.name });
    expect(map).toMatchObject({ format: 'raster', minZoom: 0, maxZoom: 1, attribution: '© Test & Co' });
    expect((await tile(map, 0, 0, 0)).bytes.equals(png)).toBe(true);
    expect((await tile(map, 1, 1, 1)).status).toBe(404);
    expect((await ask({ id: map.id, zoom: 0 })).layers[0]).toMatchObject({ problem: null, address: null, width: 256 });
    expect((await app.call(`/api/v1/base-maps/${map.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await files.slice(file.name, 0, 7)).toBeUndefined();
  });

  const other = (n: number) => smallArchive(Buffer.concat([png, Buffer.alloc(n)]));
  const known = async () => (await app.db.selectFrom('base_map_file').select('name').execute()).map(({ name }) => name);
  /** Until a request is over, or waits for what this transaction holds. */
  const settledOrWaiting = async (request: Promise<unknown>) => {
    let over = false;
    void request.finally(() => {
      over = true;
    });
    await expect
      .poll(
        async () =>
          over ||
          (
            await sql`SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
              WHERE d.datname = current_database() AND NOT l.granted`.execute(app.db)
          ).rows.length > 0,
        { timeout: 20_000 },
      )
      .toBe(true);
  };

  test('what others have just uploaded stays when a base map changes its archive or goes', async () => {
    const { body: one } = await upload(other(1));
    const { body: two } = await upload(other(2));
    const { body: fresh } = await upload(other(3));
    const { body: map } = await create({ kind: 'pmtiles', file: one.name });
    await patch(map.id, { file: two.name });
    expect(await known()).toEqual(expect.arrayContaining([two.name, fresh.name]));
    expect([await files.has(one.name), await files.has(fresh.name)]).toEqual([false, true]);
    await app.call(`/api/v1/base-maps/${map.id}`, { method: 'DELETE' });
    expect([await files.has(two.name), await files.has(fresh.name)]).toEqual([false, true]);
    expect((await create({ kind: 'pmtiles', file: fresh.name })).status).toBe(201);
  });

  test('an upload forgets no archive that a base map is just being made of', async () => {
    const { body: old } = await upload(other(4));
    await app.db
      .updateTable('base_map_file')
      .set({ created_at: new Date(0) })
      .where('name', '=', old.name)
      .execute();
    const coming = await app.db.transaction().execute(async (tx) => {
      await lockAll(tx);
      await insert(tx, 'pmtiles', { name: '乙', file: old.name });
      const request = upload(other(5));
      await settledOrWaiting(request);
      return { request };
    });
    expect((await coming.request).status).toBe(201);
    expect(await known()).toContain(old.name);
    expect(await files.has(old.name)).toBe(true);
  });

  test('an upload whose bytes somebody takes away meanwhile leaves no row without them', async () => {
    const bytes = other(6);
    const name = createHash('sha256').update(bytes).digest('hex');
    const coming = await app.db.transaction().execute(async (tx) => {
      await lockFile(tx, name);
      const request = upload(bytes);
      await settledOrWaiting(request);
      await files.remove(name);
      return { request };
    });
    expect((await coming.request).status).toBe(500);
    expect(await known()).not.toContain(name);
  });

  test('an address is read by ranges; one that gives none is refused', async () => {
    answer = (request, response) => {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
      response.writeHead(206).end(archive.subarray(Number(from), Number(to) + 1));
    };
    const { body: map } = await create({ kind: 'pmtiles', address: `${base}/city.pmtiles` });
    expect((await tile(map, 0, 0, 0)).bytes.equals(png)).toBe(true);
    answer = (_request, response) => void response.writeHead(200).end(Buffer.concat([archive, Buffer.alloc(40_000)]));
    const reply = await create({ kind: 'pmtiles', address: `${base}/other.pmtiles` });
    expect([reply.status, fields(reply)]).toEqual([400, ['address invalid']]);
  });

  test.each([
    ['a picture', png],
    ['nothing', Buffer.alloc(0)],
    ['version 2', Buffer.concat([Buffer.from('PMTiles'), Buffer.from([2]), Buffer.alloc(200)])],
    ['a torn archive', archive.subarray(0, 130)],
  ])('%s is refused', async (_name, bytes) => {
    const reply = await upload(bytes);
    expect([reply.status, (reply.body as { code?: number }).code]).toEqual([400, 3902]);
  });
});

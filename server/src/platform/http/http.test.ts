import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import { Id, Nullable, route, specified, type Access, type RouteLimits } from '../../../../contract/route.ts';
import { apiDocsRoutes } from '../../shell/api-docs/index.ts';
import { testApp } from '../../testing/app.ts';
import { bind, refuse, texts, type Binding } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-console-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'assets'));
for (const [name, text] of Object.entries({
  'index.html': 'console',
  'sign-in.html': 'sign-in',
  'assets/app-1a2b.js': 'x'.repeat(3000),
  'assets/app-1a2b.js.br': 'packed',
  'icon.svg': '<svg/>',
}))
  writeFileSync(join(folder, name), text);

const Body = Type.Object({
  count: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 10 }))),
  name: Type.String({ minLength: 1, maxLength: 5 }),
  on: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
  place: Type.Optional(Type.Object({ x: Type.Number() })),
  ids: Type.Optional(Type.Array(Type.Integer())),
  free: Type.Optional(Type.Unknown()),
  things: Type.Optional(Type.Array(Id)),
});
const anything = Type.Unknown();
const shape = { tag: 'test', summary: 'For this test.', reply: anything } as const;
const ours = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/things',
  access: 'lamp.control',
  action: 'thing.change',
  areaScoped: true,
  body: Body,
});
const fixed = specified({
  ...shape,
  method: 'POST',
  path: '/api/fixed',
  access: 'session',
  action: 'thing.change',
  body: Body,
});
const listed = route({
  ...shape,
  method: 'GET',
  path: '/api/v1/things',
  access: 'lamp.monitor',
  areaScoped: true,
  query: Type.Object({ ids: Type.Optional(Type.Array(Type.Integer())), state: Type.Optional(Type.String()) }),
});
const one = route({
  ...shape,
  method: 'GET',
  path: '/api/v1/things/:id',
  access: 'session',
  params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
});
const limited = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/limited',
  access: 'lamp.control',
  action: 'thing.change',
  body: Body,
});
const changing = route({
  ...shape,
  method: 'PUT',
  path: '/api/v1/changing',
  access: 'session',
  action: 'thing.change',
  body: Type.Object({
    password: Type.String(),
    nested: Type.Object({ newPassword: Type.String(), picture: Type.String() }),
    fail: Type.Optional(Type.Boolean()),
  }),
});
const crossing = route({
  ...shape,
  method: 'PUT',
  path: '/api/v1/crossing',
  access: 'session',
  action: 'thing.change',
  body: Type.Object({ first: Type.String(), second: Type.String() }),
});
const broken = route({ ...shape, method: 'GET', path: '/api/v1/broken', access: 'public' });
const slow = route({ ...shape, method: 'GET', path: '/api/v1/slow', access: 'public' });
const download = route({
  ...shape,
  method: 'GET',
  path: '/api/v1/file',
  access: 'public',
  replyKind: 'file',
  sends: ['text/csv'],
});

/** Both have their first row before either asks for its second. */
const [bothBegun, begun] = [Promise.withResolvers<void>(), new Set<string>()];
const routes: Binding[] = [
  bind(
    crossing,
    ({ body: { first, second } }, ctx) =>
      ctx.change({ action: 'thing.cross' }, async (tx) => {
        await tx.updateTable('setting').set({ value: second }).where('name', '=', first).execute();
        if (begun.add(first).size === 2) bothBegun.resolve();
        await bothBegun.promise;
        await tx.updateTable('setting').set({ value: first }).where('name', '=', second).execute();
        return null;
      }),
    { rules: 'none' },
  ),
  bind(ours, (input, ctx) => ({ ...input, workAreaId: ctx.caller.workAreaId }), { rules: 'none' }),
  bind(
    fixed,
    (input, ctx) => ({
      ...input,
      workAreaId: ctx.caller.workAreaId,
      timezoneOffset: ctx.timezoneOffset,
      language: ctx.language,
    }),
    { rules: 'none' },
  ),
  bind(listed, (input) => input),
  bind(one, () => {
    throw refuse('notFound');
  }),
  bind(limited, () => null, { limit: () => Promise.resolve(17), rules: 'none' }),
  bind(
    changing,
    ({ body }, ctx) =>
      ctx.change({ action: 'thing.change' }, async (tx) => {
        await tx.insertInto('setting').values({ name: 'changed', value: '1' }).execute();
        if (body.fail) throw refuse('changedMeanwhile');
        return 'done';
      }),
    { rules: 'none' },
  ),
  bind(broken, () => {
    throw new Error('SELECT secret FROM /etc/passwd');
  }),
  bind(slow, () => {
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  }),
  bind(download, () => ({ name: '灯 "1".csv', type: 'text/csv', content: Buffer.from('x') })),
];
const app = await testApp({
  routes: () => [...routes, ...apiDocsRoutes(routes, { demo: false })],
  logLevel: 'silent',
  consoleFolder: folder,
  config: { allowedOrigins: ['https://other.example'], trustedProxies: ['10.0.0.1'] },
});
const { token: weak } = await app.signIn({ username: 'weak' });
const { token: scoped } = await app.signIn({
  username: 'scoped',
  permissions: ['lamp.control', 'lamp.monitor'],
  workAreas: [1],
});
const good = { name: 'lamp' };
const en = { 'accept-language': 'en' };

describe('order of refusals', () => {
  const bad = { name: '', nonsense: 1 };
  test.each([
    ['429 before everything', limited.path, { token: null, body: bad }, 429],
    ['401 before a missing code and bad input', ours.path, { token: null, body: bad }, 401],
    ['401 for an ended session', ours.path, { token: 'Bearer nothing', body: bad }, 401],
    ['403 for a missing code before bad input', ours.path, { token: weak, body: bad, workAreaId: 9 }, 403],
    ['400 before the foreign area', ours.path, { token: scoped, body: bad, workAreaId: 9 }, 400],
    ['403 for the foreign area', ours.path, { token: scoped, body: good, workAreaId: 9 }, 403],
    ['403 for an area that does not exist, for an administrator too', ours.path, { body: good, workAreaId: 9 }, 403],
    ['400 for a path that is no id', '/api/v1/things/abc', {}, 400],
    ['404 for the thing itself', '/api/v1/things/5', {}, 404],
    ['404 for an unknown call', '/api/v1/nothing', {}, 404],
    ['405 for a method a path does not offer', '/api/v1/things/5', { method: 'DELETE' as const }, 405],
    ['400 for a body that is no JSON', ours.path, { body: '{', headers: { 'content-type': 'application/json' } }, 400],
    [
      '400 for a poisoned body',
      ours.path,
      { body: '{"__proto__": {"x": 1}, "name": "lamp"}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['413 for a body that is too large', ours.path, { body: { name: 'x'.repeat(4_000_000) } }, 413],
    ['415 for a body that is neither', ours.path, { body: '<a/>', headers: { 'content-type': 'text/xml' } }, 415],
    [
      '415 for a form where none is expected',
      ours.path,
      { body: 'name=lamp', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
    ],
  ])('%s', async (_name, path, options, status) => {
    const reply = await app.call(path, options);
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(Object.keys(reply.body)).toEqual(
      expect.arrayContaining([
        'type',
        'title',
        'status',
        'detail',
        'path',
        'message',
        'msg',
        'code',
        'params',
        'requestId',
      ]),
    );
    expect(reply.body).toMatchObject({ status, path, requestId: reply.headers['x-request-id'] });
  });

  test('429 says when to come back, 405 what is offered', async () => {
    expect((await app.call(limited.path, { body: good })).headers['retry-after']).toBe('17');
    expect((await app.call('/api/v1/things/5', { method: 'DELETE' })).headers['allow']).toBe('GET');
  });

  test('what the database ended because it took too long is a 503 that says so', async () => {
    expect(await app.call('/api/v1/slow', { headers: en })).toMatchObject({
      status: 503,
      body: { code: 1903, title: 'The answer took too long' },
    });
  });

  test('a bug is a 500 that tells nothing but its request id', async () => {
    const reply = await app.call('/api/v1/broken');
    expect(reply).toMatchObject({ status: 500, body: { code: 1901 } });
    expect(JSON.stringify(reply.body)).not.toMatch(/secret|passwd|Error/);
  });
});

describe('input', () => {
  test('every offending field is named at once, by its name on the wire', async () => {
    const reply = await app.call<{ params: { field: string; rule: string; message: string }[] }>(ours.path, {
      headers: en,
      body: { count: 11, on: 'maybe', kind: 'c', place: { y: 1 }, ids: [1, 'x'], __extra: 1 },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.params.map(({ field, rule }) => `${field} ${rule}`).toSorted()).toEqual([
      '__extra unknownField',
      'count maximum',
      'ids.1 type',
      'kind enum',
      'name required',
      'on type',
      'place.x required',
      'place.y unknownField',
    ]);
    expect(reply.body.params.find(({ field }) => field === 'count')?.message).toBe('At most 10');
  });

  test('in JSON of ours a value of another type is refused by its name; only ids may be decimal text, and null stays null', async () => {
    const reply = await app.call<{ params: { field: string; rule: string }[] }>(ours.path, {
      body: { name: 12, count: '7', on: '1', kind: ['a'], place: { x: '1.5' }, ids: 3, things: ['1', 2, '1.5', true] },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.params.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'name type',
      'count type',
      'on type',
      'kind enum',
      'place.x type',
      'ids type',
      'things.2 type',
      'things.3 type',
    ]);
    const right = { name: '12', count: null, things: ['1', 2, '9007199254740991'] };
    expect((await app.call<{ body: unknown }>(ours.path, { body: right })).body.body).toEqual({
      ...right,
      things: [1, 2, Number.MAX_SAFE_INTEGER],
    });
  });

  test.each([
    [
      { name: 'lamp', count: '7', on: '1', kind: 'a', place: { x: '1.5' }, ids: ['1', 2] },
      { name: 'lamp', count: 7, on: true, kind: 'a', place: { x: 1.5 }, ids: [1, 2] },
    ],
    [
      { name: 12, count: null },
      { name: '12', count: null },
    ],
  ])('in a fixed call text becomes what the field is, null stays null: %j', async (body, expected) => {
    expect((await app.call<{ body: unknown }>(fixed.path, { body })).body.body).toEqual(expected);
  });

  test('a fixed call ignores fields it does not offer, form-encoded or not', async () => {
    const expected = { name: 'lamp', count: 3 };
    expect(
      (await app.call<{ body: unknown }>(fixed.path, { body: { ...expected, nonsense: 1, place: undefined } })).body
        .body,
    ).toEqual(expected);
    expect(
      (
        await app.call<{ body: unknown }>(fixed.path, {
          body: 'name=lamp&count=3&nonsense=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      ).body.body,
    ).toEqual(expected);
  });

  test.each([
    ['?ids=3', { ids: [3] }],
    ['?ids=3&ids=4&state=', { ids: [3, 4] }],
    ['?state=on', { state: 'on' }],
  ])('a query %s', async (query, expected) => {
    expect((await app.call<{ query: unknown }>(`${listed.path}${query}`)).body.query).toEqual(expected);
  });

  test.each([
    ['NUL', { name: 'a\u0000b' }, 'name'],
    ['half a character', { name: 'a\ud800' }, 'name'],
    ['NUL in a free field', { name: 'a', free: { x: ['\u0000'] } }, 'free.x.0'],
    ['NUL in a name', { name: 'a', free: { 'x\u0000': 1 } }, 'free'],
  ])('a text that no database keeps is refused by its field: %s', async (_name, body, field) => {
    expect(await app.call(ours.path, { body, headers: { 'content-type': 'application/json' } })).toMatchObject({
      status: 400,
      body: { params: [{ field, rule: 'invalid' }] },
    });
  });

  test.each(['?nonsense=1', '?__proto__=1', '?ids=x', '?state=%00'])('a query %s is refused', async (query) => {
    expect((await app.call(`${listed.path}${query}`)).status).toBe(400);
  });
});

describe('headers', () => {
  test.each(['undefined', 'null', ' ', ''])('%j counts as absent', async (value) => {
    expect((await app.call(ours.path, { body: good, token: value })).body).toMatchObject({ code: 1101 });
    const reply = await app.call(ours.path, { body: good, headers: { workid: value, timezoneoffset: value } });
    expect(reply.body).toMatchObject({ workAreaId: null });
  });

  test('the work area is in force on the calls it limits, and only there', async () => {
    expect((await app.call(ours.path, { body: good, token: scoped, workAreaId: 1 })).body).toMatchObject({
      workAreaId: 1,
    });
    expect(await app.call(ours.path, { body: good, token: scoped, headers: { workid: 'x' } })).toMatchObject({
      status: 400,
      body: { params: [{ field: 'workid' }] },
    });
    expect(
      (await app.call(fixed.path, { body: good, token: scoped, workAreaId: 9, headers: { timezoneoffset: '-420' } }))
        .body,
    ).toMatchObject({ workAreaId: null, timezoneOffset: -420 });
  });

  test.each([
    ['', 'zh-CN'],
    ['en-GB,en;q=0.8', 'en-US'],
    ['de, fr;q=0.5, ja;q=0.9', 'ja-JP'],
    ['zh-HK', 'zh-TW'],
    ['zh_TW', 'zh-TW'],
    ['zh-Hans', 'zh-CN'],
    ['ko', 'ko-KR'],
    ['xx', 'zh-CN'],
    ['fr;q=0, ko', 'ko-KR'],
  ])('Accept-Language %j is %s', async (header, language) => {
    expect((await app.call(fixed.path, { body: good, headers: { 'accept-language': header } })).body).toMatchObject({
      language,
    });
  });

  test('every answer forbids inline and foreign script, framing, sniffing and referrers', async () => {
    const kinds = [
      '/',
      '/login',
      '/icon.svg',
      '/assets/app-1a2b.js',
      '/assets/none.js',
      '/%',
      '/healthz',
      '/readyz',
      '/api/docs',
      '/api/v1/none',
      '/api/v1/things',
      '/api/v1/broken',
      '/api/v1/file',
      '/api/v1/slow',
    ];
    for (const path of kinds) {
      const { headers } = await app.call(path, { token: null });
      expect(headers, path).toMatchObject({
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
      expect(headers['cache-control'], path).toMatch(
        path.startsWith('/assets/app') ? /immutable/ : /^no-(store|cache)$/,
      );
      expect(headers['strict-transport-security'], path).toBeUndefined();
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).toMatch(/script-src 'self';/);
    }
  });

  test('only allowed origins may read answers', async () => {
    const allowed = await app.call(listed.path, { headers: { origin: 'https://other.example' } });
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://other.example',
      'access-control-expose-headers': expect.stringContaining('Authorization, Content-Disposition'),
    });
    expect(
      (await app.call(listed.path, { headers: { origin: 'https://evil.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
    const preflight = await app.app.inject({
      method: 'OPTIONS',
      url: listed.path,
      headers: {
        origin: 'https://other.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,workid',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization,workid');
  });

  test('a file carries its name', async () => {
    expect((await app.call('/api/v1/file')).headers['content-disposition']).toBe(
      `attachment; filename="___1_.csv"; filename*=UTF-8''${encodeURIComponent('灯 "1".csv')}`,
    );
  });
});

describe('a name that stands in two parts of a request', () => {
  test('what the body needs and the query does not know is named once, as needed', async () => {
    const reply = await app.call<{ params: { field: string; rule: string }[] }>(
      `${changing.path}?password=x&strange=1`,
      { method: 'PUT', body: { nested: { newPassword: 'x', picture: 'x' } } },
    );
    expect(reply.body.params.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'password required',
      'strange unknownField',
    ]);
  });
});

describe('the operation log', () => {
  const secrets = {
    password: 'topsecret',
    nested: { newPassword: 'topsecret', picture: `data:image/png;base64,${'A'.repeat(5000)}` },
  };
  const rows = () =>
    app.db
      .selectFrom('operation_log')
      .select(['username', 'uri', 'ip', 'params', 'message', 'status', 'times'])
      .orderBy('id')
      .execute();

  test('a change leaves one row, in its transaction, secrets masked; behind a trusted proxy with the caller’s address', async () => {
    const before = (await rows()).length;
    expect(
      (
        await app.call(changing.path, {
          method: 'PUT',
          body: secrets,
          from: '10.0.0.1',
          headers: { 'x-forwarded-for': '198.51.100.7' },
        })
      ).status,
    ).toBe(200);
    expect((await rows()).slice(before)).toEqual([
      {
        username: 'admin',
        uri: 'PUT /api/v1/changing',
        ip: '198.51.100.7',
        message: 'thing.change',
        status: 200,
        times: 1,
        params: '{"body":{"password":"***","nested":{"newPassword":"***","picture":"[picture, 5022 characters]"}}}',
      },
    ]);
  });

  test('a refused call leaves a row of its own and nothing of the change; who is not trusted cannot name an address', async () => {
    await app.db.deleteFrom('setting').where('name', '=', 'changed').execute();
    const before = (await rows()).length;
    expect(
      (
        await app.call(changing.path, {
          method: 'PUT',
          body: { ...secrets, fail: true },
          from: '10.0.0.2',
          headers: { 'x-forwarded-for': '198.51.100.7' },
        })
      ).status,
    ).toBe(409);
    expect(await app.db.selectFrom('setting').select('name').where('name', '=', 'changed').execute()).toEqual([]);
    expect((await rows()).slice(before)).toMatchObject([
      { username: 'admin', ip: '10.0.0.2', message: 'thing.change changedMeanwhile', status: 409 },
    ]);
    await app.call(ours.path, { token: weak, body: good });
    expect((await rows()).at(-1)).toMatchObject({
      username: 'weak',
      message: 'thing.change missingPermission',
      status: 403,
    });
    await app.call(ours.path, { body: 'not JSON', headers: { 'content-type': 'application/json' } });
    await app.call(ours.path, { body: { ...good, count: 'x' } });
    expect((await rows()).slice(-2).map(({ message }) => message)).toEqual([
      'thing.change malformedBody',
      'thing.change invalidInput',
    ]);
  });

  test('of two changes that wait for each other the one that the database ends is made again: both are done and written once', async () => {
    await app.db
      .insertInto('setting')
      .values(['1', '2'].map((name) => ({ name, value: '0' })))
      .execute();
    const before = (await rows()).length;
    const both = await Promise.all(
      [
        ['1', '2'],
        ['2', '1'],
      ].map(([first, second]) => app.call(crossing.path, { method: 'PUT', body: { first, second } })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await rows()).slice(before).map(({ message }) => message)).toEqual(['thing.cross', 'thing.cross']);
  });

  test('a change whose handler forgot it leaves one all the same; nobody’s calls are one row a minute', async () => {
    await app.call(fixed.path, { body: good });
    expect((await rows()).at(-1)).toMatchObject({ uri: 'POST /api/fixed', message: 'thing.change', status: 200 });
    await app.clock.advance(60_000);
    await app.operations.writeCounted();
    const before = (await rows()).length;
    for (let count = 0; count < 3; count += 1)
      await app.call(fixed.path, { token: null, body: good, from: '10.5.0.1' });
    // They are counted where they cost nothing: neither a row nor a question.
    expect(await app.db.selectFrom('rate_window').selectAll().execute()).toEqual([]);
    await app.operations.writeCounted();
    expect(await rows()).toHaveLength(before);
    await app.clock.advance(60_000);
    await app.operations.writeCounted();
    const row = {
      username: '-',
      ip: '10.5.0.1',
      uri: 'POST /api/fixed',
      message: 'thing.change notSignedIn',
      status: 401,
    };
    await app.call(fixed.path, { token: null, body: good, from: '10.5.0.1' });
    await app.operations.writeCounted('all');
    await app.operations.writeCounted('all');
    expect((await rows()).slice(before)).toMatchObject([
      { ...row, times: 3 },
      { ...row, times: 1 },
    ]);
  });
});

describe('the console', () => {
  test.each([
    ['/', 'console', 'no-cache'],
    ['/home', 'console', 'no-cache'],
    ['/lamp/monitor', 'console', 'no-cache'],
    ['/login', 'sign-in', 'no-cache'],
    ['/login-loading', 'sign-in', 'no-cache'],
    ['/update-password?x=1', 'sign-in', 'no-cache'],
    ['/icon.svg', '<svg/>', 'no-cache'],
  ])('%s', async (path, text, cache) => {
    const reply = await app.app.inject({ url: path });
    expect([reply.statusCode, reply.body, reply.headers['cache-control']]).toEqual([200, text, cache]);
  });

  test('hashed files are kept for ever, and packed where they are', async () => {
    const reply = await app.app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'br' } });
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
    });
    expect(reply.headers['content-type']).toMatch(/javascript/);
    expect(reply.body).toBe('packed');
  });

  test.each(['/assets/gone-1234.js', '/../package.json', '/%2e%2e/package.json', '/api/unknown', '/%'])(
    '%s is no page',
    async (path) => {
      const reply = await app.app.inject({ url: path });
      expect([400, 404]).toContain(reply.statusCode);
      expect(reply.headers['content-type']).toContain('problem+json');
    },
  );
});

describe('what is said', () => {
  test('every error has a code of its own and a text in every language, English and Chinese nowhere else', () => {
    const names = Object.keys(errors) as ErrorName[];
    expect(new Set(names.map((name) => errors[name].code)).size).toBe(names.length);
    for (const language of languages.filter((tag) => tag !== 'zh-CN')) {
      for (const name of names) {
        const [own, chinese] = [texts(language).errors[name], texts('zh-CN').errors[name]];
        expect(own.title, `${language} ${name}`).not.toBe(chinese.title);
        if (language !== 'en-US') expect(own.title, `${language} ${name}`).not.toBe(texts('en-US').errors[name].title);
        const places = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).toSorted();
        expect(places(own.detail), `${language} ${name}`).toEqual(places(chinese.detail));
      }
    }
  });

  test('the description covers every route and is for signed-in accounts outside the demonstration', async () => {
    expect((await app.call('/api/openapi.json', { token: null })).status).toBe(401);
    const { body } = await app.call<{ openapi: string; paths: Record<string, Record<string, unknown>> }>(
      '/api/openapi.json',
    );
    expect(body.openapi).toBe('3.1.0');
    for (const {
      route: { method, path },
    } of routes)
      expect(body.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    expect((await app.call('/api/docs')).headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('a route that does not say what it takes at most does not start', async () => {
    const unlimited = { ...broken, path: '/api/v1/unlimited', limits: undefined as unknown as RouteLimits };
    await expect(testApp({ routes: () => [bind(unlimited, () => null)] })).rejects.toThrow(
      'GET /api/v1/unlimited declares no limits',
    );
    const unhurried = { ...broken, path: '/api/v1/unhurried', limits: { bytes: 1, entries: 1 } };
    await expect(testApp({ routes: () => [bind(unhurried, () => null)] })).rejects.toThrow(
      'GET /api/v1/unhurried declares no limits',
    );
  });

  test('a route that does not say who may call it does not start', async () => {
    const undeclared = { ...broken, path: '/api/v1/undeclared', access: undefined as unknown as Access };
    await expect(testApp({ routes: () => [bind(undeclared, () => null)] })).rejects.toThrow(
      'GET /api/v1/undeclared declares no access',
    );
  });
});

test('health', async () => {
  expect((await app.call('/healthz', { token: null })).status).toBe(200);
  expect((await app.call('/readyz', { token: null })).body).toEqual({ status: 'ready' });
});

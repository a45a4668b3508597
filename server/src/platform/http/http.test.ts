import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import { type Access, type RouteLimits } from '../../../../contract/route.ts';
import { testApp } from '../../testing/app.ts';
import { bind, texts } from './index.ts';
import { servedRoutes } from './testing/routes.ts';

const { ours, fixed, listed, limited, broken, routes, app, weak, scoped, good, en } = await servedRoutes();

test('a refusal for want of a right carries the codes, any of which is enough', async () => {
  const { body } = await app.call(ours.path, { token: weak, body: good });
  expect(body['permissions']).toEqual([ours.access].flat());
  expect((await app.call(ours.path, { token: null, body: good })).body).not.toHaveProperty('permissions');
});

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
        'cross-origin-resource-policy': 'same-origin',
      });
      // A file of the console that is never a document of its own is sent without what only documents heed.
      if (path.startsWith('/assets/app')) {
        expect(headers['x-frame-options']).toBeUndefined();
        expect(headers['content-security-policy']).toBeUndefined();
        expect(headers['cache-control']).toMatch(/immutable/);
        continue;
      }
      expect(headers, path).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      });
      expect(headers['cache-control'], path).toMatch(/^no-(store|cache)$/);
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

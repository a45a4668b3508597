import { request, type IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Id, route, specified } from '../../../../contract/route.ts';
import { testApp } from '../../testing/app.ts';
import { bind, type Binding } from './index.ts';
import { createPublicRates } from './public-rates.ts';

const shape = { tag: 'test', summary: 'For this test.', reply: Type.Unknown() } as const;
const open = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/open',
  access: 'public',
  logged: false,
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
});
const seldom = route({ ...shape, method: 'GET', path: '/api/v1/seldom', access: 'public', limits: { perMinute: 3 } });
const ours = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/ours',
  access: 'session',
  logged: false,
  limits: { bytes: 100_000, entries: 50 },
  query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 10 })) }),
  body: Type.Object({ free: Type.Optional(Type.Unknown()), ids: Type.Optional(Type.Array(Id)) }),
});
const many = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/many',
  access: 'session',
  logged: false,
  limits: { bytes: 300_000, entries: 20_000 },
  body: Type.Object({ ids: Type.Array(Type.Union([Type.Object({ id: Id }), Id]), { maxItems: 10_000 }) }),
});
const form = specified({
  ...shape,
  method: 'POST',
  path: '/api/form',
  access: 'session',
  logged: false,
  encoding: 'form',
  limits: { entries: 50 },
  body: Type.Object({ name: Type.Optional(Type.String({ maxLength: 10 })) }),
});
const file = route({
  ...shape,
  method: 'POST',
  path: '/api/v1/files',
  access: 'session',
  logged: false,
  encoding: 'bytes',
  limits: { bytes: 1000 },
});
let kept = 0;
const routes: Binding[] = [
  bind(open, () => 'open', { rules: 'none' }),
  bind(seldom, () => 'seldom'),
  bind(ours, () => 'ours', { rules: 'none' }),
  bind(many, ({ body }) => body.ids.length, { rules: 'none' }),
  bind(form, () => 'form', { rules: 'none' }),
  bind(file, async (_input, { upload }) => {
    for await (const chunk of upload ?? []) kept += chunk.length;
    return kept;
  }),
];
const app = await testApp({ routes: () => routes, logLevel: 'silent' });
const json = { 'content-type': 'application/json' };
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
const en = { 'accept-language': 'en' };

describe('a body', () => {
  test('of a public route has at most 16 KiB, of others what the route says; the refusal names it', async () => {
    const large = await app.call(open.path, { token: null, headers: en, body: { token: 'x'.repeat(17_000) } });
    expect(large).toMatchObject({ status: 413, body: { code: 1402, detail: 'This call takes at most 16 KiB.' } });
    expect((await app.call(open.path, { token: null, body: { token: 'x' } })).status).toBe(200);
    expect((await app.call(ours.path, { body: { free: 'x'.repeat(90_000) } })).status).toBe(200);
    expect((await app.call(ours.path, { body: { free: 'x'.repeat(110_000) } })).status).toBe(413);
  });

  test('that is far too large is refused in words that who is still sending reads, on a connection that stays', async () => {
    const address = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const length = 10_000_000;
    const headers = { ...json, authorization: app.adminToken, 'content-length': length, expect: '100-continue' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(new URL(ours.path, address), { method: 'POST', headers }, resolve);
      call.on('error', reject);
      call.on('continue', () => call.end(Buffer.alloc(length, 'x')));
    });
    const text = (await answer.toArray()).join('');
    // It is not the server who ends the connection: it reads what is still sent.
    expect(answer).toMatchObject({ statusCode: 413, headers: { 'content-type': expect.stringContaining('problem') } });
    expect([answer.headers.connection, text]).toEqual([undefined, expect.stringContaining('98 KiB')]);
  });

  test.each([
    ['fields', JSON.stringify({ ...fields(60) })],
    ['fields of fields', JSON.stringify({ free: { a: { ...fields(60) } } })],
    ['list entries', JSON.stringify({ free: Array(60).fill(1) })],
    ['empty lists', JSON.stringify({ free: Array.from({ length: 30 }, () => []) })],
    ['what is no JSON', `{"free":[${'1,'.repeat(60)}`],
  ])('with too many %s is refused before it is read, by how many are allowed', async (_name, body) => {
    expect(await app.call(ours.path, { headers: { ...json, ...en }, body })).toMatchObject({
      status: 400,
      body: { code: 1003, detail: 'At most 50 fields and list entries are allowed here.' },
    });
  });

  test.each([
    ['signs within texts count for nothing', { free: '{[,'.repeat(500) }],
    ['quotes within texts either', { free: '\\"{,\\\\'.repeat(500) }],
    ['as many as allowed', { free: Array(49).fill(1) }],
  ])('%s', async (_name, body) => {
    expect((await app.call(ours.path, { body })).status).toBe(200);
  });

  test('nested beyond measure is refused', async () => {
    expect(
      await app.call(many.path, {
        headers: { ...json, ...en },
        body: `{"ids":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      }),
    ).toMatchObject({
      status: 400,
      body: { code: 1004, detail: 'At most 40 levels of lists and objects are allowed.' },
    });
  });

  test('with too many different names is refused before it is read; the same ones may come often', async () => {
    const rows = (of: (at: number) => object) =>
      JSON.stringify({ ids: Array.from({ length: 6000 }, (_, at) => of(at)) });
    expect(
      await app.call(many.path, { headers: { ...json, ...en }, body: rows((at) => ({ [`k "${at}`]: 1 })) }),
    ).toMatchObject({
      status: 400,
      body: { code: 1006, detail: 'At most 2000 different names of fields are allowed.' },
    });
    expect(
      (await app.call(many.path, { headers: json, body: rows((at) => ({ id: at + 1 })).replaceAll(':', ' : ') })).body,
    ).toBe(6000);
  });

  test('that is a form is counted as well, and so is a query', async () => {
    const encoded = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await app.call(form.path, { headers: encoded, body: 'name=x&a=1&b=%20+' })).status).toBe(200);
    expect(await app.call(form.path, { headers: encoded, body: 'a=1&'.repeat(60) })).toMatchObject({
      status: 400,
      body: { code: 1003 },
    });
    expect(await app.call(`${ours.path}?${'a=1&'.repeat(600)}`, { body: {} })).toMatchObject({
      status: 400,
      body: { code: 1003 },
    });
  });

  test('is told of at most 200 problems, where nobody has to sign in of 30, and nothing further is looked at', async () => {
    const reply = await app.call<{ params: { field: string }[] }>(many.path, { body: { ids: Array(9000).fill('x') } });
    expect(reply.status).toBe(400);
    expect(reply.body.params).toHaveLength(200);
    expect(reply.body.params.at(-1)?.field).toBe('ids.199');
    expect(
      (await app.call<{ params: object[] }>(open.path, { token: null, body: fields(100) })).body.params,
    ).toHaveLength(30);
  });

  test('that is a file is counted while it comes: nothing beyond its limit reaches the handler', async () => {
    const bytes = { 'content-type': 'application/octet-stream' };
    expect((await app.call(file.path, { headers: bytes, body: Buffer.alloc(900) })).body).toBe(900);
    expect((await app.call(file.path, { headers: bytes, body: Buffer.alloc(1100) })).status).toBe(413);
    expect(
      (
        await app.call(file.path, {
          headers: { ...bytes, 'content-encoding': 'gzip' },
          body: (await import('node:zlib')).gzipSync(Buffer.alloc(1_000_000)),
        })
      ).status,
    ).toBe(413);
    expect(kept).toBe(900);
    expect((await app.call(file.path, { body: { no: 'file' } })).status).toBe(415);
  });
});

describe('a public route', () => {
  test('answers an address so often a minute, then 429 with the time to wait; others are served', async () => {
    const from = (address: string) => app.call(seldom.path, { token: null, from: address });
    const answers = [];
    for (let turn = 0; turn < 5; turn += 1) answers.push(await from('10.9.0.1'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('10.9.0.2')).status).toBe(200);
    await app.clock.advance(60_000);
    expect((await from('10.9.0.1')).status).toBe(200);
  });

  test('counts a whole network of IPv6 as one place, and whoever is new also when many places are counted already', () => {
    const rates = createPublicRates(app.clock, 100);
    const call = (address: string) => rates(seldom, address) > 0;
    for (let network = 0; network < 1000; network += 1) call(`2001:db8:0:${network.toString(16)}::1`);
    expect(['::1', '::2', '::ffff:3', ':4:5:6:7'].map((own) => call(`2001:db8:1:1${own}`))).toEqual([
      false,
      false,
      false,
      true,
    ]);
    // Who called before all of them is forgotten; who still calls is not.
    for (let network = 0; network < 99; network += 1) call(`2001:db8:2:${network.toString(16)}::1`);
    expect([call('2001:db8:1:1::9'), call('2001:db8:2:0::1')]).toEqual([true, false]);
  });

  test('that does not exist is not read at all', async () => {
    expect(
      (await app.call('/api/v1/nowhere', { token: null, headers: json, body: '{'.repeat(5_000_000) })).status,
    ).toBe(404);
    expect(
      (await app.call(open.path, { method: 'PUT', token: null, headers: json, body: '{'.repeat(5_000_000) })).status,
    ).toBe(405);
  });
});

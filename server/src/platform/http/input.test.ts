import { describe, expect, test } from 'vitest';
import { servedRoutes } from './testing/routes.ts';

const { ours, fixed, listed, changing, app, en } = await servedRoutes();

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

import { describe, expect, test } from 'vitest';
import { servedRoutes } from './testing/routes.ts';

const { ours, fixed, changing, crossing, app, weak, good } = await servedRoutes();

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

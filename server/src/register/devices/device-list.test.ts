import { describe, expect, test } from 'vitest';
import { deviceRegister, type Row } from './testing/device-register.ts';

const { app, db, call, place, post, put, problems, given } = await deviceRegister();

describe('the list', () => {
  const codes = async (query: string, more = {}) => {
    const reply = await call<{ data: Row[] }>(`/api/v1/devices?${query}`, more);
    return reply.body.data.map((row) => row['equipmentCode']);
  };
  test('sorts codes naturally, filters by columns, family fields and text, and counts exactly', async () => {
    for (const [code, type] of [
      ['Z-10', 'dali'],
      ['Z-2', 'pwm'],
      ['Z-1', 'dali'],
    ])
      await given.lamp({ equipmentCode: code, type, equipmentName: '100%_a', roadId: place.road });
    expect(await codes('family=single-lamp-controller&q=Z-')).toEqual(['Z-1', 'Z-2', 'Z-10']);
    expect(await codes('family=single-lamp-controller&q=Z-&sort=equipmentCode,desc')).toEqual(['Z-10', 'Z-2', 'Z-1']);
    expect(await codes('family=single-lamp-controller&q=Z-&type=dali')).toEqual(['Z-1', 'Z-10']);
    expect(await codes('family=single-lamp-controller&q=Z-&type=dali,pwm&sort=type,desc')).toEqual([
      'Z-2',
      'Z-1',
      'Z-10',
    ]);
    expect(await codes(`family=single-lamp-controller&q=100%25_A&roadId=${place.road}&size=2&page=2`)).toEqual([
      'Z-10',
    ]);
    expect(await codes('family=single-lamp-controller&q=Z-&online=true')).toEqual([]);
    expect((await call('/api/v1/devices?family=single-lamp-controller&q=Z-&size=1')).body).toMatchObject({
      recordsTotal: 3,
    });
    expect(await codes('family=single-lamp-controller&q=Z-&status=disabled')).toEqual([]);
  });
  test('sorts, finds and keeps codes in letters of any script as they were written, with brackets and spaces', async () => {
    const written = ['กขค (2)', 'กขค (12)', '강남-2', '강남-12', 'Λ-7 (β)', 'Λ-10 (α)', 'Ж-3', 'ז-4 (א)'];
    for (const equipmentCode of written.toReversed()) await given.lamp({ equipmentCode, equipmentName: '字母' });
    const sorted = await codes(`family=single-lamp-controller&q=${encodeURIComponent('字母')}`);
    expect(sorted.toSorted()).toEqual(written.toSorted());
    for (const [first, then] of [
      ['กขค (2)', 'กขค (12)'],
      ['강남-2', '강남-12'],
      ['Λ-7 (β)', 'Λ-10 (α)'],
    ])
      expect(sorted.indexOf(first)).toBe(sorted.indexOf(then) - 1);
    for (const code of written)
      expect(await codes(`family=single-lamp-controller&q=${encodeURIComponent(code)}`)).toEqual([code]);
    expect(await codes(`family=single-lamp-controller&q=${encodeURIComponent('λ-7 (Β)')}`)).toEqual(['Λ-7 (β)']);
  });
  test('every sort its catalogue allows works; unknown filters and sorts are refused by name', async () => {
    const { body } = await call<{
      data: { key: string; fields: { key: string; sort: boolean }[]; quantities: { key: string; kind: string }[] }[];
    }>('/api/v1/families');
    for (const family of body.data) {
      const sorts = [
        ...family.fields.filter((f) => f.sort).map((f) => f.key),
        ...family.quantities.filter((q) => q.kind === 'number').map((q) => `latest.${q.key}`),
        'isOnline',
        'updateTime',
        'state',
        'id',
      ];
      for (const sort of sorts)
        expect(
          (await call(`/api/v1/devices?family=${family.key}&sort=${sort},desc`)).status,
          `${family.key} ${sort}`,
        ).toBe(200);
    }
    expect(problems(await call('/api/v1/devices?sort=password,asc'))).toEqual(['sort:option']);
    expect(problems(await call('/api/v1/devices?family=lamp-pole&nonsense=1'))).toEqual(['nonsense:unknown']);
    expect(problems(await call('/api/v1/devices?family=lamp-pole&workId=abc'))).toEqual(['workId:type']);
    expect((await call('/api/v1/devices?size=1001')).status).toBe(400);
  });
  test('shows only the caller’s work areas and bound devices, and the area in the header narrows it', async () => {
    const mine = await given.lamp({ equipmentCode: 'scope-n' });
    const theirs = await given.lamp({ equipmentCode: 'scope-s', workId: place.south });
    const bound = await given.lamp({ equipmentCode: 'scope-b', workId: place.south });
    const { accountId, token } = await app.signIn({
      username: 'north',
      permissions: ['device.query', 'device.add', 'device.edit', 'device.del', 'device.credentials'],
      workAreas: [place.north],
    });
    await db.insertInto('device_account').values({ account_id: accountId, device_id: bound.id }).execute();
    expect(await codes('q=scope-', { token })).toEqual(['scope-b', 'scope-n']);
    expect(await codes('q=scope-', { token, workAreaId: place.north })).toEqual(['scope-n']);
    expect(await codes('q=scope-', { workAreaId: place.south })).toEqual(['scope-b', 'scope-s']);
    expect((await call('/api/v1/devices', { token, workAreaId: place.south })).status).toBe(403);
    for (const path of ['', '/uses', '/readings'])
      expect((await call(`/api/v1/devices/${theirs.id}${path}`, { token })).status).toBe(403);
    expect((await call(`/api/v1/devices/${theirs.id}`, { token, method: 'DELETE' })).status).toBe(403);
    expect((await call(`/api/v1/devices/${theirs.id}/credentials`, { token, method: 'POST' })).status).toBe(403);
    expect((await put(theirs.id, { rmark: 'x' }, { token })).status).toBe(403);
    expect((await put(mine.id, { workId: place.south }, { token })).status).toBe(403);
    expect(
      (
        await post(
          { family: 'single-lamp-controller', equipmentCode: 'n', equipmentName: 'x', workId: place.south },
          { token },
        )
      ).status,
    ).toBe(403);
    expect((await call('/api/v1/devices', { token: (await app.signIn({ username: 'nobody' })).token })).status).toBe(
      403,
    );
    expect((await call('/api/v1/devices', { token: null })).status).toBe(401);
  });
});

describe('readings', () => {
  test('come by device time within a bounded span, only the quantities asked for', async () => {
    const lamp = await given.lamp();
    const at = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000);
    await db
      .insertInto('reading')
      .values(
        [60, 30].map((minutes) => ({
          at: at(minutes),
          device_id: lamp.id,
          received_at: at(0),
          values: { power: minutes, level: 60 },
          quality: minutes === 30 ? 3 : 0,
        })),
      )
      .execute()
      .catch(async () => {
        await app.database.pool.query('CREATE TABLE reading_test PARTITION OF reading DEFAULT');
        for (const minutes of [60, 30])
          await db
            .insertInto('reading')
            .values({
              at: at(minutes),
              device_id: lamp.id,
              received_at: at(0),
              values: { power: minutes, level: 60 },
              quality: minutes === 30 ? 3 : 0,
            })
            .execute();
      });
    const reply = await call<{ data: unknown[] }>(`/api/v1/devices/${lamp.id}/readings?quantities=power`);
    expect(reply.body).toEqual({
      data: [
        { at: at(60).toISOString(), quality: 'measured', values: { power: 60 } },
        { at: at(30).toISOString(), quality: 'invalid', values: { power: 30 } },
      ],
      truncated: false,
    });
    expect((await call(`/api/v1/devices/${lamp.id}/readings?from=2020-01-01T00:00:00Z`)).status).toBe(400);
    expect((await call(`/api/v1/devices/${lamp.id}/readings?quantities=nonsense`)).status).toBe(400);
  });
});

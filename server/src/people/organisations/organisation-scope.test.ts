import { describe, expect, test } from 'vitest';
import { organisationsOffice } from './testing/organisations.ts';

const { app, paths, token, zhang, li, north, south, northGroup, southGroup, level, save, move, make } =
  await organisationsOffice();

describe('finding and counting (ours)', () => {
  const find = async (name: string) =>
    (
      await app.call<{ data: { id: number; name: string; path: { name: string }[] }[]; recordsTotal: number }>(
        `/api/v1/organisations?name=${encodeURIComponent(name)}`,
        { token },
      )
    ).body;

  test('by a part of the name, with the way down to it; signs of patterns are letters', async () => {
    const top = await make(0, 0, '城东照明所');
    const below = await make(await make(top, 1, '滨江中队'), 1, '夜班 A_1 组');
    expect(await find('a_1')).toEqual({
      data: [
        {
          id: below,
          name: '夜班 A_1 组',
          path: [
            { id: top, name: '城东照明所' },
            { id: expect.any(Number) as number, name: '滨江中队' },
          ],
        },
      ],
      recordsTotal: 1,
    });
    expect([await find('A%1'), await find('   ')]).toEqual([
      { data: [], recordsTotal: 0 },
      { data: [], recordsTotal: 0 },
    ]);
    expect((await find('城东')).data[0]?.path).toEqual([]);
  });

  test('what lies in one: everybody and every group once, foreign groups not', async () => {
    const top = await make(0, 0, '城西照明所');
    const below = await make(top);
    await save(
      { id: top },
      { cscpUserOrgDTOs: [{ userId: zhang.accountId }], cscpWorkGroupOrgDTOs: [{ groupId: northGroup }] },
    );
    await save(
      { id: below },
      {
        cscpUserOrgDTOs: [{ userId: zhang.accountId }, { userId: li.accountId }],
        cscpWorkGroupOrgDTOs: [{ groupId: northGroup }, { groupId: southGroup }],
      },
    );
    const contents = async (as: string) =>
      (await app.call(`/api/v1/organisations/${top}/contents`, { token: as })).body;
    expect(await contents(token)).toEqual({ id: top, name: '城西照明所', descendants: 1, people: 2, groups: 2 });
    const northern = await app.signIn({ username: 'north3', permissions: ['cscp.org.query'], workAreas: [north] });
    expect(await contents(northern.token)).toMatchObject({ people: 2, groups: 1 });
    expect((await app.call('/api/v1/organisations/999999/contents', { token })).status).toBe(404);
  });
});

describe('rights and data scope (specified 7.8)', () => {
  test('its people see the areas of its groups and of everything below, at once', async () => {
    const seer = await app.signIn({ username: 'seer' });
    const areas = async () => (await app.sessions.authenticate(seer.token, { background: true }))?.workAreas;
    let heard = 0;
    const stop = app.bus.subscribe('rights.changed', () => {
      heard += 1;
    });
    const top = await make();
    const below = await make(top);
    await save({ id: below }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }] });
    await save({ id: top }, { cscpUserOrgDTOs: [{ userId: seer.accountId }] });
    const before = await areas();
    await move([{ id: below, parentId: 0, orderby: 1 }]);
    stop();
    expect([before, await areas(), heard]).toEqual([[south], [], 5]);
  });

  test('who sees one area gives nobody another one: no foreign group, nobody above one, no branch with one elsewhere', async () => {
    const northern = await app.signIn({
      username: 'northern',
      level: 3,
      permissions: ['cscp.org.query', 'cscp.org.edit'],
      workAreas: [north],
    });
    const withSouth = await make();
    await save({ id: withSouth }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }, { groupId: northGroup }] });
    const plain = await make();
    const statuses = [
      (await save({ id: plain }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }] }, northern.token)).status,
      (await save({ id: withSouth }, { cscpUserOrgDTOs: [{ userId: northern.accountId }] }, northern.token)).status,
      (await move([{ id: withSouth, parentId: plain, orderby: 0 }], northern.token)).status,
      (await save({ id: withSouth, parentId: plain }, {}, northern.token)).status,
    ];
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await move([{ id: withSouth, orderby: 4 }], northern.token)).status).toBe(200);
  });

  test('foreign groups are not told, not counted, and stay when the others are replaced', async () => {
    const northern = await app.signIn({
      username: 'north2',
      level: 3,
      permissions: ['cscp.org.query', 'cscp.org.edit'],
      workAreas: [north],
    });
    const id = await make();
    await save({ id }, { cscpWorkGroupOrgDTOs: [{ groupId: southGroup }, { groupId: northGroup }] });
    const seen = await level(0, northern.token);
    expect(seen.cscpWorkGroupOrgDTOs.filter((link) => link['orgId'] === id)).toEqual([
      { groupId: northGroup, orgId: id, groupName: '北巡组' },
    ]);
    expect(seen.cscpOrgDTOs.find((one) => one.id === id)?.groups).toBe(1);
    expect((await save({ id }, { cscpWorkGroupOrgDTOs: [] }, northern.token)).status).toBe(200);
    expect(
      (await level(0)).cscpWorkGroupOrgDTOs.filter((link) => link['orgId'] === id).map((link) => link['groupId']),
    ).toEqual([southGroup]);
  });

  test('looking needs org.query or org.edit, changing org.edit', async () => {
    const looker = await app.signIn({ username: 'looker', permissions: ['cscp.org.query'] });
    expect((await app.call(paths.all, { token: looker.token })).status).toBe(200);
    expect((await save({ orgName: '照明部' }, {}, looker.token)).status).toBe(403);
  });

  test('every change stands in the operation log with its name', async () => {
    const id = await make();
    await save({ id, orgName: '改名组织' });
    await move([{ id, orderby: 8 }]);
    await app.call(paths.remove, { method: 'DELETE', token, body: { cscpOrgDTOs: [{ id }] } });
    const rows = await app.db.selectFrom('operation_log').select('message').orderBy('id', 'desc').limit(4).execute();
    expect(rows.map(({ message }) => message)).toEqual([
      'organisation.delete',
      'organisation.move',
      'organisation.update',
      'organisation.create',
    ]);
  });
});

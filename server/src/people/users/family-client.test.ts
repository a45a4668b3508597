import { beforeAll, expect, test } from 'vitest';
import { signInTestApp, type SignInTestApp } from '../../testing/sign-in.ts';
import { usersRoutes } from './index.ts';

/**
 * A front end of the framework family, played literally: its headers with `undefined` in them, ids as text, roles as
 * text or list, whole objects echoed back with fields nobody offers and dates as numbers, PKCS#1 v1.5 passwords.
 */
let app: SignInTestApp;
let token = '';

beforeAll(async () => {
  app = await signInTestApp({
    routes: (parts) =>
      usersRoutes({
        ...parts,
        openPassword: (text) => app.feature.openPassword(text),
        checkOwnPassword: (...of) => app.feature.checkOwnPassword(...of),
      }),
  });
  const operator = await app.makeAccount({ username: 'family', password: 'Lantern#7x', level: 0 });
  token = await app.sessions.begin({ accountId: operator, remember: false, address: '127.0.0.1', userAgent: 'family' });
});

async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ status: number; body: T }> {
  return app.call<T>(path, {
    method,
    token,
    ...(body === undefined ? {} : { body }),
    headers: {
      'accept-language': 'zh-CN',
      timezoneoffset: 'undefined',
      workid: 'undefined',
      'content-type': 'application/json;charset=UTF-8',
    },
  });
}

test('the user pages work as they are', async () => {
  const roles = await request<{ data: { id: number }[] }>('GET', '/api/tbUsers/getSelect');
  expect(roles.body).toMatchObject({ code: 0, data: { 0: '管理员', 5: 'E' } });

  const made = await request<{ code: number; data: { id: number; password: string } }>('POST', '/api/tbUsers', {
    id: '',
    username: 'chenwei',
    nickname: '',
    roles: ['1'],
    treeLevel: '4',
    createTime: '',
    roleNames: undefined,
  });
  expect(made.body.code).toBe(0);
  const { id } = made.body.data;

  const page = await request<{ code: number; data: Record<string, unknown>[]; recordsTotal: number }>(
    'GET',
    '/api/tbUsers?username=chen&nickname=chen&treeLevel=&sort=user_id&page=1&size=50',
  );
  expect(page.body).toMatchObject({ code: 0, recordsTotal: 1 });
  expect(page.body.data[0]).toMatchObject({ id, username: 'chenwei', roles: '1', roleNames: 'admin', treeLevel: 4 });

  expect(
    (
      await request('PUT', '/api/tbUsers', {
        ...page.body.data[0],
        id: String(id),
        nickname: '陈伟',
        username: undefined,
        roles: '1',
        treeLevel: 4,
      })
    ).body,
  ).toMatchObject({ code: 0 });
  expect((await request('GET', '/api/system/cscpUserExistByUsername?username=chenwei')).body).toMatchObject({
    success: true,
  });

  const detail = await request<Record<string, unknown>>('GET', `/api/system/cscpUserDetailsByUserId?userId=${id}`);
  expect(detail.body).toMatchObject({
    id,
    userId: id,
    username: 'chenwei',
    roleIds: '1',
    familyName: null,
    lastLogin: null,
  });
  const { roleIds: _ids, roleNames: _names, ...echoed } = detail.body;
  const dto = {
    ...echoed,
    roles: ['1'],
    familyName: '陈',
    name: '伟',
    mobile: '13900139000',
    email: 'chen@example.com',
    registerTime: Date.parse(String(detail.body['registerTime'])),
    lastLogin: null,
    version: undefined,
  };
  const wrong = await request<{ detail: string; title: string }>('PUT', '/api/system/cscpUserDetails', {
    cscpUserDetailDTO: dto,
    currentUserPwd: app.encrypt('falsch', 'pkcs1'),
    newPassword: '',
  });
  expect([wrong.status, wrong.body.detail]).toEqual([400, '管理员密码不正确！']);
  const saved = await request('PUT', '/api/system/cscpUserDetails', {
    cscpUserDetailDTO: dto,
    currentUserPwd: app.encrypt('Lantern#7x', 'pkcs1'),
    newPassword: app.encrypt('Laternen_83', 'pkcs1'),
  });
  expect(saved.body).toMatchObject({ familyName: '陈', mobile: '13900139000', roleIds: '1' });

  const second = await request('POST', '/api/cscpUserPids', {
    id: null,
    did: null,
    username: 'chenlei',
    familyName: '陈',
    name: '磊',
    mobile: '13700137000',
    email: 'lei@example.com',
    imgPath: '',
    discTitle: '',
    discDetail: '',
    roles: ['1'],
    currentUserPwd: '',
  });
  expect(second).toMatchObject({ status: 201, body: { treeLevel: 5, username: 'chenlei' } });

  expect((await request('PUT', `/api/tbUsers/replacement/${id}`)).body).toMatchObject({ code: 0, data: { id } });
  expect((await request('DELETE', `/api/tbUsers/${id}`)).body).toMatchObject({ code: 0 });
  expect(
    (await request<{ recordsTotal: number }>('GET', '/api/tbUsers?username=chenwei&nickname=chenwei&page=0&size=50'))
      .body.recordsTotal,
  ).toBe(0);
});

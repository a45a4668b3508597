import { beforeAll, expect, test } from 'vitest';
import { signInTestApp, type SignInTestApp } from '../../testing/sign-in.ts';
import { createLogs, logsRoutes } from '../logs/index.ts';
import { createRoles, rolesRoutes } from '../roles/index.ts';
import type { OpenPassword } from '../sign-in/index.ts';
import { createWorkGroups, workGroupsRoutes } from '../work-groups/index.ts';
import { usersRoutes } from './index.ts';

/**
 * The further names under which clients of the family ask for the same things, and what their pages send and expect.
 */
let app: SignInTestApp;
let token = '';
let other = 0;
let open: OpenPassword = () => undefined;

beforeAll(async () => {
  app = await signInTestApp({
    routes: (parts) => [
      ...usersRoutes({
        ...parts,
        openPassword: (text) => open(text),
        checkOwnPassword: (...of) => app.feature.checkOwnPassword(...of),
      }),
      ...rolesRoutes(createRoles(parts)),
      ...workGroupsRoutes(createWorkGroups(parts)),
      ...logsRoutes(
        createLogs({
          ...parts,
          sheets: {
            stream: () => {
              throw new Error('no sheet is asked for');
            },
            stop: () => Promise.resolve(),
          },
        }),
      ),
    ],
  });
  open = app.feature.openPassword;
  const operator = await app.makeAccount({ username: 'family', password: 'Lantern#7x', level: 0 });
  token = await app.sessions.begin({ accountId: operator, remember: false, address: '127.0.0.1', userAgent: 'family' });
  other = await app.makeAccount({ username: 'lamplady', password: 'Lantern#8x', level: 3 });
});

interface Answer {
  id: number;
  data: Record<string, unknown>[];
  recordsTotal: number;
  detail: string;
  params: { field: string; message: string }[];
}
const request = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  app.call<Answer>(path, { method, token, ...(body === undefined ? {} : { body }), headers: { workid: 'undefined' } });
const person = { familyName: '张', name: '三', mobile: '13800000000', email: 'a@example.com' };

test('every further name does what its twin does, and its row in the log says the same', async () => {
  expect((await request('GET', '/api/system/cscpCurrentUserDetails')).body).toEqual(
    (await request('GET', '/api/tbUsers/tbCurrentUser')).body,
  );
  const made = await request('POST', '/api/system/cscpUserDetails', {
    username: 'aliased',
    ...person,
    roles: '1',
    discTitle: '',
    discDetail: '',
  });
  expect(made).toMatchObject({ status: 201, body: { username: 'aliased' } });
  expect(await request('DELETE', `/api/system/cscpUsers/${made.body.id}`)).toMatchObject({
    status: 200,
    body: { code: 0 },
  });
  expect(
    await request('POST', '/api/system/cscpRoless', { name: '别名', roleExtent: '-', icon: 'md-key' }),
  ).toMatchObject({ status: 200, body: { code: 0 } });
  const group = await request('POST', '/api/system/cscpWorkGroups', {
    groupName: '别名组',
    description: '别名的组',
    userDetail: [{ userId: other }],
    workId: 1,
  });
  expect(group).toMatchObject({ status: 200, body: { success: true } });
  expect((await request('GET', `/api/system/cscpWorkGroups/${group.body.id}`)).body).toMatchObject({
    groupName: '别名组',
  });
  expect(
    await request('PUT', '/api/system/cscpWorkGroups', { id: group.body.id, description: '改过的组' }),
  ).toMatchObject({ status: 200 });
  expect((await request('GET', '/api/system/cscpWorkGroups?page=1&size=10')).body).toMatchObject({ recordsTotal: 1 });
  expect(await request('DELETE', `/api/system/cscpWorkGroups/${group.body.id}`)).toMatchObject({ status: 200 });
  for (const log of ['cscpLogLogins', 'cscpLogOperations']) {
    const [twin, further] = [
      await request('GET', `/api/system/${log}?page=0&size=5`),
      await request('GET', `/api/system/${log}ByCriteria?page=0&size=5`),
    ];
    expect([further.status, further.body]).toEqual([200, twin.body]);
  }
  const rows = await app.db
    .selectFrom('operation_log')
    .select(['uri', 'message'])
    .where('username', '=', 'family')
    .orderBy('id')
    .execute();
  expect(rows.map(({ message }) => message)).toEqual([
    'account.create',
    'account.delete',
    'role.create',
    'workGroup.create',
    'workGroup.update',
    'workGroup.delete',
  ]);
});

test('an encrypted empty new password is none: the edit is stored, and a wrong own password is named', async () => {
  const none = app.encrypt('', 'pkcs1');
  const edit = (currentUserPwd: string, newPassword = none) =>
    request('PUT', '/api/system/cscpUserDetails', {
      cscpUserDetailDTO: { id: other, ...person },
      currentUserPwd: app.encrypt(currentUserPwd, 'pkcs1'),
      newPassword,
    });
  expect(await edit('Lantern#7x')).toMatchObject({ status: 200, body: person });
  expect((await app.login('lamplady', 'Lantern#8x')).status).toBe(200);
  expect(await edit('falsch')).toMatchObject({ status: 400, body: { detail: '管理员密码不正确！' } });
  expect(await edit('')).toMatchObject({ status: 400, body: { detail: '管理员密码不正确！' } });
  expect(await edit('Lantern#7x', app.encrypt('short', 'pkcs1'))).toMatchObject({
    status: 400,
    body: { params: [{ field: 'newPassword' }] },
  });
});

test('the own profile: both passwords encrypted and empty', async () => {
  const none = app.encrypt('', 'pkcs1');
  expect(
    await request('PUT', '/api/system/cscpUserDetails', {
      cscpUserDetailDTO: person,
      currentUserPwd: none,
      newPassword: none,
    }),
  ).toMatchObject({ status: 200, body: person });
});

test('the built-in account, which has no mobile and no e-mail yet, is told by name that both are needed', async () => {
  const { body } = await app.call<Answer>('/api/system/cscpUserDetails', {
    method: 'PUT',
    token: app.adminToken,
    body: {
      cscpUserDetailDTO: { familyName: '张', name: '三', mobile: null, email: null },
      currentUserPwd: '',
      newPassword: '',
    },
  });
  expect(body.params.map(({ field, message }) => [field, message])).toEqual([
    ['mobile', '不能为空'],
    ['email', '不能为空'],
  ]);
});

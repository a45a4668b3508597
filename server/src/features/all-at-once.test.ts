import { expect, test } from 'vitest';
import { createMenuConfiguration, menuConfigurationRoutes } from './menus/index.ts';
import { createOrganisations, organisationsRoutes } from './organisations/index.ts';
import { createRoles, rolesRoutes } from './roles/index.ts';
import { usersRoutes } from './users/index.ts';
import { createWorkGroups, workGroupsRoutes } from './work-groups/index.ts';
import { signInTestApp } from '../testing/sign-in.ts';

/** Whoever fills in a form hears of everything that is wrong with it in one answer: what its shape refuses and what the rules refuse. */
const app = await signInTestApp({
  routes: (parts) => [
    ...usersRoutes({ ...parts, openPassword: () => undefined, checkOwnPassword: () => Promise.reject(new Error('nobody is asked')) }), ...rolesRoutes(createRoles(parts)), ...workGroupsRoutes(createWorkGroups(parts)),
    ...organisationsRoutes(createOrganisations(parts)), ...menuConfigurationRoutes(createMenuConfiguration(parts)),
  ],
});
const other = await app.makeAccount({ username: 'lamplady', password: 'Lantern#8x', level: 3 });

test.each<['POST' | 'PUT', string, object, string[]]>([
  ['POST', '/api/tbUsers', { username: '', treeLevel: 9 }, ['roles required', 'treeLevel maximum', 'username required']],
  ['POST', '/api/tbUsers', { username: 'admin', treeLevel: 'x', roles: [1, 99_999] }, ['roles notFound', 'treeLevel type', 'username taken']],
  ['PUT', '/api/tbUsers', { id: other, nickname: 'x'.repeat(21), treeLevel: -1 }, ['nickname maxLength', 'treeLevel minimum']],
  ['POST', '/api/cscpUserPids', { treeLevel: 9, mobile: '1', roles: '1', username: 'lamplord' }, ['email required', 'familyName required', 'mobile format', 'name required', 'treeLevel maximum']],
  ['PUT', '/api/system/cscpUserDetails', { cscpUserDetailDTO: { id: other, mobile: 'x', email: [], treeLevel: 9 } }, ['cscpUserDetailDTO.email type', 'cscpUserDetailDTO.treeLevel maximum', 'mobile format']],
  ['POST', '/api/cscpRolesCreators', { name: '', parentId: -1, menus: 'x' }, ['menus type', 'name required', 'parentId minimum', 'roleExtent required']],
  ['PUT', '/api/system/cscpRoless', { id: 'x', name: ' ', parentId: 99_999 }, ['id type', 'name required', 'parentId notFound']],
  ['POST', '/api/cscpWorkGroups', { groupName: 'x', workId: 'x', userDetail: [{ userId: 99_999 }] }, ['description required', 'groupName minLength', 'userDetail.0.userId notFound', 'workId type']],
  ['POST', '/api/cscpWorkGroups', { groupName: 'x', description: '三个字', workId: 1, userDetail: [{ userId: 'x' }] }, ['groupName minLength', 'userDetail.0.userId type']],
  ['POST', '/api/system/cscpOrgs/save', { cscpOrgDTOs: [{ orgName: '', orderby: -1 }], cscpUserOrgDTOs: [{ userId: 99_999 }] }, ['cscpOrgDTOs.0.orderby minimum', 'cscpUserOrgDTOs.0.userId notFound', 'orgName required']],
  ['PUT', '/api/system/menu/addMenu', { id: null, parentId: -1, type: 'button', title: '', name: '甲' }, ['name pattern', 'parentId minimum', 'permissionCode required', 'title required']],
  ['POST', '/api/v1/login-appearances', { host: 'a.example', company: 'x', name: ' ', title: 'a', logo: 'no picture', icon: null }, ['company type', 'logo picture', 'name required']],
])('%s %s names the shape and the rules at once, each field once', async (method, path, body, expected) => {
  const reply = await app.call<{ code: number; params: { field: string; rule: string; message: string }[] }>(path, { method, token: app.adminToken, body });
  expect([reply.status, reply.body.code, reply.body.params.map(({ field, rule }) => `${field} ${rule}`).toSorted()]).toEqual([400, 1001, expected]);
  expect(reply.body.params.every(({ message }) => message !== '')).toBe(true);
});

test('who may not change an account hears of its shape alone, and of no other account', async () => {
  const { token } = await app.signIn({ username: 'stranger', level: 5 });
  const reply = await app.call<{ params: { field: string }[] }>('/api/system/cscpUserDetails', { method: 'PUT', token, body: { cscpUserDetailDTO: { id: other, mobile: 'x', treeLevel: 9 } } });
  expect(reply.body.params.map(({ field }) => field)).toEqual(['cscpUserDetailDTO.treeLevel']);
});

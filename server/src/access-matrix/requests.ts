import { byId, type Ask, type Asks } from './ask.ts';
import { plans } from './plan-requests.ts';
import { publications } from './publication-requests.ts';
import { fresh } from './small-things.ts';
import type { Things } from './things.ts';

const account = byId((things) => things.account());
const device = byId((things) => things.device());
const role = byId((things) => things.role());
const command = byId((things) => things.command());
const road =
  (body?: unknown) =>
  async (things: Things): Promise<Ask> => ({
    path: { record: 'road', id: await things.road() },
    ...(body === undefined ? {} : { body }),
  });

const accounts: Asks = {
  'POST /api/tbUsers': async (things) => ({
    body: { username: fresh('u'), roles: [await things.grantableRole()], treeLevel: 5 },
  }),
  'PUT /api/tbUsers': async (things) => ({ body: { id: await things.account(), nickname: 'x' } }),
  'DELETE /api/tbUsers/:id': account,
  'PUT /api/tbUsers/replacement/:id': account,
  'GET /api/system/cscpUserExistByUsername': () => ({ query: { username: 'nobody' } }),
  'GET /api/system/cscpUserDetailsByUserId': async (things) => ({ query: { userId: await things.account() } }),
  'POST /api/cscpUserPids': async (things) => ({
    body: {
      username: fresh('u'),
      familyName: '张',
      name: '三',
      mobile: '13800000000',
      email: 'a@example.com',
      roles: String(await things.grantableRole()),
    },
  }),
  'PUT /api/system/cscpUserDetails': async (things, { password }) => ({
    body: {
      cscpUserDetailDTO: {
        id: await things.account(),
        familyName: '张',
        name: '三',
        mobile: '13800000000',
        email: 'a@example.com',
      },
      currentUserPwd: password,
    },
  }),
  'POST /api/v1/accounts/:id/unlock': account,
  'PUT /api/v1/accounts/:id/disabled': byId((things) => things.account(), { body: { disabled: true } }),
  'GET /api/v1/accounts/:id/sessions': account,
  'DELETE /api/v1/accounts/:id/sessions': account,
  'DELETE /api/v1/accounts/:id/sessions/:sessionId': async (things) => ({ path: await things.accountSession() }),
  'POST /api/v1/accounts/:id/preview': account,
};

const roles: Asks = {
  'POST /api/cscpRolesCreators': async (things) => ({
    body: { name: fresh('n'), roleExtent: '-', icon: 'md-key', menus: [await things.grantableMenu()] },
  }),
  'PUT /api/system/cscpRoless': async (things) => ({ body: { id: await things.role(), name: fresh('n') } }),
  'GET /api/system/cscpRoless/:id': role,
  'DELETE /api/system/cscpRoless/:id': role,
  'GET /api/system/cscpRoleUsers/:id': role,
  'POST /api/menu/queryByRoleIdPlus': async (things) => ({ form: { roles: String(await things.role()) } }),
  'POST /api/system/menu/save': async (things) => ({
    form: { roles: String(await things.role()), menus: '', permissions: '' },
  }),
  'POST /api/v1/roles/:id/copy': async (things) => ({ path: { id: await things.role() }, body: { name: fresh('n') } }),
  'GET /api/v1/roles/:id/powers': role,
  'GET /api/system/menu/getMenu': async (things) => ({ query: { parentId: await things.menu() } }),
  'PUT /api/system/menu/addMenu': () => ({
    body: {
      id: null,
      parentId: 0,
      type: 'menu1',
      title: '甲',
      name: fresh('e'),
      url: `/${fresh('e')}`,
      component: 'layout',
    },
  }),
  'PUT /api/system/menu/updateMenu': async (things) => ({ body: [{ id: await things.menu(), orderby: 3 }] }),
  'DELETE /api/system/menu/deleteMenu/:id': byId((things) => things.menu()),
};

const signIn: Asks = {
  'POST /api/system/login': () => ({ body: { username: 'nobody', password: 'x', rememberme: 0 } }),
  'PUT /api/system/cscpUserPassword': () => ({ body: { userName: 'nobody', oldPassword: 'x', newPassword: 'y' } }),
  'POST /api/v1/ingest/readings': () => ({ body: [] }),
  'POST /api/v1/me/confirm': (_things, { password }) => ({ body: { password } }),
  'POST /api/v1/sign-in-links/exchange': () => ({ body: { token: 'Bearer%nothing-of-ours' } }),
  'GET /api/v1/rights/holders': () => ({ query: { permission: 'lamp.control' } }),
  'PUT /api/v1/me/preferences': () => ({ body: { theme: 'dark' } }),
  'PATCH /api/v1/me/preferences': () => ({ body: { theme: 'dark' } }),
  'GET /api/v1/saved-views': () => ({ query: { list: 'lamps' } }),
  'POST /api/v1/saved-views': () => ({
    body: { list: 'lamps', name: fresh('v'), conditions: { states: 'offline' } },
  }),
  'PUT /api/v1/saved-views/order': () => ({ body: { list: 'lamps', ids: [1] } }),
  'PATCH /api/v1/saved-views/:id': byId((things) => things.savedView(), { body: { name: fresh('v') } }),
  'DELETE /api/v1/saved-views/:id': byId((things) => things.savedView()),
  'PUT /api/v1/saved-views/:id/start': byId((things) => things.savedView(), { body: { start: true } }),
  'GET /api/sysLoginDisposes/:id': byId((things) => things.appearance()),
  'POST /api/v1/login-appearances': () => ({
    body: { host: `${fresh('h')}.example`, company: false, name: 'a', title: 'a', logo: null, icon: null },
  }),
  'PUT /api/v1/login-appearances/:id': byId((things) => things.appearance(), { body: { name: 'b' } }),
  'DELETE /api/v1/login-appearances/:id': byId((things) => things.appearance()),
};

const devices: Asks = {
  'POST /api/v1/devices': async (things) => ({
    body: {
      family: 'single-lamp-controller',
      equipmentCode: fresh('N'),
      equipmentName: 'x',
      workId: await things.area(),
      power: 80,
    },
  }),
  'GET /api/v1/devices': () => ({ query: { family: 'single-lamp-controller' } }),
  'GET /api/v1/devices/:id': device,
  'GET /api/v1/devices/:id/uses': device,
  'GET /api/v1/devices/:id/readings': device,
  'GET /api/v1/connections/figures': () => ({ query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } }),
  'GET /api/v1/connections/drops': () => ({ query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' } }),
  'GET /api/v1/devices/:id/availability': byId((things) => things.device(), {
    query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
  }),
  'GET /api/v1/devices/:id/connections': device,
  'GET /api/v1/asset-statistics/expiries': () => ({ query: { field: 'warrantyUntil', within: '30' } }),
  'POST /api/v1/labels': async (things) => ({ body: { ids: [await things.device()] } }),
  'GET /api/v1/devices/:id/timeline': device,
  'GET /api/v1/devices/:id/paths': device,
  'GET /api/v1/topology/:tree': () => ({ path: { tree: 'power' } }),
  'GET /api/v1/topology/:tree/places': () => ({ path: { tree: 'power' }, query: { q: 'x' } }),
  'POST /api/v1/topology/:tree/move': async (things) => ({
    path: { tree: 'power' },
    body: { nodes: [{ key: `device:${await things.device()}` }], to: null },
  }),
  'GET /api/v1/devices/:id/attachments': device,
  'POST /api/v1/devices/:id/attachments': byId((things) => things.device(), {
    query: { name: 'x.txt' },
    file: 'nameplate',
  }),
  'PUT /api/v1/attachments/:id': byId((things) => things.attachment(), { body: { caption: 'x' } }),
  'DELETE /api/v1/attachments/:id': byId((things) => things.attachment()),
  'GET /api/v1/attachments/:id/file': byId((things) => things.attachment()),
  'GET /api/v1/attachments/:id/thumbnail': byId((things) => things.attachment()),
  'GET /api/v1/poles/:id/timeline': byId((things) => things.pole()),
  'PUT /api/v1/devices/:id': byId((things) => things.device(), { body: { equipmentName: 'x' } }),
  'DELETE /api/v1/devices/:id': device,
  'POST /api/v1/devices/:id/credentials': device,
  'POST /api/v1/devices/:id/secrets/:field': async (things) => ({
    path: { id: await things.device(), field: 'password' },
  }),
  'GET /api/v1/devices/:id/accounts': device,
  'POST /api/v1/devices/:id/accounts': async (things) => ({
    path: { id: await things.device() },
    body: { username: await things.juniorName() },
  }),
  'DELETE /api/v1/devices/:id/accounts/:accountId': async (things) => ({ path: await things.boundAccount() }),
  'GET /api/v1/lamps/:id': device,
  'GET /api/v1/lamps/:id/curve': device,
  'GET /api/v1/lamps/:id/why': device,
  'GET /api/v1/lamps/:id/plan': device,
  'POST /api/v1/commands': async (things) => ({ body: { deviceIds: [await things.device()], command: 'on' } }),
  'GET /api/v1/commands/:id': command,
  'POST /api/v1/commands/:id/retry': command,
  'POST /api/v1/commands/:id/verify': byId((things) => things.silentCommand()),
  'POST /api/v1/commands/:id/cancel': byId((things) => things.command(), { body: { reason: 'x' } }),
  'POST /api/v1/commands/:id/resume': byId((things) => things.command(), { body: { reason: 'x' } }),
  'POST /api/v1/commands/:id/approval': byId((things) => things.command(), { body: { approved: true, digest: 'x' } }),
  'POST /api/v1/commands/:id/export': command,
  'GET /api/v1/holidays': () => ({ query: { country: 'CN', year: 2026 } }),
  'POST /api/v1/holiday-imports': () => ({
    query: { country: 'CN', year: 2031, name: 'x.csv' },
    file: 'date,name\n2031-01-01,元旦',
  }),
  'POST /api/v1/calendars/preview': async (things) => ({
    body: { calendar: { default: 1, rules: [] }, programmes: [1], year: 2026, workAreaId: await things.area() },
  }),
  'PUT /api/v1/demo/evening': () => ({ body: { clock: '22:59' } }),
  'PUT /api/v1/command-settings': () => ({ body: { policy: { approvalMinutes: 10 } } }),
  'PUT /api/v1/command-paces/:id': byId((things) => things.device(), { body: { perSecond: null } }),
  'GET /api/v1/rows': async (things) => ({ query: { roadId: await things.road() } }),
  'POST /api/v1/rows/:roadId/order': async (things) => ({ path: { roadId: await things.road() }, body: {} }),
  'PUT /api/v1/rows/:roadId': async (things) => {
    const { roadId, pole } = await things.rowRoad();
    return { path: { roadId }, body: { version: 0, rows: [{ side: 'left', poleIds: [pole] }], keep: [] } };
  },
  'GET /api/v1/search': () => ({ query: { q: 'matrix' } }),
  'GET /api/v1/records/:record': () => ({ path: { record: 'road' } }),
  'POST /api/v1/records/:record': async (things) => ({
    path: { record: 'road' },
    body: { roadCode: fresh('R'), roadName: 'x', workId: await things.area() },
  }),
  'GET /api/v1/records/:record/:id': road(),
  'GET /api/v1/records/:record/:id/uses': road(),
  'PUT /api/v1/records/:record/:id': road({ roadName: 'y' }),
  'DELETE /api/v1/records/:record/:id': road(),
};

const task = byId((things) => things.task());
const someDay = { beginTime: '2020-01-01', endTime: '2020-01-01' };

const people: Asks = {
  'GET /api/cscpWorkGroups/:id': byId((things) => things.workGroup()),
  'POST /api/cscpWorkGroups': async (things, { accountId }) => ({
    body: {
      groupName: fresh('gro'),
      description: '巡检道路',
      userDetail: [{ userId: accountId }],
      workId: await things.area(),
    },
  }),
  'PUT /api/cscpWorkGroups': async (things) => ({ body: { id: await things.workGroup(), description: '巡检道路' } }),
  'DELETE /api/cscpWorkGroups/:id': byId((things) => things.workGroup()),
  'GET /api/system/cscpOrgs/all': async (things) => ({ query: { parentId: await things.organisation() } }),
  'POST /api/system/cscpOrgs/save': async (things) => ({
    body: { cscpOrgDTOs: [{ id: await things.organisation() }], cscpUserOrgDTOs: [{ userId: 1 }] },
  }),
  'POST /api/system/cscpOrgs/updateOrg': async (things) => ({
    body: [{ id: await things.organisation(), parentId: 0, orderby: 3 }],
  }),
  'DELETE /api/system/cscpOrgs/delCscpOrg': async (things) => ({
    body: { cscpOrgDTOs: [{ id: await things.organisation() }] },
  }),
  'GET /api/v1/organisations': () => ({ query: { name: '一' } }),
  'GET /api/v1/organisations/:id/contents': byId((things) => things.organisation()),
  'POST /api/operationsExcel': () => ({ body: someDay }),
  'POST /api/logInExcel': () => ({ body: someDay }),
  'POST /api/v1/tasks': () => ({ body: { kind: 'export.operation-log', params: someDay } }),
  'GET /api/v1/history/series': async (things) => ({
    query: {
      deviceIds: await things.device(),
      quantities: 'power',
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-02T00:00:00Z',
    },
  }),
  'GET /api/v1/history/quantities': async (things) => ({ query: { deviceIds: await things.device() } }),
  'GET /api/v1/history/energy': async (things) => ({
    query: { deviceIds: await things.device(), from: '2026-11-01', to: '2026-11-02', by: 'day' },
  }),
  'GET /api/v1/place-figures/:place': () => ({ path: { place: 'road' }, query: { ids: '1,2' } }),
  'POST /api/v1/history-exports': async (things) => ({
    body: {
      deviceIds: [await things.device()],
      quantities: ['power'],
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-02T00:00:00Z',
      resolution: 'hour',
      format: 'csv',
    },
  }),
  'PUT /api/v1/history/storage': () => ({
    body: { rawDays: 400, hourYears: 5, before: { rawDays: 400, hourYears: 5 } },
  }),
  'POST /api/v1/device-exports': () => ({ body: { family: 'lamp-pole', query: {} } }),
  'POST /api/v1/connection-exports': () => ({ body: {} }),
  'POST /api/v1/expiry-exports': () => ({ body: { field: 'simExpiry', within: 'past' } }),
  'GET /api/v1/tasks/:id': task,
  'GET /api/v1/tasks/:id/file': task,
  'POST /api/v1/tasks/:id/cancel': task,
  'POST /api/v1/tasks/:id/repeat': task,
  'DELETE /api/v1/tasks/:id': task,
};

const batch = byId((things) => things.batch());
const newcomer = byId((things) => things.newcomer());
const provisioning: Asks = {
  'POST /api/v1/batches': async (things) => ({ body: { name: fresh('B'), workId: await things.area() } }),
  'PUT /api/v1/batches/:id': byId((things) => things.batch(), { body: { maxDevices: 5 } }),
  'POST /api/v1/batches/:id/secret': batch,
  'DELETE /api/v1/batches/:id': batch,
  'GET /api/v1/newcomers/:id': newcomer,
  'POST /api/v1/newcomers/:id/claim': async (things) => ({
    path: { id: await things.newcomer() },
    body: {
      device: { family: 'single-lamp-controller', equipmentCode: fresh('N'), equipmentName: 'x', workId: 1, power: 80 },
    },
  }),
  'PUT /api/v1/newcomers/:id/blocked': byId((things) => things.newcomer(), { body: { blocked: true } }),
  'DELETE /api/v1/newcomers/:id': newcomer,
  'GET /api/v1/devices/:id/link': device,
};

const anImport = byId((things) => things.import());
const plan = {
  fields: { equipmentCode: { column: 0 }, workId: { column: 1 } },
  ignored: [],
  system: 'WGS84',
  words: {},
  existing: 'update',
  createRoads: false,
  acceptFar: false,
};
const imports: Asks = {
  'POST /api/v1/imports': () => ({ query: { family: 'lamp-pole', name: 'x.csv' }, file: 'equipmentCode\nA' }),
  'GET /api/v1/imports/:id': anImport,
  'PUT /api/v1/imports/:id/sheet': byId((things) => things.import(), { body: { sheet: 'x' } }),
  'PUT /api/v1/imports/:id/text': byId((things) => things.import(), { body: { encoding: 'big5' } }),
  'DELETE /api/v1/import-mappings/:id': () => ({ path: { id: 999_999 } }),
  'POST /api/v1/imports/:id/check': byId((things) => things.import(), { body: plan }),
  'GET /api/v1/imports/:id/pins': byId((things) => things.import(), { query: { system: 'WGS84', x: 0, y: 1 } }),
  'GET /api/v1/imports/:id/rows': anImport,
  'POST /api/v1/imports/:id/apply': byId((things) => things.import(), { body: { rows: 'valid' } }),
  'POST /api/v1/imports/:id/undo': anImport,
  'DELETE /api/v1/imports/:id': anImport,
  'POST /api/v1/failed-row-exports': async (things) => ({ body: { importId: await things.import() } }),
  'GET /api/v1/import-templates/:family': () => ({ path: { family: 'lamp-pole' } }),
};

const maps: Asks = {
  'POST /api/v1/base-maps': () => ({
    body: { kind: 'xyz', name: fresh('m'), address: 'https://tiles.example/{z}/{x}/{y}.png' },
  }),
  'PATCH /api/v1/base-maps/:id': byId((things) => things.baseMap(), { body: { name: 'b' } }),
  'DELETE /api/v1/base-maps/:id': byId((things) => things.baseMap()),
  'PUT /api/v1/base-map-order': async (things) => ({ body: { ids: [await things.baseMap()] } }),
  'POST /api/v1/base-map-files': () => ({ query: { name: 'x.pmtiles' }, file: 'no archive' }),
  // The plain grid: nobody is asked.
  'POST /api/v1/base-map-tests': async (things) => ({
    body: { id: await things.plainGrid(), longitude: 120, latitude: 30, zoom: 10 },
  }),
  'GET /tiles/:id/:version/:layer/:z/:x/:y': async (things) => ({
    path: { id: await things.plainGrid(), version: 1, layer: 0, z: 1, x: 0, y: 0 },
  }),
};

/** How each call is asked; one that needs nothing is not listed. */
export const asks: Asks = {
  ...accounts,
  ...roles,
  ...people,
  ...signIn,
  ...devices,
  ...provisioning,
  ...imports,
  ...maps,
  ...plans,
  ...publications,
};

import { fresh } from './small-things.ts';
import { planForms } from './plan-wrong-forms.ts';
import type { WrongForms } from './wrong-form.ts';

const nul = '\u0000';
const nowhere = 999_999_999;

/** One for each call whose binding has rules. */
export const wrongForms: WrongForms = {
  'POST /api/tbUsers': () => ({
    body: { username: 'admin', treeLevel: 'x', roles: [1, nowhere] },
    names: ['roles notFound', 'treeLevel type', 'username taken'],
  }),
  'PUT /api/tbUsers': async (things) => ({
    body: { id: await things.account(), nickname: 'x'.repeat(21), treeLevel: -1 },
    names: ['nickname maxLength', 'treeLevel minimum'],
  }),
  'POST /api/cscpUserPids': () => ({
    body: { treeLevel: 9, mobile: '1', roles: '1', username: fresh('lampl') },
    names: ['email required', 'familyName required', 'mobile format', 'name required', 'treeLevel maximum'],
  }),
  'PUT /api/system/cscpUserDetails': async (things) => ({
    body: { cscpUserDetailDTO: { id: await things.account(), mobile: 'x', email: [], treeLevel: 9 } },
    names: ['cscpUserDetailDTO.email type', 'cscpUserDetailDTO.treeLevel maximum', 'mobile format'],
  }),
  'POST /api/cscpRolesCreators': () => ({
    body: { name: '', parentId: -1, menus: 'x' },
    names: ['menus type', 'name required', 'parentId minimum', 'roleExtent required'],
  }),
  'PUT /api/system/cscpRoless': () => ({
    body: { id: 'x', name: ' ', parentId: nowhere },
    names: ['id type', 'name required', 'parentId notFound'],
  }),
  'POST /api/system/menu/save': () => ({
    form: { roles: 'x', menus: String(nowhere) },
    names: ['menus notFound', 'roles type'],
  }),
  'POST /api/menu/queryByRoleIdPlus': () => ({
    form: { roles: 'x', parentId: String(nowhere) },
    names: ['parentId notFound', 'roles type'],
  }),
  'POST /api/v1/roles/:id/copy': () => ({
    path: { id: 'x' },
    body: { name: ' ' },
    names: ['id type', 'name required'],
  }),
  'POST /api/cscpWorkGroups': () => ({
    body: { groupName: 'x', workId: 'x', userDetail: [{ userId: nowhere }] },
    names: ['description required', 'groupName minLength', 'userDetail.0.userId notFound', 'workId type'],
  }),
  'PUT /api/cscpWorkGroups': () => ({ body: { id: 'x', groupName: 'x' }, names: ['groupName minLength', 'id type'] }),
  'POST /api/system/cscpOrgs/save': () => ({
    body: { cscpOrgDTOs: [{ orgName: '', orderby: -1, parentId: nowhere }], cscpUserOrgDTOs: [{ userId: nowhere }] },
    names: [
      'cscpOrgDTOs.0.orderby minimum',
      'cscpUserOrgDTOs.0.userId notFound',
      'orgName required',
      'parentId notFound',
    ],
  }),
  'POST /api/system/cscpOrgs/updateOrg': async (things) => ({
    body: [{ id: await things.organisation(), parentId: nowhere }, { id: 'x' }],
    names: ['0.parentId notFound', '1.id type'],
  }),
  'PUT /api/system/menu/addMenu': () => ({
    body: { id: null, parentId: -1, type: 'button', title: '', name: '甲' },
    names: ['name pattern', 'parentId minimum', 'permissionCode required', 'title required'],
  }),
  'PUT /api/system/menu/updateMenu': async (things) => {
    const id = await things.menu();
    return {
      body: [
        { id, orderby: 'x' },
        { id, orderby: 2 },
      ],
      names: ['0.orderby type', '1.id uniqueItems'],
    };
  },
  'POST /api/v1/saved-views': () => ({
    body: { list: 'Lamps', name: ' ', conditions: {}, shared: 'x' },
    names: ['list pattern', 'name required', 'shared type'],
  }),
  'PATCH /api/v1/saved-views/:id': async (things) => ({
    path: { id: await things.savedView() },
    body: { name: ' ', shared: 'x' },
    names: ['name required', 'shared type'],
  }),
  'POST /api/v1/login-appearances': () => ({
    body: { host: 'a.example', company: 'x', name: ' ', title: 'a', logo: 'no picture', icon: null },
    names: ['company type', 'logo picture', 'name required'],
  }),
  'PUT /api/v1/login-appearances/:id': async (things) => ({
    path: { id: await things.appearance() },
    body: { host: null, company: 'x' },
    names: ['company type', 'host required'],
  }),
  'POST /api/operationsExcel': () => ({
    body: { beginTime: '2026-02-30', endTime: {} },
    names: ['beginTime format', 'endTime type'],
  }),
  'POST /api/logInExcel': () => ({
    body: { beginTime: '2026-02-30', endTime: [] },
    names: ['beginTime format', 'endTime type'],
  }),
  'POST /api/v1/tasks': () => ({
    body: { kind: 'export.login-log', params: { beginTime: '2026-02-30', endTime: 5 } },
    names: ['params.beginTime format', 'params.endTime type'],
  }),
  'POST /api/v1/device-exports': () => ({
    body: { family: 'lamp-pole', query: { nothing: 'x', poleId: 'x' }, more: 1 },
    names: ['more unknownField', 'query.nothing unknown', 'query.poleId type'],
  }),
  'POST /api/v1/connection-exports': () => ({
    body: { family: 'spaceship', kind: 'odd', from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z', more: 1 },
    names: ['kind pattern', 'more unknownField', 'to invalid'],
  }),
  'POST /api/v1/expiry-exports': () => ({
    body: { family: 'spaceship', field: 'installTime', more: 1 },
    names: ['family enum', 'field enum', 'more unknownField', 'within required'],
  }),
  'POST /api/v1/failed-row-exports': () => ({
    body: { importId: nowhere, more: 1 },
    names: ['importId notFound', 'more unknownField'],
  }),
  'POST /api/v1/publication-exports': () => ({
    body: { format: 'pdf', state: 'nearly', approval: 'maybe', more: 1 },
    names: ['approval enum', 'format enum', 'more unknownField', 'state enum'],
  }),
  'POST /api/v1/publication-lamp-exports': () => ({
    body: { format: 'pdf', publicationId: nowhere, state: 'nearly', more: 1 },
    names: ['format enum', 'more unknownField', 'state enum'],
  }),
  'POST /api/v1/plan-exception-exports': () => ({
    body: { format: 'pdf', state: 'nearly', approval: 'maybe', more: 1 },
    names: ['approval enum', 'format enum', 'more unknownField', 'state enum'],
  }),
  'POST /api/v1/plan-simulation-exports': () => ({
    body: { simulationId: nowhere, more: 1 },
    names: ['more unknownField', 'simulationId notFound'],
  }),
  'POST /api/v1/plan-night-exports': () => ({
    body: { day: '2026-02-31', format: 'pdf', outcome: 'odd', more: 1 },
    names: ['day invalid', 'format enum', 'more unknownField', 'outcome enum'],
  }),
  'POST /api/v1/history-exports': async (things) => ({
    body: {
      deviceIds: [await things.device()],
      quantities: ['nothing'],
      from: '2026-11-02T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
      resolution: 'hour',
      format: 'pdf',
    },
    names: ['format enum', 'quantities enum', 'to invalid'],
  }),
  'POST /api/v1/devices': () => ({
    body: {
      family: 'single-lamp-controller',
      equipmentCode: fresh('N'),
      equipmentName: nul,
      workId: 1,
      lamppostId: nowhere,
      more: 1,
    },
    names: ['equipmentName invalid', 'lamppostId notFound', 'more unknown'],
  }),
  'PUT /api/v1/devices/:id': async (things) => ({
    path: { id: await things.device() },
    body: { version: 'x', lamppostId: nowhere, power: 'x', family: 'lamp-pole' },
    names: ['family fixed', 'lamppostId notFound', 'power type', 'version type'],
  }),
  'POST /api/v1/devices/:id/accounts': async (things) => ({
    path: { id: await things.device() },
    body: { username: 'nobody', more: 1 },
    names: ['more unknownField', 'username notFound'],
  }),
  'POST /api/v1/devices/:id/secrets/:field': async (things) => ({
    path: { id: await things.device(), field: 'power' },
    query: { more: 1 },
    names: ['field option', 'more unknownField'],
  }),
  'POST /api/v1/records/:record': () => ({
    path: { record: 'road' },
    body: { roadCode: '', roadName: nul, workId: nowhere },
    names: ['roadCode required', 'roadName invalid', 'workId notFound'],
  }),
  'PUT /api/v1/records/:record/:id': async (things) => ({
    path: { record: 'road', id: await things.road() },
    body: { version: 'x', roadCode: '', roadClass: 'x', workId: nowhere },
    names: ['roadClass option', 'roadCode required', 'version type', 'workId notFound'],
  }),
  'POST /api/v1/topology/:tree/move': async (things) => {
    const key = `device:${await things.device()}`;
    return {
      path: { tree: 'power' },
      body: { nodes: [{ key }, { key: `device:${await things.pole()}`, version: 'x' }], to: key },
      names: ['nodes.0 placement', 'nodes.1.version type'],
    };
  },
  'POST /api/v1/commands': async (things) => ({
    body: {
      deviceIds: [await things.device()],
      scope: { workAreaId: 1 },
      command: 'dim',
      args: { level: 200 },
      until: '2020-01-01T00:00:00Z',
      canary: { minSuccessPercent: 1, waitSeconds: 5 },
      lane: 'fast',
    },
    names: ['args.level range', 'canary.count required', 'lane enum', 'scope invalid', 'until minimum'],
  }),
  'POST /api/v1/commands/:id/approval': async (things) => ({
    path: { id: await things.command() },
    body: { approved: false, digest: 5 },
    names: ['digest type', 'reason required'],
  }),
  'PUT /api/v1/command-settings': () => ({
    body: { version: 'x', limits: { acknowledgeSeconds: 60, confirmSeconds: 30 } },
    names: ['limits.confirmSeconds minimum', 'version type'],
  }),
  ...planForms,
  'POST /api/v1/batches': () => ({
    body: { name: 5, workId: nowhere, families: ['nothing'] },
    names: ['families enum', 'name type', 'workId notFound'],
  }),
  'PUT /api/v1/batches/:id': async (things) => ({
    path: { id: await things.batch() },
    body: { version: 'x', families: ['nothing'] },
    names: ['families enum', 'version type'],
  }),
  'POST /api/v1/newcomers/:id/claim': async (things) => ({
    path: { id: await things.newcomer() },
    body: { replace: 'x', device: { family: 'single-lamp-controller', workId: 1 } },
    names: ['equipmentCode required', 'equipmentName required', 'replace type'],
  }),
  'POST /api/v1/base-maps': () => ({
    body: { kind: 'xyz', name: ' ', address: 'x', minZoom: 9, maxZoom: 3, tileSize: 7 },
    names: ['address invalid', 'maxZoom invalid', 'name required', 'tileSize enum'],
  }),
  'PATCH /api/v1/base-maps/:id': async (things) => ({
    path: { id: await things.baseMap() },
    body: { version: 'x', address: 'x', name: null },
    names: ['address invalid', 'name required', 'version type'],
  }),
  'POST /api/v1/calendars/preview': () => ({
    body: { calendar: { default: 2, rules: {} }, programmes: [1], year: 'x', workAreaId: 1 },
    names: ['calendar.default option', 'calendar.rules type', 'year type'],
  }),
  'POST /api/v1/imports': () => ({
    query: { family: 'lamp-pole', name: 'x.csv', encoding: 'nothing', delimiter: '?' },
    file: 'equipmentCode\nA',
    names: ['delimiter enum', 'encoding enum'],
  }),
  'PUT /api/v1/imports/:id/text': async (things) => ({
    path: { id: await things.import() },
    body: { encoding: 'nothing', delimiter: '?' },
    names: ['delimiter enum', 'encoding enum'],
  }),
  'PUT /api/v1/imports/:id/sheet': async (things) => ({
    path: { id: await things.import() },
    body: { sheet: 'nothing', more: 1 },
    names: ['more unknownField', 'sheet enum'],
  }),
  'POST /api/v1/imports/:id/check': async (things) => ({
    path: { id: await things.import() },
    body: {
      fields: { nothing: { column: 0 } },
      ignored: [1],
      system: 'x',
      words: {},
      existing: 'x',
      createRoads: false,
      acceptFar: false,
    },
    names: [
      'existing enum',
      'fields.equipmentCode required',
      'fields.nothing unknownField',
      'fields.workId required',
      'system enum',
    ],
  }),
  'GET /api/v1/imports/:id/pins': async (things) => ({
    path: { id: await things.import() },
    query: { system: 'nothing', x: 'x', y: 1 },
    names: ['system enum', 'x type'],
  }),
  'POST /api/v1/devices/:id/credentials': async (things) => ({
    path: { id: await things.device() },
    query: { wire: 'morse', address: 'x', more: 1 },
    names: ['more unknownField', 'wire option'],
  }),
};

import { testApp } from '../../../testing/app.ts';
import { createOrganisations, organisationsRoutes } from '../index.ts';

interface Node {
  id: number;
  orgName: string;
  description: string | null;
  parentId: number;
  orderby: number;
  version: number;
  hasChildren: boolean;
  people: number;
  groups: number;
}
interface Level {
  cscpOrgDTOs: Node[];
  cscpUserOrgDTOs: Record<string, unknown>[];
  cscpWorkGroupOrgDTOs: Record<string, unknown>[];
}
export interface Problem {
  title: string;
  params: { field: string; rule: string }[];
  id: number;
  msg: string;
}

/** Two work areas with a work group each, and people. Call it at the top of a test file. */
export async function organisationsOffice() {
  const app = await testApp({ routes: (parts) => organisationsRoutes(createOrganisations(parts)) });
  const paths = {
    all: '/api/system/cscpOrgs/all',
    save: '/api/system/cscpOrgs/save',
    move: '/api/system/cscpOrgs/updateOrg',
    remove: '/api/system/cscpOrgs/delCscpOrg',
  };
  const { token } = await app.signIn({
    username: 'orgadmin',
    level: 0,
    permissions: ['cscp.org.query', 'cscp.org.edit'],
  });
  const zhang = await app.signIn({ username: 'zhang' });
  const li = await app.signIn({ username: 'li' });
  await app.db
    .updateTable('account')
    .set({ family_name: '张', given_name: '三' })
    .where('id', '=', zhang.accountId)
    .execute();
  const areaId = async (name: string): Promise<number> =>
    (
      await app.db
        .insertInto('work_area')
        .values({ work_code: name, work_name: name })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const groupId = async (area: number, name = '巡检组'): Promise<number> =>
    (
      await app.db
        .insertInto('work_group')
        .values({ work_area_id: area, name })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const north = await areaId('北区');
  const south = await areaId('南区');
  const northGroup = await groupId(north, '北巡组');
  const southGroup = await groupId(south, '南巡组');

  const level = async (parentId: number | string, as = token): Promise<Level> =>
    (await app.call<Level>(`${paths.all}?parentId=${parentId}`, { token: as })).body;
  const save = (node: object, links: object = {}, as = token) =>
    app.call<Problem>(paths.save, { body: { cscpOrgDTOs: [node], ...links }, token: as });
  const move = (nodes: readonly object[], as = token) => app.call<Problem>(paths.move, { body: nodes, token: as });
  const make = async (parentId = 0, orderby = 0, name = '某某组织'): Promise<number> =>
    (await save({ id: null, orgName: name, parentId, orderby })).body.id;
  const node = async (id: number, parentId: number) => (await level(parentId)).cscpOrgDTOs.find((one) => one.id === id);
  const places = async () =>
    (await app.db.selectFrom('organisation').select(['id', 'parent_id', 'sort_order']).orderBy('id').execute()).map(
      (row) => Object.values(row).join(),
    );

  return {
    app,
    paths,
    token,
    zhang,
    li,
    groupId,
    north,
    south,
    northGroup,
    southGroup,
    level,
    save,
    move,
    make,
    node,
    places,
  };
}

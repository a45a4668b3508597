import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getMenuNodes } from '../../../../../contract/specified/menu-configuration.ts';
import { rightsTestApp } from '../../../testing/rights.ts';

interface Answer {
  success: boolean;
  msg: string;
  id: number;
  code: number;
  params: { field: string; rule: string; message: string }[];
}

/** The menu tree by its calls. Call it at the top of a test file. */
export async function menuTree() {
  const app = await rightsTestApp();

  const save = (body: object, options: object = {}) =>
    app.call<Answer>('/api/system/menu/addMenu', { method: 'PUT', body, ...options });
  const drag = (nodes: object[]) => app.call<Answer>('/api/system/menu/updateMenu', { method: 'PUT', body: nodes });
  const remove = (id: number) => app.call<Answer>(`/api/system/menu/deleteMenu/${id}`, { method: 'DELETE' });
  const children = async (parentId?: number) =>
    (
      await app.call<ReplyOf<typeof getMenuNodes>>(
        `/api/system/menu/getMenu${parentId === undefined ? '' : `?parentId=${parentId}`}`,
      )
    ).body;
  const node = async (parentId: number, id: number) => (await children(parentId)).data.find((row) => row.id === id);
  const everything = () => app.db.selectFrom('menu_entry').selectAll().orderBy('id').execute();

  let count = 0;
  const page = (more: object = {}) => ({
    id: null,
    type: 'menu2',
    title: '测试',
    name: `page-${(count += 1)}`,
    url: `/page/${count}`,
    component: `page/${count}`,
    ...more,
  });
  const added = async (more: object = {}) => (await save(page(more))).body.id;
  const section = (more: object = {}) => added({ type: 'menu1', parentId: 0, ...more });

  return { app, save, drag, remove, children, node, everything, page, added, section };
}

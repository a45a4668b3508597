import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { deleteMenuNode, moveMenuNodes } from '../../../../../contract/specified/menu-configuration.ts';
import type { Node } from './node.ts';
import { menuPage } from './testing/menu-page.tsx';

const page = menuPage();
const { find, bodies, open, line, press, focus, unfold, names, dialog } = page;

describe('deleting', () => {
  test('names the node and counts what goes with it', async () => {
    page.server.on(deleteMenuNode, () => {
      page.nodes = page.nodes.filter(({ id }) => ![1, 3, 4, 5].includes(id));
      return { status: 200, body: { success: true, msg: '' } };
    });
    await open();
    fireEvent.click(screen.getByRole('button', { name: '删除“智慧路灯”' }));
    const form = await dialog();
    expect(form.getByText('确定删除该节点及其子节点吗？')).toBeTruthy();
    await form.findByText('将删除“智慧路灯”和它下面的 3 个节点。');
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    await screen.findByText('删除成功！', undefined, find);
    await waitFor(() => expect(names()).toEqual(['异步路由配置', '资产']));
  });

  test('a refusal stays in the dialog with the specified failure', async () => {
    page.server.refuse(deleteMenuNode, 400, { message: '菜单配置的入口必须保留' });
    await open();
    fireEvent.click(screen.getByRole('button', { name: '删除“资产”' }));
    const form = await dialog();
    await form.findByText('将删除“资产”和它下面的 1 个节点。');
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    expect((await form.findByText(/^删除失败！/)).textContent).toContain('菜单配置的入口必须保留');
  });
});

describe('moving', () => {
  const move = async (name: RegExp, ...keys: string[]): Promise<void> => {
    focus(await line(name));
    press(' ', ...keys, 'Enter');
  };

  test('siblings are numbered from 1 and only what changed is sent; the tree shows it at once', async () => {
    page.server.answer(moveMenuNodes, (request) => {
      for (const { id, parentId, orderby } of JSON.parse(request.body) as Node[])
        page.nodes = page.nodes.map((one) => (one.id === id ? { ...one, parentId, orderby } : one));
      return { success: true as const, msg: '' };
    });
    await open();
    await move(/^资产/, 'Home');
    await waitFor(() => expect(names()).toEqual(['异步路由配置', '资产', '智慧路灯']));
    await waitFor(() =>
      expect(bodies(moveMenuNodes)).toEqual([
        [
          { id: 2, parentId: 0, orderby: 1 },
          { id: 1, parentId: 0, orderby: 2 },
        ],
      ]),
    );
  });

  test('into a closed section: its children are fetched, the node goes behind the last; the old siblings stay as they are', async () => {
    page.server.answer(moveMenuNodes, (request) => {
      for (const { id, parentId, orderby } of JSON.parse(request.body) as Node[])
        page.nodes = page.nodes.map((one) => (one.id === id ? { ...one, parentId, orderby } : one));
      return { success: true as const, msg: '' };
    });
    await open();
    await unfold(/^智慧路灯/);
    await move(await line(/^单灯监控/).then(() => /^单灯监控/), 'End');
    await waitFor(() => expect(bodies(moveMenuNodes)).toEqual([[{ id: 3, parentId: 2, orderby: 2 }]]));
    await waitFor(() => expect(names()).toEqual(['异步路由配置', '智慧路灯', '集控', '资产', '道路', '单灯监控']));
  });

  test('into an empty parent: order 0', async () => {
    page.nodes = page.nodes.filter(({ id }) => id !== 6);
    page.server.answer(moveMenuNodes, { success: true, msg: '' });
    await open();
    await unfold(/^智慧路灯/);
    await line(/^集控/);
    await move(/^集控/, 'End');
    await waitFor(() => expect(bodies(moveMenuNodes)).toEqual([[{ id: 4, parentId: 2, orderby: 0 }]]));
  });

  test('a failure says the specified text and the tree is again what the server has', async () => {
    page.server.refuse(moveMenuNodes, 400, { message: '不能这样放' });
    await open();
    await move(/^资产/, 'Home');
    await screen.findByText('拖拽的节点数据更新失败，请刷新数据重新尝试！', undefined, find);
    await waitFor(() => expect(names()).toEqual(['异步路由配置', '智慧路灯', '资产']));
  });

  test('only allowed places are offered: a first-level node stays among its own', async () => {
    await open();
    await unfold(/^智慧路灯/);
    await line(/^集控/);
    focus(await line(/^资产/));
    press(' ');
    expect(screen.getByRole('group', { name: '正在移动“资产”' }).textContent).toContain('放到“智慧路灯”之前');
    expect(
      (screen.getByRole('button', { name: '上一个位置' }) as HTMLButtonElement).disabled &&
        (screen.getByRole('button', { name: '下一个位置' }) as HTMLButtonElement).disabled,
    ).toBe(true);
  });
});

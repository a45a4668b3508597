import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { getOrganisationContents } from '../../../../../contract/people/organisations.ts';
import {
  deleteOrganisations,
  listOrganisations,
  moveOrganisations,
} from '../../../../../contract/specified/organisations.ts';
import { ruleAgainst, root, type Node } from './organisation.ts';
import { organisationsPage } from './testing/organisations-page.tsx';

const page = organisationsPage();
const { made, find, bodies, storeMoves, open, line, press, focus, unfold, names, dialog } = page;

describe('deleting', () => {
  test('warns, names what is lost, and goes with everything below; a failure stays in the dialog', async () => {
    page.server.answer(getOrganisationContents, { id: 1, name: '城东照明所', descendants: 3, people: 3, groups: 1 });
    page.server.refuse(deleteOrganisations, 500, { message: '磁盘已满' });
    await open();
    fireEvent.click(within(await line(/^城东照明所/)).getByRole('button', { name: '删除“城东照明所”' }));
    const form = await dialog();
    expect([screen.getByText('警告'), form.getByText('确定删除该节点（包括子节点）吗？')]).toHaveLength(2);
    await form.findByText('将删除“城东照明所”和它下面的 3 个组织。', undefined, find);
    expect(form.getByText(/^其中人员 3 名、工作组 1 个/)).toBeTruthy();
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    expect((await form.findByText(/^删除失败！/, undefined, find)).textContent).toContain('磁盘已满');
    page.server.on(deleteOrganisations, () => {
      page.stored = page.stored.filter(({ id }) => id === 2);
      return { status: 200, body: { success: true, msg: '' } };
    });
    fireEvent.click(await form.findByRole('button', { name: '删除' }, find));
    await screen.findByText('删除成功！', undefined, find);
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所']));
    expect(bodies(deleteOrganisations).at(-1)).toEqual({ cscpOrgDTOs: [{ id: 1 }] });
  });

  test('what lay open below a deleted node is not asked for again', async () => {
    page.server.answer(getOrganisationContents, { id: 1, name: '城东照明所', descendants: 3, people: 3, groups: 1 });
    await open();
    const asked = (): string[] => page.server.of(listOrganisations).map(({ query }) => query.get('parentId') ?? '');
    const node = await line(/^城东照明所/);
    focus(node);
    press('ArrowRight');
    await waitFor(() => expect(asked()).toContain('1'));
    await waitFor(() => expect(names().length).toBeGreaterThan(3));
    const before = asked().length;
    page.server.on(deleteOrganisations, () => {
      page.stored = page.stored.filter(({ id }) => id === 2);
      return { status: 200, body: { success: true, msg: '' } };
    });
    fireEvent.click(within(node).getByRole('button', { name: '删除“城东照明所”' }));
    const form = await dialog();
    await form.findByText('将删除“城东照明所”和它下面的 3 个组织。', undefined, find);
    fireEvent.click(form.getByRole('button', { name: '删除' }));
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所']));
    await waitFor(() => expect(asked().slice(before)).toEqual(['0']));
  });
});

describe('moving', () => {
  const move = async (name: RegExp, ...keys: string[]): Promise<void> => {
    focus(await line(name));
    press('^x', ...keys, 'Enter');
  };

  test('siblings are numbered from 1; only what changed is sent, with the versions that were seen', async () => {
    page.server.answer(moveOrganisations, storeMoves);
    await open();
    await move(/^城西照明所/, 'Home');
    await waitFor(() => expect(names()).toEqual(['组织管理', '城西照明所', '城东照明所']));
    await waitFor(() =>
      expect(bodies(moveOrganisations)).toEqual([
        [
          { id: 2, parentId: 0, orderby: 1, ifVersion: 4 },
          { id: 1, parentId: 0, orderby: 2, ifVersion: 4 },
        ],
      ]),
    );
    // At once again, before anything else came in: the versions have gone on with the first drop.
    await waitFor(() =>
      expect(
        within(screen.getByRole('treeitem', { name: /^城西照明所/ })).queryByRole('button', {
          name: '移动“城西照明所”',
        }),
      ).not.toBeNull(),
    );
    await move(/^城西照明所/, 'End');
    await waitFor(() =>
      expect(bodies(moveOrganisations)[1]).toEqual([
        { id: 1, parentId: 0, orderby: 1, ifVersion: 5 },
        { id: 2, parentId: 0, orderby: 2, ifVersion: 5 },
      ]),
    );
  });

  test('into an empty node: order 0', async () => {
    page.server.answer(moveOrganisations, storeMoves);
    await open();
    await unfold(/^城东照明所/);
    await move(await line(/^湖滨中队/).then(() => /^湖滨中队/), 'End', 'ArrowUp');
    await waitFor(() =>
      expect(bodies(moveOrganisations)).toEqual([[{ id: 4, parentId: 2, orderby: 0, ifVersion: 4 }]]),
    );
  });

  test('a stale drop: the specified text with the reason, and the tree is what the server has', async () => {
    page.server.refuse(moveOrganisations, 409, { code: 1401, message: '已被修改' });
    await open();
    await line(/^城西照明所/);
    page.stored = [made(6, 0, '新来组织', 0), ...page.stored];
    await move(/^城西照明所/, 'Home');
    await screen.findByText(
      '拖拽的节点数据更新失败，请刷新数据重新尝试！ · 别人刚刚改动了这里，现在显示的是最新的组织树',
      undefined,
      find,
    );
    await waitFor(() => expect(names()).toEqual(['组织管理', '新来组织', '城东照明所', '城西照明所']));
  });

  test('nothing may be dropped before or after the root, only inside it', () => {
    const node: Node = { ...root, id: 1, parentId: 0 };
    expect([
      ruleAgainst({ node, target: root, where: 'before', parent: undefined }),
      ruleAgainst({ node, target: root, where: 'inside', parent: root }),
    ]).toEqual(['rule.drop.root', undefined]);
  });
});

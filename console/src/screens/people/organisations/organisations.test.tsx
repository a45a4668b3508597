import axe from 'axe-core';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { findOrganisations } from '../../../../../contract/people/organisations.ts';
import { listOrganisations, saveOrganisation } from '../../../../../contract/specified/organisations.ts';
import { listUserOptions } from '../../../../../contract/specified/work-groups.ts';
import { organisationsPage } from './testing/organisations-page.tsx';

const page = organisationsPage();
const { made, find, levelOf, bodies, open, line, unfold, names, dialog, details, type, choose } = page;

describe('the tree and what hangs on a node', () => {
  test('is lazy below its fixed root; people and groups stand beside the tree; axe finds nothing', async () => {
    await open();
    await line(/^组织管理/);
    expect(names()).toEqual(['组织管理', '城东照明所', '城西照明所']);
    expect((await line(/^城东照明所/)).textContent).toContain('滨江与城东2 人1 个工作组');
    expect(details().getByRole('heading', { level: 2 }).textContent).toBe('城东照明所');
    expect(
      details()
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['北巡组', '张三(zhang)', '(night)']);
    await unfold(/^城东照明所/);
    fireEvent.click(await line(/^滨江中队/));
    expect(details().getByText('李四(li)')).toBeTruthy();
    expect(details().getByText('没有工作组')).toBeTruthy();
    expect(page.server.of(listOrganisations).map(({ query }) => query.get('parentId'))).toEqual(['0', '1']);
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes: [first] }) => [id, first?.html])).toEqual([]);
  });

  test('the root is only added to; other nodes are added to, removed, edited and moved; who may only look has none of it', async () => {
    await open();
    const offered = (one: HTMLElement) =>
      within(one)
        .queryAllByRole('button')
        .map((each) => each.getAttribute('aria-label'));
    expect(offered(await line(/^组织管理/))).toEqual(['在“组织管理”下添加']);
    expect(offered(await line(/^城西照明所/))).toEqual([
      '在“城西照明所”下添加',
      '删除“城西照明所”',
      '编辑“城西照明所”',
      '移动“城西照明所”',
    ]);
    cleanup();
    await open(['cscp.org.query']);
    expect(offered(await line(/^城西照明所/))).toEqual([]);
    expect(details().queryAllByRole('button')).toEqual([]);
  });

  test('a failed fetch says so and can be tried again; without the right it says that; nothing yet offers the first step', async () => {
    page.server.refuse(listOrganisations, 500, { message: '服务暂时不可用' });
    await open();
    await screen.findByText('获取数据失败！', undefined, find);
    page.stored = [];
    page.server.answer(listOrganisations, levelOf);
    fireEvent.click(screen.getByRole('button', { name: /重试/ }));
    fireEvent.click(await screen.findByRole('button', { name: '添加第一个组织' }, find));
    await dialog();
    cleanup();
    page.server.refuse(listOrganisations, 403, { message: '没有权限' });
    await open();
    await screen.findByText('没有权限', undefined, find);
  });

  test('another operator’s change comes in by itself', async () => {
    await open();
    await line(/^城西照明所/);
    await waitFor(() => expect(page.live.state().state).toBe('live'));
    page.stored = [...page.stored, made(9, 0, '城南照明所', 3)];
    page.server.tell({ type: 'menus' });
    await line(/^城南照明所/);
  });

  test('a change that is told while a node is being opened is not lost', async () => {
    await open();
    await line(/^城西照明所/);
    await waitFor(() => expect(page.live.state().state).toBe('live'));
    let answerOld: (() => void) | undefined;
    page.server.on(listOrganisations, async (request) => {
      const body = levelOf(request);
      if (request.query.get('parentId') === '1' && answerOld === undefined)
        await new Promise<void>((done) => {
          answerOld = done;
        });
      return { status: 200, body };
    });
    await unfold(/^城东照明所/);
    await waitFor(() => expect(answerOld).toBeDefined());
    page.stored = [...page.stored, made(9, 1, '北山中队', 3), made(10, 0, '城南照明所', 3)];
    page.server.tell({ type: 'menus' });
    await line(/^城南照明所/);
    answerOld?.();
    await line(/^北山中队/);
  });

  test('a node is found wherever it stands: its way is opened, it is chosen and has the focus', async () => {
    page.server.answer(findOrganisations, {
      data: [
        {
          id: 5,
          name: '夜班小组',
          path: [
            { id: 1, name: '城东照明所' },
            { id: 3, name: '滨江中队' },
          ],
        },
      ],
      recordsTotal: 1,
    });
    await open();
    await line(/^城西照明所/);
    const box = screen.getByRole('combobox', { name: '按名称查找组织' });
    fireEvent.mouseDown(box);
    type(box, '夜班');
    await choose(box, '夜班小组');
    await waitFor(
      () => expect(document.activeElement?.closest('[role="treeitem"]')?.textContent).toContain('夜班小组'),
      find,
    );
    expect(names()).toEqual(['组织管理', '城东照明所', '滨江中队', '夜班小组', '湖滨中队', '城西照明所']);
    expect(page.server.of(findOrganisations).at(-1)?.query.get('name')).toBe('夜班');
    expect(details().getByText('城东照明所 / 滨江中队')).toBeTruthy();
  });
});

describe('the dialog', () => {
  test('says everything that is wrong at once, in the specification’s words; lengths count characters after trimming', async () => {
    await open();
    fireEvent.click(await screen.findByRole('button', { name: '在“组织管理”下添加' }, find));
    const form = await dialog();
    expect(screen.getByText('节点信息编辑')).toBeTruthy();
    type(form.getByRole('textbox', { name: '组织描述' }), '短短');
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect([
      await form.findByText('请填写组织名称', undefined, find),
      form.getByText('组织描述长度在 3 到 18 个字符'),
      form.getByText('有 2 处需要修改'),
    ]).toHaveLength(3);
    type(form.getByRole('textbox', { name: '组织名称' }), ' 照明 ');
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    expect(await form.findByText('组织名称长度在 3 到 10 个字符', undefined, find)).toBeTruthy();
    // What is right is the first that is sent.
    page.server.answer(saveOrganisation, { id: 20 });
    type(form.getByRole('textbox', { name: '组织名称' }), '照明科室');
    type(form.getByRole('textbox', { name: '组织描述' }), '管照明的');
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await waitFor(() => expect(page.server.of(saveOrganisation)).not.toHaveLength(0));
    expect(page.server.of(saveOrganisation).map(({ body }) => body)).toEqual([expect.stringContaining('照明科室')]);
  });

  test('a new node: below the chosen one, sibling order 0, links without an organisation; its parent opens and it is shown', async () => {
    page.server.on(saveOrganisation, () => {
      page.stored = [...page.stored, made(20, 2, '北山中队', 0, { people: [8] })];
      return { status: 200, body: { id: 20 } };
    });
    await open();
    fireEvent.click(within(await line(/^城西照明所/)).getByRole('button', { name: '在“城西照明所”下添加' }));
    const form = await dialog();
    type(form.getByRole('textbox', { name: '组织名称' }), '北山中队');
    await choose(form.getByRole('combobox', { name: '工作组' }), '南巡组');
    type(form.getByRole('combobox', { name: '人员' }), 'li');
    await choose(form.getByRole('combobox', { name: '人员' }), '李四(li)');
    await waitFor(() =>
      expect(
        page.server
          .of(listUserOptions)
          .some(
            ({ query }) =>
              query.get('username') === 'li' && query.get('discDetail') === 'li' && query.get('page') === '0',
          ),
      ).toBe(true),
    );
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await screen.findByText('添加节点成功！', undefined, find);
    expect(bodies(saveOrganisation)).toEqual([
      {
        cscpOrgDTOs: [{ id: null, orgName: '北山中队', description: null, parentId: 2, orderby: 0 }],
        cscpUserOrgDTOs: [{ userId: 8, orgId: null }],
        cscpWorkGroupOrgDTOs: [{ groupId: 32, orgId: null }],
      },
    ]);
    await line(/^北山中队/);
    expect(names()).toEqual(['组织管理', '城东照明所', '城西照明所', '北山中队']);
    await waitFor(() => expect(details().getByRole('heading', { level: 2 }).textContent).toBe('北山中队'));
  });

  test('an edit shows the stored links by name, sends its version and place, and what the server refuses stands by its field', async () => {
    page.server.refuse(saveOrganisation, 400, {
      code: 1001,
      params: [{ field: 'cscpUserOrgDTOs.1.userId', rule: 'notFound', message: '所选人员不存在' }],
    });
    await open();
    fireEvent.doubleClick(await line(/^城东照明所/));
    const form = await dialog();
    await form.findByText('张三(zhang)', undefined, find);
    await form.findByText('北巡组', undefined, find);
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('所选人员不存在', undefined, find);
    page.server.answer(saveOrganisation, { id: 1 });
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveOrganisation)[1]).toEqual({
      cscpOrgDTOs: [{ id: 1, orgName: '城东照明所', description: '滨江与城东', parentId: 0, orderby: 1, ifVersion: 4 }],
      cscpUserOrgDTOs: [
        { userId: 7, orgId: 1 },
        { userId: 9, orgId: 1 },
      ],
      cscpWorkGroupOrgDTOs: [{ groupId: 31, orgId: 1 }],
    });
  });

  test('two operators: the second sees both versions and decides line by line', async () => {
    page.server.on(saveOrganisation, ({ body }) => {
      const {
        cscpOrgDTOs: [node],
      } = JSON.parse(body) as { cscpOrgDTOs: { ifVersion: number }[] };
      return node?.ifVersion === 4
        ? { status: 409, body: { status: 409, code: 1401, message: '已被修改' } }
        : { status: 200, body: { id: 2 } };
    });
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    type(form.getByRole('textbox', { name: '组织名称' }), '我的照明所');
    page.stored = page.stored.map((one) =>
      one.id === 2 ? { ...one, orgName: '他的照明所', people: [8], version: 5 } : one,
    );
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    await form.findByText('别人刚刚修改了这个组织', undefined, find);
    await form.findByText('李四(li)', undefined, find);
    fireEvent.click(await form.findByRole('button', { name: '按所选继续' }));
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await screen.findByText('更新节点成功！', undefined, find);
    expect(bodies(saveOrganisation)[1]).toMatchObject({
      cscpOrgDTOs: [{ ifVersion: 5, orgName: '我的照明所' }],
      cscpUserOrgDTOs: [{ userId: 8 }],
    });
  });

  test('deleted meanwhile: says so and cannot be saved; anything else with the specified failure', async () => {
    page.server.refuse(saveOrganisation, 500, { message: '磁盘已满' });
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    fireEvent.click(await form.findByRole('button', { name: '保存' }));
    expect((await form.findByText(/^更新节点失败！/, undefined, find)).textContent).toContain('磁盘已满');
    page.server.refuse(saveOrganisation, 404, { message: '不存在' });
    page.stored = page.stored.filter(({ id }) => id !== 2);
    fireEvent.click(await form.findByRole('button', { name: '保存' }, find));
    await form.findByText(/^这个组织已被别人删除或移走/, undefined, find);
    expect(((await form.findByRole('button', { name: '保存' }, find)) as HTMLButtonElement).disabled).toBe(true);
  });

  test('unsaved input is asked about before it is lost', async () => {
    await open();
    fireEvent.doubleClick(await line(/^城西照明所/));
    const form = await dialog();
    await act(async () => type(form.getByRole('textbox', { name: '组织名称' }), '别的名称'));
    fireEvent.click(form.getByRole('button', { name: '取消' }));
    await screen.findByText('有没保存的内容', undefined, find);
    fireEvent.click(screen.getByRole('button', { name: '放弃并继续' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: '组织名称' })).toBeNull());
  });
});

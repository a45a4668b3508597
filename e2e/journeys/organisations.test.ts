import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, type Look } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;

beforeAll(async () => {
  office = await startOffice();
});
afterAll(() => office?.close());

interface Node {
  id: number;
  orgName: string;
  parentId: number;
  orderby: number;
}
const path = '/system/organization-management';
const level = async (parentId = 0) =>
  (await office.admin.get<{ cscpOrgDTOs: Node[] }>(`/api/system/cscpOrgs/all?parentId=${parentId}`)).cscpOrgDTOs;
const names = async (parentId = 0) => (await level(parentId)).map(({ orgName }) => orgName);
const make = async (orgName: string, parentId = 0, orderby = 0) =>
  (
    await office.admin.send<{ id: number }>('POST', '/api/system/cscpOrgs/save', {
      cscpOrgDTOs: [{ id: null, orgName, parentId, orderby }],
    })
  ).id;
const remove = (ids: readonly number[]) =>
  office.admin.send('DELETE', '/api/system/cscpOrgs/delCscpOrg', { cscpOrgDTOs: ids.map((id) => ({ id })) });
const grip = (page: Page, name: string) => page.getByRole('button', { name: `移动“${name}”` });
const line = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name }).first();
const shown = (page: Page) =>
  page
    .getByRole('treeitem')
    .evaluateAll((lines) => lines.map((one) => one.querySelector('[id]')?.firstElementChild?.textContent ?? ''));

/** A page of one operator; `deaf`: the live line says nothing, as on a bad connection, so that its tree grows old. */
async function operator(deaf = false, look?: Look): Promise<Page> {
  const page = await office.open(path, look);
  if (deaf) {
    await page.routeWebSocket('**/api/v1/live', () => undefined);
    await page.reload();
  }
  await page.getByRole('treeitem').nth(1).waitFor();
  return page;
}

/** Drags a node to a part of another one's line (0 its upper edge, 1 its lower one), up to the moment of letting go. */
async function carry(page: Page, name: string, over: string, part: number): Promise<void> {
  const [from, to] = [await grip(page, name).boundingBox(), await line(page, over).boundingBox()];
  if (!from || !to) throw new Error(`${name} or ${over} is not there`);
  const target = { x: to.x + 120, y: to.y + to.height * part };
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x, target.y - 6, { steps: 8 });
  await page.mouse.move(target.x, target.y, { steps: 4 });
}

describe('the tree of organisations', () => {
  it('grows by the dialog, is moved by mouse and by keys, and loses a branch with its warning', async () => {
    const page = await operator();
    await page.getByRole('button', { name: '在“组织管理”下添加' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: '保存' }).click();
    await dialog.getByText('请填写组织名称').waitFor();
    await expectAccessible(page, 'the dialog with its problems');
    await dialog.getByRole('textbox', { name: '组织名称' }).fill('城东照明所');
    await dialog.getByRole('textbox', { name: '组织描述' }).fill('滨江与城东片区');
    const person = async (text: string, option: string) => {
      await dialog.getByRole('combobox', { name: '人员' }).fill(text);
      await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
      await page.keyboard.press('Tab');
    };
    await person('admin', '(admin)');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByText('添加节点成功！').waitFor();
    await page.getByRole('complementary', { name: '组织详情' }).getByText('(admin)').waitFor();

    await expectAccessible(page, 'the tree and a node’s details, light');
    await make('城西照明所', 0, 2);
    await line(page, '城西照明所').waitFor();
    await carry(page, '城西照明所', '城东照明所', 0.5);
    await page.mouse.up();
    const east = (await level()).find(({ orgName }) => orgName === '城东照明所')?.id ?? 0;
    await expect
      .poll(async () => (await level(east)).map(({ orgName, orderby }) => [orgName, orderby]), { timeout: 25_000 })
      .toEqual([['城西照明所', 0]]);

    // Into what lies below itself: nothing changes, and the reason is said.
    await line(page, '城西照明所').waitFor();
    await carry(page, '城东照明所', '城西照明所', 0.5);
    await page.mouse.up();
    await page.getByText('“城东照明所”不能放进它自己的下级').first().waitFor();
    expect(await names()).toContain('城东照明所');

    // Out again without dragging: picked up, the first place of all, put down. The office has one organisation from the
    // start.
    const [first = ''] = await names();
    await grip(page, '城西照明所').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: '正在移动“城西照明所”' }).waitFor();
    await page.keyboard.press('Home');
    await page.getByText(`放到“${first}”之前`).first().waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await level()).map(({ orgName, orderby }) => [orgName, orderby]), { timeout: 25_000 })
      .toEqual([
        ['城西照明所', 1],
        ['照明管理中心', 2],
        ['城东照明所', 3],
      ]);

    await page.getByRole('button', { name: '编辑“城西照明所”' }).click();
    await dialog.getByRole('textbox', { name: '组织名称' }).fill('北山照明所');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByText('更新节点成功！').waitFor();
    await page.getByRole('button', { name: '删除“城东照明所”' }).click();
    await page.getByText('将删除“城东照明所”，它下面没有组织。').waitFor();
    await page.getByText(/^其中人员 1 名/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
    await page.getByText('删除成功！').waitFor();
    expect(await names()).toEqual(['北山照明所', '照明管理中心']);
    await remove((await level()).filter(({ orgName }) => orgName === '北山照明所').map(({ id }) => id));
    await office.leave(page);
  });

  it('two operators drag into each other at once: one wins, the other is told and sees the tree as it is', async () => {
    const made = [await make('甲照明所', 0, 20), await make('乙照明所', 0, 21)];
    const pages = (await Promise.all([operator(true), operator(true)])) as [Page, Page];
    await Promise.all([carry(pages[0], '甲照明所', '乙照明所', 0.5), carry(pages[1], '乙照明所', '甲照明所', 0.5)]);
    await Promise.all(pages.map((page) => page.mouse.up()));
    const refused = '拖拽的节点数据更新失败，请刷新数据重新尝试！';
    await Promise.any(pages.map((page) => page.getByText(refused).waitFor({ timeout: 25_000 })));
    const below = async () => Promise.all(made.map(async (id) => (await names(id)).length));
    expect((await below()).toSorted()).toEqual([0, 1]);
    const told = await Promise.all(pages.map((page) => page.getByText(refused).count()));
    expect(told.toSorted()).toEqual([0, 1]);
    // The one who lost sees what the other did: only one of the two is left at the top.
    const loser = pages[told.indexOf(1)] as Page;
    await expect
      .poll(async () => (await shown(loser)).filter((name) => ['甲照明所', '乙照明所'].includes(name)).length, {
        timeout: 25_000,
      })
      .toBe(1);

    // And a drop on an old tree: somebody reorders, then the deaf page drops beside what it still sees.
    await remove((await level()).filter(({ id }) => made.includes(id)).map(({ id }) => id));
    const three = [await make('一号中队', 0, 30), await make('二号中队', 0, 31), await make('三号中队', 0, 32)];
    const [quick, slow] = pages;
    await Promise.all(
      pages.map((page) => page.getByRole('main').getByRole('button', { name: '刷新', exact: true }).click()),
    );
    await Promise.all(pages.map((page) => line(page, '三号中队').waitFor()));
    await carry(quick, '三号中队', '一号中队', 0.05);
    await quick.mouse.up();
    await expect
      .poll(async () => (await names()).slice(-3), { timeout: 25_000 })
      .toEqual(['三号中队', '一号中队', '二号中队']);
    await carry(slow, '二号中队', '一号中队', 0.05);
    await slow.mouse.up();
    await slow
      .getByText(/别人刚刚改动了这里/)
      .first()
      .waitFor();
    await expect
      .poll(async () => (await shown(slow)).slice(-3), { timeout: 25_000 })
      .toEqual(['三号中队', '一号中队', '二号中队']);
    expect((await names()).slice(-3)).toEqual(['三号中队', '一号中队', '二号中队']);
    await remove(three);
    await Promise.all(pages.map((page) => page.context().close()));
  });

  it('is readable in the dark, in French, on a phone: the details come in a drawer', async () => {
    const top = await make('总部照明所', 0, 40);
    const page = await operator(false, { theme: 'dark', language: 'fr_FR', width: 390, height: 844 });
    await expectAccessible(page, 'the tree on a phone, dark');
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await line(page, '总部照明所').click();
    await page.getByRole('dialog', { name: 'Détails de l’organisation' }).getByText('Aucune personne').waitFor();
    await expectAccessible(page, 'the drawer on a phone, dark');
    await remove([top]);
    await office.leave(page);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;

beforeAll(async () => {
  office = await startOffice();
});
afterAll(() => office?.close());

interface Node {
  id: number;
  title: string;
  name: string;
  orderby: number;
}
const children = async (parentId = 0) =>
  (await office.admin.get<{ data: Node[] }>(`/api/system/menu/getMenu?parentId=${parentId}`)).data;
const titles = async (parentId = 0) => (await children(parentId)).map(({ title }) => title);
const grip = (page: Page, name: string) => page.getByRole('button', { name: `移动“${name}”` });
const line = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name }).first();

async function drag(page: Page, name: string, over: string, part: number): Promise<void> {
  const [from, to] = [await grip(page, name).boundingBox(), await line(page, over).boundingBox()];
  if (!from || !to) throw new Error(`${name} or ${over} is not there`);
  const target = { x: to.x + 120, y: to.y + to.height * part };
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x, target.y - 10, { steps: 8 });
  await page.mouse.move(target.x, target.y, { steps: 4 });
  await page.mouse.up();
}

describe('the menu tree', () => {
  it('is reordered by mouse and by keys; the own menu follows without a reload', async () => {
    const page = await office.open('/system/async-routes-config');
    await line(page, '智慧灯杆').waitFor();
    const [first, second, ...rest] = await titles();
    expect([first, second]).toEqual(['智慧路灯', '智慧灯杆']);
    await drag(page, '智慧灯杆', '智慧路灯', 0.08);
    await expect.poll(() => titles(), { timeout: 10_000 }).toEqual(['智慧灯杆', '智慧路灯', ...rest]);
    expect((await children()).map(({ orderby }) => orderby)).toEqual([1, 2, 3, 4]);
    const top = () => page.getByRole('navigation').first().getByRole('link').allInnerTexts();
    await expect
      .poll(async () => (await top()).filter((text) => text.startsWith('智慧')), { timeout: 10_000 })
      .toEqual(['智慧灯杆', '智慧路灯']);

    // Back again without dragging: picked up, one place down, put down.
    await grip(page, '智慧灯杆').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: '正在移动“智慧灯杆”' }).waitFor();
    await expectAccessible(page, 'a node picked up');
    const place = page.getByRole('group', { name: '正在移动“智慧灯杆”' }).getByText('放到“智慧路灯”之后');
    for (let tries = 0; tries < 6 && !(await place.isVisible()); tries += 1) await page.keyboard.press('ArrowDown');
    for (let tries = 0; tries < 6 && !(await place.isVisible()); tries += 1) await page.keyboard.press('ArrowUp');
    await place.waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(), { timeout: 10_000 }).toEqual(['智慧路灯', '智慧灯杆', ...rest]);
    await office.leave(page);
  });

  it('lets nothing go where the rules forbid it', async () => {
    const page = await office.open('/system/async-routes-config');
    await line(page, '智慧灯杆').waitFor();
    // A first-level node inside another one: it lands beside it at the most.
    await drag(page, '智慧灯杆', '智慧路灯', 0.5);
    expect(await titles()).toContain('智慧灯杆');
    const lamp = (await children()).find(({ title }) => title === '智慧路灯');
    expect((await children(lamp?.id)).some(({ title }) => title === '智慧灯杆')).toBe(false);
    await office.leave(page);
  });

  it('gets a section, told everything that is wrong at once, and loses it again', async () => {
    const page = await office.open('/system/async-routes-config');
    await page.getByRole('button', { name: '在“异步路由配置”下添加' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByText('请填写路由标题').waitFor();
    await page.getByText('请填写路由名').first().waitFor();
    await expectAccessible(page, 'the dialog with its problems');
    const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
    await dialog.getByLabel('类型').click();
    await page.locator('.ant-select-item-option').filter({ hasText: '一级菜单' }).click();
    await field('标题').fill('应急预案');
    await field('路由名').fill('emergency');
    await field('访问路径').fill('/emergency');
    await dialog.getByRole('combobox', { name: '组件' }).fill('layout');
    await dialog.getByRole('button', { name: '保存' }).click();
    await page.getByText('添加节点成功！').waitFor();
    expect(await titles()).toContain('应急预案');
    await page.getByRole('button', { name: '删除“应急预案”' }).click();
    await page.getByText('确定删除该节点及其子节点吗？').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: /删除/ }).click();
    await page.getByText('删除成功！').waitFor();
    expect(await titles()).not.toContain('应急预案');
    await office.leave(page);
  });
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, signIn, untilQuiet } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

const ownPassword = 'Laternen_83Weg';
let office: Office;

beforeAll(async () => {
  office = await startOffice();
});
afterAll(() => office?.close());

const item = (page: Page, title: string) => page.getByRole('treeitem', { name: title, exact: true });
const roleNamed = async (name: string) =>
  (await office.admin.get<{ data: { id: number; name: string }[] }>('/api/cscpRolesCreators?size=1000')).data.find(
    (role) => role.name === name,
  );

describe('a role', () => {
  it('is made with half-checked parents, and whoever gets it sees just that', async () => {
    const page = await office.open('/system/role-management');
    await page.getByRole('button', { name: '新增角色' }).click();
    await page.getByRole('button', { name: '提交' }).click();
    await page.getByText('不能为空').first().waitFor();
    await expectAccessible(page, 'the role form with its problems');
    await page.getByLabel('角色名称').fill('道路登记员');
    await page.getByLabel('角色范围').fill('滨江新区');
    await item(page, '资产').focus();
    // Down to "roads" and into it by keys alone.
    await item(page, '道路').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(' ');
    expect(await item(page, '查看').first().getAttribute('aria-checked')).toBe('true');
    expect(await item(page, '道路').getAttribute('aria-checked')).toBe('mixed');
    expect(await item(page, '资产').getAttribute('aria-checked')).toBe('mixed');
    await page.getByRole('button', { name: '提交' }).click();
    await page.waitForURL('**/system/role-management');
    await page.getByText('道路登记员').first().waitFor();
    const role = await roleNamed('道路登记员');
    const { powers } = await office.admin.get<{ powers: { type: string; permissionCode: string | null }[] }>(
      `/api/v1/roles/${role?.id}/powers`,
    );
    // The half-checked parents are granted too (specified 4.5).
    expect(powers.map(({ type }) => type).toSorted()).toEqual(['button', 'menu1', 'menu2']);
    await office.leave(page);

    const { data } = await office.admin.send<{ data: { password: string } }>('POST', '/api/tbUsers', {
      username: 'zhoumin',
      roles: String(role?.id),
      treeLevel: 3,
    });
    const own = await (await office.visitor()).newPage();
    await signIn(own, office.product.url, 'zhoumin', data.password);
    await own.waitForURL('**/update-password');
    await own.locator('input[autocomplete=current-password]').fill(data.password);
    await own.locator('input[autocomplete=new-password]').first().fill(ownPassword);
    await own.keyboard.press('Enter');
    await own.waitForURL('**/home');
    await own.getByRole('navigation').first().getByText('资产').click();
    await own.waitForURL('**/asset/roads');
    expect(await own.getByRole('button', { name: '新增' }).count()).toBe(0);
    await own.goto(`${office.product.url}/system/role-management`);
    await own.waitForURL('**/404');
    const token = await own.evaluate(() => localStorage.getItem('token'));
    const forbidden = await fetch(`${office.product.url}/api/cscpRolesCreators`, {
      headers: { authorization: token ?? '' },
    });
    expect(forbidden.status).toBe(403);

    // What the role may do now is in force in the open console without signing in again.
    await office.admin.send('PUT', '/api/system/cscpRoless', {
      id: role?.id,
      menus: (await office.admin.get<{ id: number }[]>('/api/user/cscpMenus')).map(({ id }) => id),
    });
    await own.getByRole('navigation').first().getByText('系统').waitFor();
    await own.context().close();
  });

  it('refuses a taken name, is copied, and stays while accounts use it', async () => {
    const page = await office.open('/system/role-add');
    await page.getByLabel('角色名称').fill('道路登记员');
    await page.getByLabel('角色范围').fill('滨江');
    await page.getByRole('button', { name: '提交' }).click();
    await page
      .getByText(/已被占用|已存在/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: '提交' }).isEnabled()).toBe(true);
    await page.goto(`${office.product.url}/system/role-management`);
    await page.getByRole('button', { name: '道路登记员 的更多操作' }).click();
    await page.getByRole('menuitem', { name: '复制角色' }).click();
    // A dialog begins with its field, not with the button that closes it.
    await page.locator('.ant-modal input:focus').waitFor();
    await page.getByRole('dialog').getByLabel('角色名称').fill('道路登记员二');
    await page.getByRole('button', { name: '复制', exact: true }).click();
    await page.waitForURL('**/system/role-edit');
    await page.getByRole('button', { name: '返回' }).click();
    await page.getByRole('button', { name: '删除角色 道路登记员', exact: true }).click();
    await page.getByText('该角色已被1个账号使用，不能删除。').waitFor();
    await expectAccessible(page, 'a role in use');
    await page.getByRole('button', { name: '知道了' }).click();
    await page.getByRole('button', { name: '删除角色 道路登记员二' }).click();
    await page.getByRole('button', { name: '删除', exact: true }).click();
    await expect.poll(() => roleNamed('道路登记员二'), { timeout: 10_000 }).toBeUndefined();
    await office.leave(page);
  });

  it.each([{ theme: 'light' as const }, { theme: 'dark' as const, language: 'fr_FR', width: 390, height: 844 }])(
    'is shown accessibly: %j',
    async (look) => {
      const page = await office.open('/system/role-management', look);
      await untilQuiet(page);
      await expectAccessible(page, `role cards ${JSON.stringify(look)}`);
      await page.goto(`${office.product.url}/system/role-management?open=1`);
      await page.getByRole('dialog').getByRole('heading', { level: 2 }).first().waitFor();
      await expectAccessible(page, `what a role may do ${JSON.stringify(look)}`);
      await page.goto(`${office.product.url}/system/role-add`);
      await page.getByRole('tree').waitFor();
      await expectAccessible(page, `role form ${JSON.stringify(look)}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await office.leave(page);
    },
  );
});

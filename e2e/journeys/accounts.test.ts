import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, signIn } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

const ownPassword = 'Laternen_83Weg';
let office: Office;

beforeAll(async () => {
  office = await startOffice();
  const { admin } = office;
  const items = await admin.get<{ id: number; name: string; permissionCode: string | null }[]>('/api/user/cscpMenus');
  // May see roads and add to them, and nothing else.
  const roads = items.find((item) => item.name === 'asset-roads')?.id;
  const mayAdd = items.find((item) => item.permissionCode === 'record.add')?.id;
  await admin.send('POST', '/api/cscpRolesCreators', {
    name: '道路登记员',
    roleExtent: '滨江',
    icon: 'road',
    menus: [roads, mayAdd],
  });
});
afterAll(() => office?.close());

const choose = async (page: Page, label: string, option: string): Promise<void> => {
  await page.getByRole('dialog').getByLabel(label).click();
  await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
};
const menuOf = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `${name} 的更多操作` }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

describe('an account', () => {
  it('is made with a role, gets one password, changes it at the first sign-in, and sees only what was granted', async () => {
    const page = await office.open('/system/user-management');
    await page.getByRole('button', { name: '新增', exact: true }).click();
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('不能为空').first().waitFor();
    await expectAccessible(page, 'the dialog with its problems');
    await page.getByRole('dialog').getByLabel('用户名').fill('zhoumin');
    await choose(page, '账号级别', 'C');
    await choose(page, '角色', '道路登记员');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: '保存' }).click();
    const password = await page.locator('output').innerText();
    await expectAccessible(page, 'the password, shown once');
    await page.getByRole('button', { name: '我已保存，关闭' }).click();
    await page.getByRole('row').filter({ hasText: 'zhoumin' }).getByText('初始密码').waitFor();

    const own = await (await office.visitor()).newPage();
    await signIn(own, office.product.url, 'zhoumin', password);
    await own.waitForURL('**/update-password');
    await own.locator('input[autocomplete="current-password"]').fill(password);
    await own.locator('input[autocomplete="new-password"]').first().fill(ownPassword);
    await own.keyboard.press('Enter');
    await own.waitForURL('**/home');
    await own.getByRole('navigation').first().waitFor();
    await own.goto(`${office.product.url}/system/user-management`);
    await own.getByRole('heading', { name: '没有这个页面' }).waitFor();
    const refused = await own.evaluate(async () => {
      const reply = await fetch('/api/tbUsers', { headers: { Authorization: localStorage.getItem('token') ?? '' } });
      return [reply.status, ((await reply.json()) as { code: number }).code];
    });
    expect(refused).toEqual([403, 1201]);
    await own.goto(`${office.product.url}/asset/roads`);
    await own.getByRole('button', { name: '新增', exact: true }).waitFor();

    await page.getByRole('button', { name: '刷新' }).click();
    await page.getByRole('button', { name: /查看 zhoumin 的会话/ }).click();
    await page
      .getByText(/Chrome \d+ · Linux/)
      .first()
      .waitFor();
    await expectAccessible(page, 'the sessions');
    await page
      .getByRole('button', { name: /^结束 Chrome/ })
      .first()
      .click();
    await page.getByText('会话已结束').waitFor();
    await own.waitForURL('**/login');
    await own.context().close();
    await office.leave(page);
  });
});

describe('a preview', () => {
  it('shows in a tab of its own what the account sees, changes nothing, and leaves the administrator signed in', async () => {
    const page = await office.open('/system/user-management');
    const shared = () =>
      page.evaluate(() => ['token', 'username', 'workId', 'rememberme'].map((key) => localStorage.getItem(key)));
    const before = await shared();
    const opened = page.context().waitForEvent('page');
    await menuOf(page, 'zhoumin', '以此账号预览');
    const tab = await opened;
    await tab.waitForURL('**/home');
    await tab.getByText('以 zhoumin 的身份预览（只读）').waitFor();
    await tab.locator('h1').first().waitFor();
    await expectAccessible(tab, 'the banner');
    expect(tab.url()).not.toMatch(/Bearer|token/);
    await tab.goto(`${office.product.url}/system/user-management`);
    await tab.getByRole('heading', { name: '没有这个页面' }).waitFor();
    await tab.goto(`${office.product.url}/asset/roads?form=new`);
    expect(await tab.getByRole('button', { name: '保存' }).isDisabled()).toBe(true);
    const refused = await tab.evaluate(async () => {
      const reply = await fetch('/api/v1/records/road', {
        method: 'POST',
        body: '{}',
        headers: { Authorization: sessionStorage.getItem('preview.token') ?? '', 'content-type': 'application/json' },
      });
      return [reply.status, ((await reply.json()) as { code: number }).code];
    });
    expect(refused).toEqual([403, 1210]);
    // Without the form, whose mask lies over the banner.
    await tab.goto(`${office.product.url}/asset/roads`);
    await tab.reload();
    await tab.getByText('以 zhoumin 的身份预览（只读）').waitFor();
    const closed = tab.waitForEvent('close');
    // The click may find its page gone before it is told that it was done.
    void tab
      .getByRole('button', { name: '退出预览' })
      .click()
      .catch(() => undefined);
    await closed;
    expect(await shared()).toEqual(before);
    await page.getByRole('button', { name: '刷新' }).click();
    await page.getByText('zhoumin').first().waitFor();
    await office.leave(page);
  });
});

describe('user management', () => {
  it.each([{ theme: 'dark' as const }, { theme: 'light' as const, language: 'fr_FR', width: 390, height: 844 }])(
    'is accessible and fits: %o',
    async (look) => {
      const page = await office.open('/system/user-management', look);
      await page.getByText('zhoumin').first().waitFor();
      await expectAccessible(page, `list ${JSON.stringify(look)}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await page.goto(`${office.product.url}/system/user-management?form=1`);
      await page.getByRole('dialog').locator('input').first().waitFor();
      await expectAccessible(page, `dialog ${JSON.stringify(look)}`);
      await office.leave(page);
    },
  );
});

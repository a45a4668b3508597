import { readFile } from 'node:fs/promises';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { drawn, menuPages, visit } from '../fixtures/menu-walk.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;
beforeAll(async () => {
  office = await startOffice();
  await office.admin.send('POST', '/api/v1/records/work-area', {
    workCode: 'BJ',
    workName: '滨江新区',
    timeZone: 'Asia/Shanghai',
  });
});
afterAll(() => office?.close());

/** Pages whose emptiness asks nothing of anybody, and why. */
const withoutStep: Readonly<Record<string, string>> = {
  '/lamp/history': 'asks to choose devices in the field above it, with or without any',
};

describe('a product without a device', () => {
  it('says on every page of the menu that shows nothing what to do first', async () => {
    const page = await office.open('/home');
    const bare: string[] = [];
    const mute: string[] = [];
    for (const path of await menuPages(page)) {
      await visit(page, path);
      await drawn(page);
      const steps = await page.locator('main [data-kind="empty"]').evaluateAll((notices) =>
        notices
          .filter((notice) => notice.checkVisibility())
          .map((notice) => {
            const bar = (notice.closest('[data-tab]') ?? document.body).querySelector('h1')?.parentElement;
            const first = bar?.querySelector('.ant-btn-primary:not(:disabled)');
            return notice.querySelector('button:not(:disabled), a[href]') !== null || first?.checkVisibility() === true;
          }),
      );
      if (steps.length > 0) bare.push(path);
      if (steps.includes(false)) mute.push(path);
    }
    expect(mute.filter((path) => !Object.hasOwn(withoutStep, path))).toEqual([]);
    expect(bare).toEqual(expect.arrayContaining(['/lamp/approvals', '/lamp/nights', '/asset/topology']));
    expect(bare.length).toBeGreaterThanOrEqual(25);
    await office.leave(page);
  }, 240_000);
});

describe('a work group', () => {
  it('is told all that is missing, made with its members and project, found again, and taken away with what is lost', async () => {
    const page = await office.open('/system/workgroup-management');
    await page.getByRole('button', { name: '新增' }).first().click();
    await page.getByRole('button', { name: '提交' }).click();
    expect(await page.getByText('不能为空').count()).toBe(4);
    await page.getByLabel('工作组名称').fill('夜间抢修');
    await page.getByLabel('工作组描述').fill('滨江夜间抢修组');
    await page.getByRole('combobox', { name: '成员' }).fill('admin');
    await page.locator('.ant-select-item-option').filter({ hasText: 'admin' }).first().click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: '所属项目' }).click();
    await page.locator('.ant-select-item-option').filter({ hasText: '滨江新区' }).first().click();
    await page.getByRole('button', { name: '提交' }).click();
    await page.getByText('新建工作组成功！').waitFor();
    await page.waitForURL('**/system/workgroup-management');
    await page.getByRole('search').getByLabel('名称').fill('抢修');
    await page.keyboard.press('Enter');
    await page.getByText('共找到 1 条结果').waitFor();
    await page.getByRole('button', { name: '删除 夜间抢修' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 名成员将不再通过工作组“夜间抢修”看到项目“滨江新区”', { exact: false }).waitFor();
    await expectAccessible(page, 'deleting a work group');
    await dialog.getByRole('button', { name: '删除' }).click();
    await page.getByText('共找到 0 条结果').waitFor();
    await office.leave(page);
  });
});

describe('the operation log', () => {
  it('shows what was done with its detail, and exports it as a task whose file another program opens', async () => {
    const page = await office.open('/system/logging-operation');
    await page.getByText(/共找到 \d+ 条结果/).waitFor();
    await page.getByRole('button', { name: '导出' }).first().click();
    const dialog = page.getByRole('dialog', { name: '导出操作日志' });
    // The last seven days are chosen already; a quarter is one press away.
    await dialog.getByText('共 7 天', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: /三个月/ }).click();
    await dialog.getByText('共 90 天', { exact: false }).waitFor();
    await expectAccessible(page, 'export dialog');
    await dialog.getByRole('button', { name: '导出', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /下载/ }).first().click(),
    ]);
    const sheet = await readSheet(await readFile(await file.path()));
    expect(file.suggestedFilename()).toMatch(/^操作日志.*\.xlsx$/);
    expect(sheet.length).toBeGreaterThan(1);
    await office.leave(page);
  });
});

describe('the own profile', () => {
  it('opens its password dialog again when the old password was wrong, and goes home once it is saved', async () => {
    const page = await office.open('/self-edit');
    await page.getByRole('button', { name: '修改密码' }).click();
    const dialog = page.getByRole('dialog');
    const fields = dialog.locator('input[type=password]');
    await fields.nth(0).fill('not-the-password');
    await fields.nth(1).fill('Journey-4712-lamp');
    await fields.nth(2).fill('Journey-4712-lamp');
    await dialog.getByRole('button', { name: '确定' }).click();
    await page.getByRole('alert').filter({ hasText: '更新密码失败' }).first().waitFor();
    await dialog.getByRole('button', { name: '取消' }).click();
    for (const [field, value] of [
      ['familyName', '周'],
      ['name', '敏'],
      ['mobile', '13800138000'],
      ['email', 'zhou@example.com'],
    ] as const)
      await page.locator(`form [id$="-${field}"]`).fill(value);
    await page.getByRole('button', { name: '保存' }).click();
    await page.waitForURL('**/home');
    await page.getByText('更新信息成功！').waitFor();
    expect(await office.admin.get('/api/tbUsers/tbCurrentUser')).toMatchObject({ familyName: '周', name: '敏' });
    await office.leave(page);
  });
});

describe('the language', () => {
  it.each([
    ['zh_TW', 'zh-TW', '操作紀錄'],
    ['en_US', 'en-US', 'Operation log'],
    ['fr_FR', 'fr-FR', 'Journal des opérations'],
    ['ja_JP', 'ja-JP', '操作履歴'],
    ['ko_KR', 'ko-KR', '작업 로그'],
  ] as const)('%s: menus, texts, server messages and exports follow the switcher', async (locale, tag, title) => {
    const page = await office.open('/system/logging-operation');
    await page.getByRole('button', { name: /^语言/ }).click();
    const name = { zh_TW: '繁體中文', en_US: 'English', fr_FR: 'Français', ja_JP: '日本語', ko_KR: '한국어' }[locale];
    await Promise.all([page.waitForEvent('load'), page.getByRole('menuitem', { name }).click()]);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(tag);
    // The server speaks it too: an address that nobody has, and the words of an action.
    const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
    const refused = await fetch(`${office.product.url}/api/v1/records/road/999999`, {
      headers: { authorization: token, 'accept-language': locale },
    });
    expect(refused.headers.get('content-language')).toBe(tag);
    const text = await page.locator('main').innerText();
    // Whatever language it is, nothing of Simplified Chinese is left on the page but what people typed.
    expect(text.match(/[录导级务历页认]/gu)?.join('') ?? '').toBe('');
    await office.leave(page);
  });
});

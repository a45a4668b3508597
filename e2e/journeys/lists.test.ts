import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, signIn } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;

beforeAll(async () => {
  office = await startOffice();
  await office.admin.send('POST', '/api/v1/records/work-area', {
    workCode: 'L-1',
    workName: '清单项目',
    timeZone: 'Asia/Shanghai',
  });
  const area = await office.admin.send<{ id: number }>('POST', '/api/v1/records/work-area', {
    workCode: 'L-2',
    workName: '清单项目二',
    timeZone: 'Asia/Shanghai',
  });
  for (const equipmentCode of ['L-SLC-1', 'L-SLC-2'])
    await office.admin.send('POST', '/api/v1/devices', {
      family: 'single-lamp-controller',
      equipmentCode,
      equipmentName: equipmentCode,
      workId: area.id,
    });
});
afterAll(() => office?.close());

it.each(['light', 'dark'] as const)('whatever is reached by Tab shows that it has the focus (%s)', async (theme) => {
  const page = await office.open('/asset/work-areas', { theme });
  await page.getByRole('columnheader').first().waitFor();
  const seen: string[] = [];
  const bare: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const one = document.activeElement;
      if (one === null || one === document.body || !one.matches('a, button, th, summary')) return null;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      return {
        name: `${one.localName} ${one.getAttribute('aria-label') ?? one.textContent}`,
        shown: (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
      };
    });
    if (found === null) continue;
    seen.push(found.name.split(' ')[0] ?? '');
    if (!found.shown) bare.push(found.name);
  }
  expect(bare).toEqual([]);
  expect(new Set(seen)).toEqual(new Set(['a', 'button', 'th']));
  await office.leave(page);
});

it.each(['light', 'dark'] as const)(
  'a refresh that fails says since when and why, keeps the rows, and ends with the next answer (%s)',
  async (theme) => {
    const page = await office.open('/asset/work-areas', { theme });
    await page.getByRole('cell', { name: 'L-1', exact: true }).waitFor();
    await page.getByText(/^数据截至 \d\d:\d\d:\d\d$/).waitFor();
    const asked = '**/api/v1/records/work-area?*';
    await page.route(asked, (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 403,
          code: 1201,
          message: '缺少权限 record.query',
          permissions: ['record.query'],
        }),
      }),
    );
    await page.getByRole('button', { name: '刷新', exact: true }).click();
    const line = page.getByRole('status').filter({ hasText: /^\d\d:\d\d 之后未刷新：缺少权限 record\.query/ });
    await line.waitFor();
    // The warning of the specification, besides: soon with the right in words, and who has it.
    await page
      .getByRole('region', { name: '通知' })
      .getByText('缺少权限「查看基础数据」 · 本区域还没有人有这项权限')
      .waitFor();
    expect(await page.getByRole('cell', { name: 'L-1', exact: true }).count()).toBe(1);
    await expectAccessible(page, 'a list that was not refreshed');
    await page.unroute(asked);
    await line.getByRole('button', { name: '重试' }).click();
    await line.waitFor({ state: 'detached' });
    await office.leave(page);
  },
);

it('a row beside its list is accessible, in light and dark', async () => {
  for (const theme of ['light', 'dark'] as const) {
    const page = await office.open('/system/user-management', { theme });
    await page.getByRole('cell', { name: 'admin' }).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('v');
    await page.getByRole('complementary', { name: '详情预览' }).waitFor();
    await expectAccessible(page, `a peek, ${theme}`);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: '详情预览' }).waitFor({ state: 'detached' });
    await office.leave(page);
  }
});

it('a view is saved with its count, is there after a reload, begins the list, and is seen by others with their own rows', async () => {
  const page = await office.open('/asset/work-areas?q=L-1');
  const bar = page.getByRole('toolbar', { name: '视图' });
  await page.getByRole('cell', { name: 'L-1', exact: true }).waitFor();
  await bar.getByRole('button', { name: '存为视图' }).click();
  await page.getByLabel('名称', { exact: true }).fill('第一个项目');
  await page.getByRole('checkbox', { name: '共享给同区域能打开此列表的人' }).check();
  await page.getByRole('checkbox', { name: '每次打开列表先显示它' }).check();
  await expectAccessible(page, 'the form of a view');
  await page.keyboard.press('Enter');
  await page.getByLabel('名称', { exact: true }).waitFor({ state: 'detached' });
  const view = bar.getByRole('button', { name: '第一个项目 1', exact: true });
  await view.waitFor();
  expect(await view.getAttribute('aria-pressed')).toBe('true');
  await bar.getByRole('button', { name: '全部' }).click();
  await page.getByRole('cell', { name: 'L-2', exact: true }).waitFor();
  await page.goto(`${office.product.url}/asset/work-areas`);
  await page.waitForURL('**/asset/work-areas?q=L-1');
  await view.waitFor();
  expect(await page.getByRole('cell', { name: 'L-2', exact: true }).count()).toBe(0);
  await expectAccessible(page, 'a list with views');

  const { data } = await office.admin.send<{ data: { password: string } }>('POST', '/api/tbUsers', {
    username: 'reader',
    roles: '1',
    treeLevel: 3,
  });
  const reader = await (await office.visitor()).newPage();
  await signIn(reader, office.product.url, 'reader', data.password);
  await reader.waitForURL('**/update-password');
  await reader.locator('input[autocomplete=current-password]').fill(data.password);
  await reader.locator('input[autocomplete=new-password]').first().fill('Lantern-4711-night');
  await reader.keyboard.press('Enter');
  await reader.waitForURL('**/home');
  await reader.goto(`${office.product.url}/asset/work-areas`);
  // The account belongs to no project: the view is there, its rows are not.
  const seen = reader.getByRole('toolbar', { name: '视图' }).getByRole('button', { name: '第一个项目 0', exact: true });
  await seen.waitFor();
  expect(await seen.getAttribute('aria-pressed')).toBe('false');
  expect(await seen.getAttribute('title')).toBe('第一个项目、管理员 共享');
  await reader.context().close();

  await bar.getByRole('button', { name: '视图“第一个项目”的操作' }).click();
  await page.getByRole('menuitem', { name: '删除视图' }).click();
  await view.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '撤销' }).click();
  await view.waitFor();
  await office.leave(page);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
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
        body: JSON.stringify({ status: 403, message: '缺少权限 record.query' }),
      }),
    );
    await page.getByRole('button', { name: '刷新', exact: true }).click();
    const line = page.getByRole('status').filter({ hasText: /^\d\d:\d\d 之后未刷新：缺少权限 record\.query/ });
    await line.waitFor();
    // The warning of the specification, besides.
    await page.getByRole('region', { name: '通知' }).getByText('缺少权限 record.query').waitFor();
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

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { familyPageNames } from '../../contract/family-pages.ts';
import { expectAccessible, untilQuiet } from '../fixtures/browser.ts';
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

/** Opens an address within the console that is there, and leaves no other tab open. */
async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, path);
  // The page before stays in sight until this one can be drawn.
  await page
    .locator(`[data-tab="${path.split('?')[0]}"] h1`)
    .filter({ visible: true })
    .first()
    .waitFor();
  await untilQuiet(page);
  await page
    .locator('[data-tab-strip] li:not(:has([aria-current])) button')
    .evaluateAll((closers) => closers.forEach((closer) => (closer as HTMLElement).click()));
}

/** Every page that the menu leads to. */
async function menuPages(page: Page): Promise<readonly string[]> {
  const links = () =>
    page
      .locator('nav a[href^="/"]')
      .evaluateAll((found) => found.map((one) => new URL((one as HTMLAnchorElement).href).pathname));
  const pages = new Set<string>();
  for (const top of await links()) {
    await visit(page, top);
    for (const path of await links()) pages.add(path);
  }
  return [...pages];
}

/** Addresses of views that are lists though the page opens with another view. */
const views = ['/lamp/monitor?view=list', '/lamp/approvals?view=history', '/asset/inbox?view=batches'];
const shown = '[data-list-page]';

/** What is drawn of the list in view: where it begins, and the parts every list has. */
const partsOf = (page: Page) =>
  page
    .locator(shown)
    .filter({ visible: true })
    .evaluate((list) => {
      const row = list.querySelector('tbody tr.ant-table-row');
      // Without rows: the card that says so.
      const card = [...list.querySelectorAll('section')].at(-1);
      return {
        y: Math.round((row ?? card ?? list).getBoundingClientRect().y),
        rows: list.querySelectorAll('tbody tr.ant-table-row').length,
        sticky: list.querySelector('.ant-table-sticky-holder') !== null,
        index: [...list.querySelectorAll('th')].some((head) => head.textContent === '序号'),
        pager: list.querySelector('.ant-pagination') !== null,
      };
    });

it('every list of the menu begins at y 250 or above, with the parts and the keys that all of them have', async () => {
  const page = await office.open('/home');
  const lists: string[] = [];
  let walked = 0;
  for (const path of [...(await menuPages(page)), ...views]) {
    await visit(page, path);
    if ((await page.locator(shown).filter({ visible: true }).count()) === 0) continue;
    lists.push(path);
    const { y, rows, sticky, index, pager } = await partsOf(page);
    // Figures of the connections stand above their list.
    if (path !== '/asset/connections') expect(y, path).toBeLessThanOrEqual(250);
    if (rows === 0) continue;
    expect({ path, sticky, index, pager }).toEqual({ path, sticky: true, index: true, pager: true });
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('[data-row-key]')?.getAttribute('data-row-key') ?? null);
    // A page that was only just shown hears keys a moment later.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('j');
          return focused();
        },
        { message: path, timeout: 10_000 },
      )
      .not.toBeNull();
    const first = await focused();
    if (rows > 1) {
      walked += 1;
      await page.keyboard.press('j');
      expect(await focused(), path).not.toBe(first);
      await page.keyboard.press('k');
      expect(await focused(), path).toBe(first);
    }
  }
  expect(lists).toEqual(expect.arrayContaining(familyPageNames.map((name) => `/${name}`)));
  expect(lists).toEqual(expect.arrayContaining([...views, '/system/user-management', '/system/logging-login']));
  expect(lists.length).toBeGreaterThanOrEqual(40);
  expect(walked).toBeGreaterThanOrEqual(3);
  await visit(page, '/asset/single-lamp-controllers');
  await page.getByRole('cell', { name: 'L-SLC-1' }).first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await page.getByRole('dialog').getByText('L-SLC-1').first().waitFor();
  await page.keyboard.press('j');
  await page.getByRole('dialog').getByText('L-SLC-2').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await office.leave(page);

  const phone = await office.open('/home', { width: 390, height: 844 });
  for (const path of lists) {
    await visit(phone, path);
    const { tables, wide } = await phone
      .locator(shown)
      .filter({ visible: true })
      .evaluate((list) => ({
        tables: list.querySelectorAll('.ant-table').length,
        wide: list.scrollWidth > list.clientWidth || document.documentElement.scrollWidth > window.innerWidth,
      }));
    expect({ path, tables, wide }).toEqual({ path, tables: 0, wide: false });
  }
  await visit(phone, '/asset/single-lamp-controllers');
  await phone.getByText('L-SLC-2').first().waitFor();
  await expectAccessible(phone, 'cards of a device list');
  await office.leave(phone);
}, 300_000);

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

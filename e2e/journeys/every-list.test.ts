import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { familyPageNames } from '../../contract/family-pages.ts';
import { expectAccessible, openBrowser } from '../fixtures/browser.ts';
import { startCity, type City } from '../fixtures/city.ts';
import { drawn, menuPages, visit } from '../fixtures/menu-walk.ts';

let browser: Browser;
let city: City;
beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(200)]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

/** Addresses of views that are lists though the page opens with another view. */
const views = ['/lamp/monitor?view=list', '/lamp/approvals?view=history', '/asset/inbox?view=batches'];
const shown = '[data-list-page]';
/** Nobody waits to be connected in a demo city. */
const emptyInDemo: readonly string[] = ['/asset/inbox', '/asset/inbox?view=batches'];

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

/** The lists that the first walk found, and the codes of the first two lamps. */
const lists: string[] = [];
let codes: readonly string[] = [];

it('every list of the menu begins at y 250 or above, with the parts and the keys that all of them have', async () => {
  const page = await city.open(browser, '/home');
  const bare: string[] = [];
  let walked = 0;
  for (const path of [...(await menuPages(page)), ...views]) {
    await visit(page, path);
    await drawn(page);
    if ((await page.locator(shown).filter({ visible: true }).count()) === 0) continue;
    lists.push(path);
    const { y, rows, sticky, index, pager } = await partsOf(page);
    expect(y, path).toBeLessThanOrEqual(250);
    if (rows === 0) {
      bare.push(path);
      continue;
    }
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
  // The demo city has something to show on every list but these.
  expect(bare.filter((path) => !emptyInDemo.includes(path))).toEqual([]);
  expect(walked).toBeGreaterThanOrEqual(30);
  await visit(page, '/asset/single-lamp-controllers');
  codes = await page
    .locator('[data-list-page] tbody tr[data-row-key]')
    .filter({ visible: true })
    .evaluateAll((rows) =>
      rows.slice(0, 2).map((row) => /[A-Z]{2}-\d{4}/.exec(row.textContent ?? '')?.[0] ?? 'no code'),
    );
  await page.keyboard.press('j');
  await page.keyboard.press('v');
  await page.getByRole('dialog').getByText(String(codes[0])).first().waitFor();
  await page.keyboard.press('j');
  await page.getByRole('dialog').getByText(String(codes[1])).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.context().close();
}, 300_000);

it('every list is cards on a phone, as wide as the phone', async () => {
  expect(lists.length).toBeGreaterThanOrEqual(40);
  const phone = await city.open(browser, '/home', { width: 390, height: 844 });
  for (const path of lists) {
    await visit(phone, path);
    await drawn(phone);
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
  await phone.getByText(String(codes[1])).first().waitFor();
  await expectAccessible(phone, 'cards of a device list');
  await phone.context().close();
}, 300_000);

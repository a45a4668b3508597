import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectAccessible, openBrowser } from '../fixtures/browser.ts';
import { startCity, type City } from '../fixtures/city.ts';

let browser: Browser;
let city: City;

beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(200)]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

describe('the screens', () => {
  const screens = ['/home', '/lamp/monitor', '/lamp/monitor?view=list', '/lamp/monitor?view=list&q=zzzz', '/lamp/central-controllers', '/pole/poles', '/asset/single-lamp-controllers', '/asset/work-areas', '/asset/roads', '/asset/groups', '/no/such/page'];
  it.each(['light', 'dark'] as const)('are accessible with data and empty, %s', async (theme) => {
    const page = await city.open(browser, '/home', { theme });
    for (const path of screens) {
      await page.goto(city.product.url + path);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, `${path} ${theme}`);
    }
    await page.context().close();
  });

  it('are accessible when the server fails', async () => {
    const page = await city.open(browser, '/home');
    await page.route('**/api/v1/{home,lamps,devices,records}**', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify({ code: 1901, status: 500, title: '失败', message: '失败', requestId: 'e2e' }) }));
    for (const path of screens.slice(0, 9)) {
      await page.goto(city.product.url + path);
      await page.getByText('e2e').first().waitFor();
      await expectAccessible(page, `${path} failing`);
    }
    await page.context().close();
  });
});

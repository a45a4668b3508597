import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectAccessible, openBrowser } from '../fixtures/browser.ts';
import { lampsOf, startCity, type City } from '../fixtures/city.ts';

let browser: Browser;
let city: City;

beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(200)]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

const lists = ['/lamp/central-controllers', '/pole/poles', '/asset/single-lamp-controllers', '/asset/work-areas', '/asset/roads', '/asset/groups', '/asset/channels', '/asset/dictionary-items'];
const system = ['user-management', 'user-add', 'role-management', 'role-add', 'workgroup-management', 'workgroup-add', 'organization-management', 'logging-login', 'logging-operation', 'async-routes-config', 'login-appearance'].map((name) => `/system/${name}`);
/** Their answers, so that they can be made to fail. */
const systemCalls = /\/api\/(?:tbUsers\?|cscpRolesCreators|cscpWorkGroups|system\/cscpLog|system\/menu\/getMenu|system\/cscpOrgs\/all|v1\/login-appearances)/;
const screens = ['/home', '/lamp/monitor', '/lamp/monitor?view=list', '/lamp/monitor?view=list&q=zzzz', ...lists, ...system, '/self-edit', '/no/such/page'];
const failure = { status: 500, contentType: 'application/problem+json', body: JSON.stringify({ code: 1901, status: 500, title: '失败', message: '失败', requestId: 'e2e' }) };

describe.each(['light', 'dark'] as const)('the screens, %s', (theme) => {
  it('are accessible with data and empty', async () => {
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
    const page = await city.open(browser, '/home', { theme });
    await page.route('**/api/v1/{home,lamps,devices,records}**', (route) => route.fulfill(failure));
    await page.route(systemCalls, (route) => route.fulfill(failure));
    for (const path of ['/home', '/lamp/monitor', '/lamp/monitor?view=list', ...lists, ...system.filter((one) => !one.endsWith('-add'))]) {
      await page.goto(city.product.url + path);
      await page.getByText('e2e').first().waitFor();
      await expectAccessible(page, `${path} failing ${theme}`);
    }
    await page.context().close();
  });

  it('are accessible with their forms, details and the settings open', async () => {
    const page = await city.open(browser, '/home', { theme });
    for (const path of lists) {
      await page.goto(city.product.url + path);
      await page.getByRole('button', { name: '新增' }).first().click();
      await page.getByRole('dialog').first().waitFor();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, `${path} form ${theme}`);
    }
    const [lamp] = await lampsOf(city.admin, 'states=on');
    await page.goto(`${city.product.url}/lamp/device/${lamp?.id}`);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle');
    await expectAccessible(page, `device page ${theme}`);
    await page.getByRole('button', { name: '设置' }).first().click();
    await page.getByText('设置跟随账号保存').waitFor();
    await expectAccessible(page, `settings ${theme}`);
    await page.context().close();
  });
});

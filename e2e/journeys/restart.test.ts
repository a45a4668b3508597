import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../fixtures/browser.ts';
import { startCity, waitUntil, type City } from '../fixtures/city.ts';

let browser: Browser;
let city: City;

interface Home {
  stale: boolean;
  newestReadingAt: string;
  litRate: object;
  online: object;
  faults: object;
  energy: { kWh: number };
}

beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(200, { fresh: true })]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

describe('a server that is killed in the middle of reporting', () => {
  it('comes back by itself on the page that was open, with the city live', async () => {
    const page = await city.open(browser, '/lamp/monitor?view=list');
    await page
      .getByText(/200 盏/)
      .first()
      .waitFor();
    await city.product.restart('SIGKILL');
    await waitUntil(
      'readings after the restart',
      async () => {
        const { newestReadingAt, stale } = await city.admin.get<Home>('/api/v1/home');
        return !stale && Date.now() - Date.parse(newestReadingAt) < 30_000;
      },
      90,
    );
    await page.getByText('实时').first().waitFor({ timeout: 60_000 });
    await page.context().close();
  });
});

describe('a simulator that has stopped', () => {
  it('leaves the same numbers after a restart of the server, marked stale', async () => {
    const before = await city.admin.get<Home>('/api/v1/home');
    await city.product.restart('SIGTERM', { DEMO: 'off' });
    const after = await city.admin.get<Home>('/api/v1/home');
    expect(after.stale).toBe(true);
    expect(after.faults).toEqual(before.faults);
    expect(after.online).toEqual(before.online);
    expect(after.litRate).toEqual(before.litRate);
    expect(Math.abs(after.energy.kWh - before.energy.kWh)).toBeLessThan(0.5);
    const page = await city.open(browser, '/home');
    await page.getByText(/停在/).first().waitFor();
    await page.context().close();
  });
});

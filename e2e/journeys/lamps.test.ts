import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, openBrowser } from '../fixtures/browser.ts';
import { lampsOf, startCity, waitUntil, type City, type LampRow } from '../fixtures/city.ts';

let browser: Browser;
let city: City;

beforeAll(async () => {
  [browser, city] = await Promise.all([openBrowser(), startCity(400)]);
});
afterAll(async () => {
  await browser?.close();
  await city?.product.stop();
});

async function firstOf(query: string, fits: (lamp: LampRow) => boolean = () => true): Promise<LampRow> {
  const found = (await lampsOf(city.admin, query)).find(fits);
  if (!found) throw new Error(`no lamp for ${query}`);
  return found;
}

/** The drawer of one lamp, opened from the list. */
async function openDrawer(lamp: LampRow): Promise<{ page: Page; drawer: ReturnType<Page['locator']> }> {
  const page = await city.open(browser, `/lamp/monitor?view=list&q=${lamp.code}`);
  await page.getByRole('button', { name: lamp.code, exact: true }).click();
  const drawer = page.getByRole('complementary', { name: lamp.code });
  await drawer.getByRole('button', { name: '关灯' }).waitFor();
  return { page, drawer };
}

type CommandList = { data: { id: number; item: { state: string; error: string | null; proof: { level: number } | null } }[] };
const lastCommand = async (lamp: LampRow) => (await city.admin.get<CommandList>(`/api/v1/commands?deviceId=${lamp.id}`)).data[0];

describe('one lamp', () => {
  it('is dimmed with the slider and confirmed by its own reading', async () => {
    const lamp = await firstOf('states=on');
    const { page, drawer } = await openDrawer(lamp);
    const slider = drawer.getByRole('slider').first();
    await slider.focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('PageDown');
    const chosen = Number(await slider.inputValue());
    expect(chosen).toBeLessThan(100);
    await drawer.getByRole('button', { name: '下发' }).click();
    await drawer.getByText(/，相符/).first().waitFor();
    expect(await lastCommand(lamp)).toMatchObject({ item: { state: 'confirmed', proof: { level: expect.closeTo(chosen, 0) as number } } });
    await waitUntil('the list to show it', async () => (await firstOf(`q=${lamp.code}`)).state === 'dimmed');
    await drawer.getByText(/手动中/).waitFor();
    await expectAccessible(page, 'lamp drawer with a confirmed command');
    await drawer.getByRole('button', { name: '按方案' }).click();
    await waitUntil('the lamp to follow its programme again', async () => (await firstOf(`q=${lamp.code}`)).state === 'on');
    await page.context().close();
  });

  it('that does not answer is timed out, never called done', async () => {
    const lamp = await firstOf('faults=N301');
    const { page, drawer } = await openDrawer(lamp);
    await drawer.getByRole('button', { name: '开灯' }).click();
    await drawer.getByText(/应答超时|没有送达设备/).first().waitFor({ timeout: 60_000 });
    expect(await lastCommand(lamp)).toMatchObject({ item: { state: 'timedOut', proof: null } });
    expect(await drawer.getByText(/，相符/).count()).toBe(0);
    await page.context().close();
  });

  it('with a stuck relay acknowledges and is never confirmed', async () => {
    const lamp = await firstOf('faults=L112');
    const { page, drawer } = await openDrawer(lamp);
    await drawer.getByRole('button', { name: '关灯' }).click();
    await waitUntil('the acknowledgement', async () => (await lastCommand(lamp))?.item.state === 'acknowledged');
    await drawer.getByText(/最多再等/).waitFor();
    await drawer.getByText(/回读不符/).first().waitFor({ timeout: 150_000 });
    expect(await lastCommand(lamp)).toMatchObject({ item: { state: 'timedOut' } });
    await page.context().close();
  }, 240_000);
});

describe('a road', () => {
  it('is dimmed at once; the task shows each lamp’s outcome, failures first', async () => {
    const lamp = await firstOf('states=on', (row) => row.roadId > 0);
    const page = await city.open(browser, '/lamp/monitor?view=list');
    await page.getByRole('button', { name: '按道路、分组控制' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page, 'command dialog');
    await dialog.getByRole('combobox', { name: '请选择' }).fill(lamp.roadName);
    await page.locator('.ant-select-item-option').filter({ hasText: lamp.roadName }).first().click();
    await dialog.getByRole('button', { name: /下发给/ }).click();
    await page.getByRole('complementary').getByText('逐盏结果').waitFor();
    await waitUntil('the road to be dimmed', async () => {
      const lamps = await lampsOf(city.admin, `roadIds=${lamp.roadId}`);
      const sound = lamps.filter((row) => row.fault === null);
      return sound.length > 0 && sound.every((row) => row.state === 'dimmed' && Math.round(row.level ?? 0) === 60);
      // As long as a command may take by its own time-outs: links are slow, and some are weak.
    }, 150);
    await expectAccessible(page, 'task panel');
    await page.context().close();
  }, 240_000);
});

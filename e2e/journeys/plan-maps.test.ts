import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { exampleScheme } from '../../catalogue/lighting/plan/examples.ts';
import { expectAccessible, expectContrast } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;
let schemeId: number;
const roads: number[] = [];

/** Two streets of six lamps each, and a scheme that was frozen. */
beforeAll(async () => {
  office = await startOffice();
  const { admin } = office;
  const made = async (path: string, body: object): Promise<{ id: number; version: number }> =>
    admin.send('POST', path, body);
  for (const [n, roadName] of ['滨江大道', '月明路'].entries())
    roads.push((await made('/api/v1/records/road', { workId: 1, roadCode: `R-${n}`, roadName })).id);
  for (const [n, roadId] of roads.entries())
    for (let k = 1; k <= 6; k += 1)
      await made('/api/v1/devices', {
        ...{ workId: 1, family: 'single-lamp-controller', equipmentCode: `L-${n}-${k}`, equipmentName: `灯 ${k}` },
        ...{ roadId, power: 100, longitude: 120.2 + k * 0.0005, latitude: 30.2 + n * 0.004 },
      });
  const scheme = await made('/api/v1/schemes', { code: 'JN-01', name: '主干路', workAreaId: 1 });
  schemeId = scheme.id;
  const saved = await admin.send<{ version: number }>('PUT', `/api/v1/schemes/${schemeId}/draft`, {
    version: scheme.version,
    content: exampleScheme(),
  });
  await admin.send('POST', `/api/v1/schemes/${schemeId}/versions`, { version: saved.version });
});
afterAll(() => office?.close());

const canvasOf = async (page: Page) => {
  const canvas = page.locator('.maplibregl-canvas');
  await canvas.waitFor();
  return (await canvas.boundingBox())!;
};

it('lamps are chosen on the map by keyboard and by pointer, counted at once, and what is chosen is weighed', async () => {
  const page = await office.open(`/lamp/publish?scheme=${schemeId}`);
  await page.getByRole('button', { name: '在地图上选' }).click();
  const dialog = page.getByRole('dialog', { name: '在地图上选灯' });
  const box = await canvasOf(page);
  await expectAccessible(page, 'the choice on the map');

  // Around everything, by arrows and the space bar; Escape leaves the drawing first, then the dialog.
  const draw = dialog.getByRole('button', { name: '圈选区域' });
  await draw.click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('application').waitFor({ state: 'detached' });
  await draw.click();
  const pane = dialog.getByRole('application', { name: '圈选区域' });
  await pane.waitFor();
  const go = async (key: string, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await page.keyboard.press(`Shift+${key}`);
  };
  const [wide, high] = [Math.ceil(box.width / 120), Math.ceil(box.height / 120)];
  await go('ArrowLeft', wide);
  await go('ArrowUp', high);
  await page.keyboard.press('Space');
  await go('ArrowRight', wide * 2);
  await page.keyboard.press('Space');
  await go('ArrowDown', high * 2);
  await page.keyboard.press('Space');
  await go('ArrowLeft', wide * 2);
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await dialog.getByRole('status').getByText('已选 12 盏').waitFor();

  // The southern street is left out again, by a rectangle.
  await dialog.getByText('去掉', { exact: true }).click();
  await dialog.getByRole('button', { name: /^框选/ }).click();
  await page.mouse.move(box.x + 4, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 80, box.y + box.height - 4, { steps: 3 });
  await page.mouse.up();
  await dialog.getByRole('status').getByText('已选 6 盏').waitFor();
  await dialog.getByRole('button', { name: '就用这些' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('dl dd').first().getByText('6', { exact: true }).waitFor();
});

it('the map of a publication shows each road by what its lamps proved, and leads to them', async () => {
  const { id } = await office.admin.send<{ id: number }>('POST', '/api/v1/publications', {
    ...{ schemeId, scope: { roadIds: roads }, reason: '节能', acceptedFindings: ['darker', 'unknownHolidays'] },
    ...{ confirmCount: 12 },
  });
  const page = await office.open(`/lamp/publication/${id}?roads=map`);
  await page.getByRole('list', { name: '图例' }).waitFor();
  const box = await canvasOf(page);
  await page.locator('.maplibregl-canvas').scrollIntoViewIfNeeded();
  // The northern street lies in the upper third of the map that shows both.
  const found = await vi.waitFor(
    async () => {
      for (let y = 40; y < box.height / 2; y += 6) {
        await page.mouse.move(box.x + box.width / 2 + (y % 12), box.y + y);
        if (await page.locator('[class*="tip"]').getByText('月明路').isVisible()) return y;
      }
      return expect.fail('no road under the pointer');
    },
    { timeout: 60_000 },
  );
  await page.mouse.click(box.x + box.width / 2, box.y + found);
  await vi.waitFor(() => expect(page.url()).toContain(`road=${roads[1]}`), { timeout: 10_000 });
  expect(page.url()).toMatch(/state=[a-z]+/);
  await page.getByText('L-1-3').waitFor();
  await expectAccessible(page, 'the map of a publication');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme="dark"]').waitFor();
  await expectContrast(page, 'the map of a publication, dark');
  await page.getByText('表格', { exact: true }).click();
  await page.getByRole('rowheader', { name: '月明路' }).waitFor();
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectAccessible, expectContrast } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

interface Device {
  id: number;
  version: number;
  longitude: number | null;
  latitude: number | null;
  equipmentCode: string;
}

let office: Office;
const ids: Record<string, number> = {};

/** Two streets of six poles, a lamp on each of the first, a camera with a position of its own. */
beforeAll(async () => {
  office = await startOffice();
  const { admin } = office;
  const make = async (body: Record<string, unknown>): Promise<void> => {
    ids[String(body['equipmentCode'])] = (
      await admin.send<Device>('POST', '/api/v1/devices', { workId: 1, equipmentName: '一台设备', ...body })
    ).id;
  };
  const road = async (roadCode: string, roadName: string) =>
    (await admin.send<{ id: number }>('POST', '/api/v1/records/road', { workId: 1, roadCode, roadName })).id;
  const [river, hill] = [await road('R-1', '滨江大道'), await road('R-2', '月明路')];
  for (let n = 1; n <= 6; n += 1) {
    await make({
      family: 'lamp-pole',
      equipmentCode: `P-${n}`,
      equipmentTypeId: 'equipment_type_13',
      roadId: river,
      longitude: 120.2 + n * 0.0005,
      latitude: 30.2,
    });
    await make({ family: 'single-lamp-controller', equipmentCode: `L-${n}`, roadId: river, lamppostId: ids[`P-${n}`] });
    await make({
      family: 'lamp-pole',
      equipmentCode: `H-${n}`,
      equipmentTypeId: 'equipment_type_13',
      roadId: hill,
      longitude: 120.2 + n * 0.0005,
      latitude: 30.204,
    });
  }
  await make({ family: 'lamp-pole', equipmentCode: 'N-1', equipmentTypeId: 'equipment_type_13', roadId: hill });
});
afterAll(() => office?.close());

const drawn = (page: Page) => page.locator('[data-map="complete"]').waitFor();
const where = async (code: string): Promise<Device> => office.admin.get<Device>(`/api/v1/devices/${ids[code] ?? 0}`);

/** Chooses in the map's own search. */
async function find(page: Page, text: string, choice: string): Promise<void> {
  await page.getByRole('combobox', { name: '在地图上查找' }).fill(text);
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: choice })
    .first()
    .click();
}

/** What is drawn around a device, once nothing moves there any more; its ring and its card are closed again. */
async function around(page: Page, code: string): Promise<() => Promise<Buffer>> {
  await find(page, code, code);
  // Without a wait until it is visible: the map must not go away while its card comes for the first time.
  const ring = (await page.locator('[style*="translate"] > svg[viewBox="-24 -24 48 48"]').boundingBox())!;
  await page.getByRole('complementary', { name: '此处的设备' }).getByRole('button', { name: '关闭' }).click();
  await page.locator('svg[viewBox="-24 -24 48 48"]').waitFor({ state: 'detached' });
  await page.mouse.move(0, 0);
  const clip = {
    x: Math.round(ring.x + ring.width / 2) - 16,
    y: Math.round(ring.y + ring.height / 2) - 16,
    width: 32,
    height: 32,
  };
  let last = await page.screenshot({ clip });
  return () =>
    vi.waitFor(
      async () => {
        const before = last;
        last = await page.screenshot({ clip });
        expect(last.equals(before), 'the map rests').toBe(true);
        return last;
      },
      { timeout: 10_000 },
    );
}

/** A device is drawn while its layer is on, and nothing in its place while it is off. */
async function expectDrawn(page: Page, code: string, family: string): Promise<void> {
  const picture = await around(page, code);
  const shown = await picture();
  const layer = page.getByRole('region', { name: '图层' }).getByRole('checkbox', { name: family });
  await layer.uncheck();
  await vi.waitFor(async () => expect((await picture()).equals(shown), `${code} is gone`).toBe(false), {
    timeout: 10_000,
  });
  const hidden = await picture();
  await layer.check();
  await vi.waitFor(async () => expect((await picture()).equals(shown), `${code} is back as it was`).toBe(true), {
    timeout: 10_000,
  });
  expect(hidden.length, 'an empty place is simpler than a picture').toBeLessThan(shown.length);
}

describe('the device map', () => {
  it('finds a lamp by its road, selects by box, moves a pole after a question, places what stood nowhere', async () => {
    const page = await office.open('/asset/map');
    await drawn(page);
    await page.getByText('单灯控制器', { exact: true }).first().waitFor();
    // Search, picking and boxes are answered by the grid in memory: whether anything is seen, only the picture tells.
    await expectDrawn(page, 'H-3', '灯杆');
    await expectAccessible(page, 'the device map');
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.locator('html[data-theme="dark"]').waitFor();
    await expectContrast(page, 'the device map, dark');

    // By its road: only what belongs to it is left, and a box takes it all.
    await find(page, '滨江', '滨江大道');
    await page.getByText('只看 滨江大道').waitFor();
    await page.getByRole('button', { name: /^框选/ }).click();
    const canvas = (await page.locator('.maplibregl-canvas').boundingBox())!;
    await page.mouse.move(canvas.x + 290, canvas.y + 70);
    await page.mouse.down();
    await page.mouse.move(canvas.x + canvas.width - 60, canvas.y + canvas.height - 60, { steps: 3 });
    await page.mouse.up();
    await page.getByText('已选 12 台').waitFor();
    await page
      .getByRole('toolbar', { name: '选中的设备' })
      .getByRole('button', { name: /单灯控制器/ })
      .click();
    await page.getByRole('dialog').getByRole('link', { name: 'L-6' }).waitFor();
    await expectAccessible(page, 'the selection');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: '取消选择' }).click();

    // A pole is moved by keys, and nothing is written before the question was answered.
    await page.getByRole('button', { name: '编辑位置' }).click();
    await find(page, 'P-3', 'P-3');
    await page.getByRole('button', { name: '移动 P-3' }).click();
    await page.getByRole('button', { name: /^P-3：拖动/ }).press('Shift+ArrowRight');
    await page.getByRole('button', { name: /^P-3：拖动/ }).press('Shift+ArrowRight');
    await page.getByRole('heading', { name: '把 P-3 移动 20.0 米？' }).waitFor();
    await page.getByText('随灯杆一起移动的设备：1 台').waitFor();
    await expectAccessible(page, 'the question');
    expect((await where('P-3')).longitude).toBeCloseTo(120.2015, 6);
    await page.getByRole('button', { name: '确认移动' }).click();
    await page.getByText('P-3 的位置已保存').waitFor();
    expect((await where('P-3')).longitude).toBeCloseTo(120.201708, 5);
    await page.getByRole('button', { name: '撤销' }).click();
    await page.getByText('P-3 已回到原处').waitFor();
    expect((await where('P-3')).longitude).toBeCloseTo(120.2015, 6);

    // Somebody else was quicker: that is said, and nothing is written over.
    await page.getByRole('button', { name: '移动 P-3' }).click();
    await page.getByRole('button', { name: /^P-3：拖动/ }).press('ArrowUp');
    const { version } = await where('P-3');
    await office.admin.send('PUT', `/api/v1/devices/${ids['P-3'] ?? 0}`, { version, equipmentName: '改过名' });
    await page.getByRole('button', { name: '确认移动' }).click();
    await page.getByRole('region', { name: '确认位置' }).getByRole('alert').waitFor();
    expect((await where('P-3')).latitude).toBeCloseTo(30.2, 6);
    await page.getByRole('button', { name: '取消', exact: true }).click();

    // What stood nowhere is placed by typing.
    await page.getByRole('button', { name: '没有坐标的设备' }).click();
    await page.getByRole('button', { name: '放置 N-1' }).click();
    await page.getByRole('textbox', { name: '经度' }).fill('120.2033');
    await page.getByRole('textbox', { name: '纬度' }).fill('30.2021');
    await page.getByRole('button', { name: '确认放置' }).click();
    await page.getByText('N-1 的位置已保存').waitFor();
    expect(await where('N-1')).toMatchObject({ longitude: 120.2033, latitude: 30.2021 });
  });
});

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, expectContrast } from '../fixtures/browser.ts';
import { waitUntil } from '../fixtures/city.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

const minute = 60_000;
/** Full minutes, so that what is read can be written down. */
const now = Math.floor(Date.now() / minute) * minute;
const ago = (minutes: number): string => new Date(now - minutes * minute).toISOString();

let office: Office;
let lamp: number;
/** The lamp signs what it sends. */
let authorization: string;

type Reading = { at: string; values: Record<string, number | boolean> };
const reading = (at: string, power: number, voltage: number): Reading => ({
  at,
  values: { power, voltage, relay: true, level: 100 },
});

/**
 * A lamp that reports every five minutes for twelve hours and, a week earlier, for two; today it was silent for four
 * hours, which is a gap by day and by night.
 */
function past(): Reading[] {
  const week = 7 * 24 * 60;
  const today = Array.from({ length: 144 }, (_, index) => index * 5 + 1).filter((one) => one <= 121 || one >= 361);
  const before = Array.from({ length: 24 }, (_, index) => week + index * 5 + 1);
  return [...before, ...today]
    .toSorted((one, other) => other - one)
    .map((one) => reading(ago(one), one > week ? 60 : 100, 226.5));
}

async function send(readings: readonly Reading[]): Promise<void> {
  const sent = await fetch(`${office.product.url}/api/v1/ingest/readings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ sentAt: new Date().toISOString(), readings }),
  });
  expect([sent.status, ((await sent.json()) as { stored: number }).stored]).toEqual([200, readings.length]);
}

beforeAll(async () => {
  office = await startOffice();
  ({ id: lamp } = await office.admin.send<{ id: number }>('POST', '/api/v1/devices', {
    family: 'single-lamp-controller',
    equipmentCode: 'H-1',
    equipmentName: '历史',
    workId: 1,
    power: 100,
    longitude: 120.2,
    latitude: 30.2,
  }));
  const { username, password } = await office.admin.send<{ username: string; password: string }>(
    'POST',
    `/api/v1/devices/${lamp}/credentials`,
    {},
  );
  authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  await send(past());
});
afterAll(() => office?.close());

const chart = (page: Page) => page.getByRole('application');
const said = (page: Page) => page.getByRole('application').getByRole('status');
const rows = async (page: Page): Promise<string[]> =>
  await page.getByRole('table', { name: '读数表' }).getByRole('row').allTextContents();

it('shows a gap as a gap in picture and table, is zoomed, compared with another week, and exported', async () => {
  const page = await office.open(`/device/${lamp}`);
  await page.getByRole('link', { name: '打开历史曲线' }).click();
  await page.getByRole('heading', { level: 1, name: '历史曲线' }).waitFor();
  await expect(chart(page).getAttribute('aria-label')).resolves.toContain('缺数');
  await expectAccessible(page, 'history curves');

  // Along the curve by keys: over the gap to the next reading, nothing in between.
  await page.goto(`${office.product.url}/lamp/history?devices=${lamp}&quantities=power&from=${ago(720)}&to=${ago(0)}`);
  await chart(page).focus();
  await page.keyboard.press('Home');
  await said(page).filter({ hasText: '100.0 W' }).waitFor();
  await expect(page.getByRole('table', { name: '曲线说明' }).getByText('1 段 · 4小时').count()).resolves.toBe(1);

  await page.getByTitle('表格', { exact: true }).click();
  await page.getByRole('table', { name: '读数表' }).waitFor();
  expect((await rows(page)).filter((row) => row.includes('无读数（4小时）'))).toHaveLength(1);
  await expectAccessible(page, 'history table');
  await page.getByTitle('曲线', { exact: true }).click();

  // A span within the silence is marked by dragging; the address has it, and the way back leads to the one before.
  const before = page.url();
  const box = await chart(page).boundingBox();
  if (!box) throw new Error('no chart');
  await page.mouse.move(box.x + box.width * 0.6, box.y + 120);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 120, { steps: 4 });
  await page.mouse.up();
  await waitUntil('the marked span to stand in the address', () => Promise.resolve(page.url() !== before));
  const span = new URL(page.url()).searchParams;
  const length = Date.parse(span.get('to') ?? '') - Date.parse(span.get('from') ?? '');
  expect(length / (720 * minute)).toBeGreaterThan(0.15);
  expect(length / (720 * minute)).toBeLessThan(0.3);
  await page.getByText('这段时间没有读数').waitFor();
  await page.getByRole('button', { name: '返回上一时段' }).click();
  await waitUntil('the span to be the one before', () =>
    Promise.resolve(new URL(page.url()).searchParams.get('from') === ago(720)),
  );

  await page.goto(
    `${office.product.url}/lamp/history?devices=${lamp}&quantities=power&from=${ago(120)}&to=${ago(0)}&compare=week`,
  );
  const compared = page.getByRole('row').filter({ hasText: /自 \d{4}-\d\d-\d\d/ });
  await compared.waitFor();
  expect(await compared.textContent()).toContain('60.0 W');

  await page.getByRole('button', { name: '导出' }).click();
  const saved = page.waitForEvent('download');
  await page.getByText('保存为图片').click();
  expect(
    readFileSync(await (await saved).path())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  await page.getByRole('button', { name: '导出' }).click();
  await page.getByText('导出为 CSV').click();
  await waitUntil('the file of the curves', async () => {
    const { data } = await office.admin.get<{ data: { kind: string; state: string; file: object | null }[] }>(
      '/api/v1/tasks?size=5',
    );
    return data.some(({ kind, state, file }) => kind === 'export.history' && state === 'done' && file !== null);
  });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme="dark"]').waitFor();
  await expectContrast(page, 'history curves, dark');
}, 60_000);

it('new readings come by themselves, and the storage page tells what they take', async () => {
  const page = await office.open(`/lamp/history?devices=${lamp}&quantities=voltage`);
  await chart(page).waitFor();
  await page.getByRole('cell', { name: '226.5 V' }).first().waitFor();
  await send([reading(new Date().toISOString(), 100, 231.5)]);
  await page.getByRole('cell', { name: '231.5 V' }).first().waitFor();
  await page.goto(`${office.product.url}/system/storage`);
  await page.getByRole('table', { name: '各部分占用' }).getByText('逐条读数').waitFor();
  await page.getByLabel('逐条读数保存').fill('5');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('应在 35 到 3650 之间').waitFor();
  await page.getByLabel('逐条读数保存').fill('300');
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('保存期限已更新').waitFor();
  const { retention } = await office.admin.get<{ retention: object }>('/api/v1/history/storage');
  expect(retention).toEqual({ rawDays: 300, hourYears: 5 });
}, 60_000);

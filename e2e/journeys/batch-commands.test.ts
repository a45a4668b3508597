import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { waitUntil } from '../fixtures/city.ts';
import { startLampCrowd, type LampCrowd } from '../fixtures/lamp-crowd.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

/** A thousand lamps: every twentieth hears nothing, and of the rest thirty refuse. */
const lamps = 1000;
const [silentLamps, failingLamps] = [50, 30];

let office: Office;
let crowd: LampCrowd;
let silent: readonly number[];
let failing: readonly number[];

beforeAll(async () => {
  office = await startOffice();
  crowd = await startLampCrowd({ admin: office.admin, product: office.product, count: lamps });
  silent = crowd.ids.filter((_, index) => index % 20 === 0);
  failing = crowd.ids.filter((_, index) => index % 20 === 1).slice(0, failingLamps);
  crowd.behave(silent, 'silent');
  crowd.behave(failing, 'failing');
});
afterAll(async () => {
  await crowd?.stop();
  await office?.close();
});

interface Task {
  readonly total: number;
  readonly states: Readonly<Record<string, number>>;
  readonly state: string;
}
const taskOf = (id: number): Promise<Task> => office.admin.get<Task>(`/api/v1/commands/${id}?size=1`);

/**
 * How long an answer may take: for ever until all who answer have done so, then no longer. A slow machine fails no
 * lamp.
 */
const patience = (seconds: number): Promise<unknown> =>
  office.admin.send('PUT', '/api/v1/command-settings', {
    limits: { acknowledgeSeconds: seconds, confirmSeconds: 7200, gatewayPerSecond: 1000 },
  });

/** Lets every lamp that answers do so, and gives up on the others. */
async function settle(id: number, answered: Readonly<Record<string, number>>): Promise<Task> {
  await waitUntil(`${JSON.stringify(answered)} of task ${id}`, async () => {
    const { states } = await taskOf(id);
    return Object.entries(answered).every(([state, count]) => states[state] === count);
  });
  await patience(1);
  await waitUntil(`the end of task ${id}`, async () => (await taskOf(id)).state === 'finished');
  await patience(3600);
  return taskOf(id);
}

/** The figures of the funnel as an operator reads them. */
async function figures(page: Page): Promise<Record<string, string>> {
  const all = await page
    .getByRole('list', { name: /^每一步的盏数/ })
    .getByRole('button')
    .all();
  return Object.fromEntries(
    await Promise.all(
      all.map(
        async (one) =>
          [(await one.locator('span').textContent()) ?? '', (await one.locator('b').textContent()) ?? ''] as const,
      ),
    ),
  );
}
const onPage = async (page: Page, wanted: Readonly<Record<string, string>>): Promise<void> => {
  await waitUntil(`the page to show ${JSON.stringify(wanted)}`, async () => {
    const shown = await figures(page);
    return Object.entries(wanted).every(([name, text]) => shown[name] === text);
  });
};
const idIn = (page: Page): number => Number(/\/lamp\/command\/(\d+)/.exec(page.url())?.[1]);

it('dims a thousand lamps, counts each exactly, names who failed first and asks only those again', async () => {
  await patience(3600);
  const page = await office.open('/lamp/monitor?view=list');
  await page.getByRole('checkbox', { name: '选择本页' }).check();
  await page.getByRole('button', { name: '选中全部 1,000 盏' }).click();
  await page.getByText('已选 1,000 盏').waitFor();
  await page.getByRole('button', { name: '调光…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '试发、停止条件、有效期' }).click();
  await expectAccessible(page, 'the dialog before a thousand lamps are dimmed');
  // The page's clock stands while the command waits: a slow machine takes it back in time too.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 10_000);
  await dialog.getByRole('button', { name: '下发给 1,000 盏' }).click();
  // Taken back while it waits: the focus is on the way back, and no lamp hears of it.
  await page.getByRole('status').filter({ hasText: '1,000 盏，即将下发' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/^已撤销，没有下发/).waitFor();
  expect(await office.admin.get('/api/v1/commands')).toMatchObject({ data: [] });
  await page.clock.resume();
  await page.getByRole('button', { name: '调光…' }).click();
  await dialog.getByRole('button', { name: '下发给 1,000 盏' }).click();
  await page.getByRole('button', { name: '打开任务页' }).click();
  await page.waitForURL(/\/lamp\/command\/\d+/);

  // Live, while it runs: nobody reloads the page.
  const first = idIn(page);
  expect(
    await settle(first, { confirmed: lamps - silentLamps - failingLamps, failed: failingLamps, sent: silentLamps }),
  ).toMatchObject({ total: lamps, states: { confirmed: 920, failed: 30, timedOut: 50 } });
  await onPage(page, { 已确认: '920', 执行失败: '30', 超时: '50', 已应答: '0', 已发送: '0', 已排队: '0' });
  // The tab it was opened from stays behind, hidden, and says the same beside its map.
  await page.getByText('已结束，有未成功').filter({ visible: true }).waitFor();
  await expectAccessible(page, 'a task of a thousand lamps');
  // A long page is drawn in two goes: first what is in sight.
  let rows: string[] = [];
  await waitUntil('the page of fifty rows', async () => {
    rows = (await page.getByRole('row').allTextContents()).filter((text) => text.includes('CROWD-'));
    return rows.length === 50;
  });
  expect(
    rows.filter((text) => !/硬件故障|应答超时/.test(text)),
    'what went wrong stands first',
  ).toEqual([]);
  await page.getByRole('button', { name: /执行失败/ }).click();
  await page.getByText('30 条结果').waitFor();

  // The thirty are repaired; the fifty still hear nothing.
  crowd.behave(failing, 'sound');
  crowd.heard.length = 0;
  await page.getByRole('button', { name: '重试…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '向 80 盏重新下发' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/lamp/command/') && !url.pathname.endsWith(`/${first}`));
  expect(await settle(idIn(page), { confirmed: failingLamps, sent: silentLamps })).toMatchObject({
    total: 80,
    states: { confirmed: 30, timedOut: 50 },
  });
  await onPage(page, { 已确认: '30', 超时: '50', 执行失败: '0' });
  expect(new Set(crowd.heard), 'nobody else heard of it').toEqual(new Set([...silent, ...failing]));
  expect(await taskOf(first), 'the first task stays what it was').toMatchObject({
    states: { confirmed: 920, failed: 30, timedOut: 50 },
  });

  await page.getByRole('button', { name: `#${first}`, exact: true }).waitFor();
  await office.leave(page);
}, 120_000);

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

const inventory = join(import.meta.dirname, '../../../shared/data/zhongli_street_lamps.csv.gz');
const isThere = existsSync(inventory);
if (!isThere) console.warn('skipped: the inventory of a real district is not beside this checkout');

let office: Office;
beforeAll(async () => {
  if (!isThere) return;
  office = await startOffice();
  await office.admin.send('POST', '/api/v1/records/work-area', {
    workCode: 'ZL',
    workName: '中壢',
    timeZone: 'Asia/Taipei',
  });
});
afterAll(() => office?.close());

/** The file as the city publishes it, its first rows; one pole lost its decimal point, one its code. */
function dirty(): Buffer {
  const lines = gunzipSync(readFileSync(inventory)).toString('utf8').split(/\r?\n/).slice(0, 301);
  const spoil = (row: number, change: (cells: string[]) => void): void => {
    const cells = (lines[row] ?? '').split(',');
    change(cells);
    lines[row] = cells.join(',');
  };
  spoil(12, (cells) => {
    cells[11] = (cells[11] ?? '').replace('.', '').slice(0, 5);
  });
  spoil(20, (cells) => {
    cells[1] = '';
  });
  return Buffer.from(lines.join('\r\n'));
}

const option = (page: Page, text: string) =>
  page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first();
async function choose(page: Page, name: string | RegExp, text: string, type = false): Promise<void> {
  const box = page.getByRole('combobox', { name });
  await box.click();
  if (type) await box.fill(text);
  await option(page, text).click();
  // The next choice must not meet this one still closing.
  await page.locator('.ant-select-dropdown:visible').first().waitFor({ state: 'hidden' });
}
/** What a column fills: chosen where its heading was not recognised. */
async function fill(page: Page, column: string, field: string): Promise<void> {
  const name = `“${column}”填入的字段`;
  const cell = page.getByRole('cell').filter({ has: page.getByRole('combobox', { name }) });
  if ((await cell.getByText(new RegExp(`^${field}( \\*)?$`)).count()) === 0) await choose(page, name, field, true);
}
/** Every step has its address: somebody with the dark look opens the same. */
let dark: Page | undefined;
async function bothLooks(page: Page, step: string): Promise<void> {
  const { pathname, search } = new URL(page.url());
  const shown = (async () => {
    if (dark) await dark.goto(page.url());
    else dark = await office.open(pathname + search, { theme: 'dark' });
    await dark.locator('h1').first().waitFor();
    await dark.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' });
    await expectAccessible(dark, `${step}, dark`);
  })();
  await Promise.all([expectAccessible(page, `${step}, light`), shown]);
}
const tile = (page: Page, word: string) =>
  page
    .getByRole('group', { name: /^共检查/ })
    .getByRole('button')
    .filter({ hasText: word })
    .locator('span')
    .first()
    .textContent();

describe.runIf(isThere)('a district’s inventory', () => {
  it('goes through the wizard: columns, three pins, every bad row with its reason, written, found, taken back', async () => {
    const page = await office.open('/asset/imports?new=lamp-pole');
    await expectAccessible(page, 'the file');
    await page.getByTestId('import-file').setInputFiles({ name: '燈桿.csv', mimeType: 'text/csv', buffer: dirty() });
    await page.getByRole('heading', { name: '文件里的列' }).waitFor();
    for (const [column, field] of [
      ['編號', '灯杆编号'],
      ['位置', '灯杆名称'],
      ['路街', '所属道路'],
      ['類型', '灯杆类型'],
      ['X', '经度'],
      ['Y', '纬度'],
    ] as const)
      await fill(page, column, field);
    await page.getByRole('button', { name: '这些列都不导入' }).click();
    await choose(page, '添加字段', '所属项目', true);
    await choose(page, /^所属项目/, '中壢');
    await choose(page, '坐标系', '3826', true);
    await page.getByRole('switch', { name: '新建没有登记的道路' }).click();
    await page.getByText('24.942485°, 121.249246°').waitFor();
    await bothLooks(page, 'the columns');

    // A reload goes on where it was.
    await page.reload();
    await page.getByRole('button', { name: '开始检查' }).click();
    await page.getByRole('heading', { name: '看不懂的词' }).waitFor();
    for (const word of ['水泥桿', '金屬桿鍍鋅', '鋁桿']) await choose(page, `“${word}”的含义`, '普通灯杆');
    await page.getByRole('button', { name: '按此重新检查' }).click();
    await page.getByRole('heading', { name: '将新建的道路（10）' }).waitFor();
    expect([await tile(page, '新增'), await tile(page, '错误')]).toEqual(['271', '29']);
    await page.getByRole('button', { name: /灯杆编号: 不能为空/ }).click();
    await page.getByText('第 21 行').waitFor();
    await page.getByText('1 行的位置离其他位置很远').waitFor();
    await bothLooks(page, 'the check');

    await page.getByRole('button', { name: '下一步：写入' }).click();
    await page.getByText('新增设备 271 台').waitFor();
    await expectAccessible(page, 'the choice');
    await page.getByRole('button', { name: '开始写入' }).click();
    await page.getByRole('heading', { name: '导入完成' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载未导入的行' }).click(),
    ]);
    const failed = await readSheet(readFileSync(await saved.path()));
    expect(failed.length).toBe(30);
    expect(failed[0]?.at(-1)).toBe('错误');
    expect(failed.find((row) => row[0] === '890411' || row[0] === 890411)?.at(-1)).toContain('公里');
    await bothLooks(page, 'what was written');

    await page.getByRole('button', { name: '打开灯杆列表' }).click();
    await page.getByRole('textbox', { name: /编号/ }).first().fill('010003');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '010003', exact: true }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: '导入完成' }).waitFor();
    await page.getByRole('button', { name: '撤销导入' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('新增的 271 台设备会被删除').waitFor();
    await dialog.getByRole('button', { name: '撤销导入' }).click();
    await page.getByRole('heading', { name: '导入已撤销' }).waitFor();
    await page.getByRole('button', { name: '导入列表' }).click();
    await page.getByText('已撤销').waitFor();
    await expectAccessible(page, 'the list');
    expect(
      (await office.admin.get<{ recordsTotal: number }>('/api/v1/devices?family=lamp-pole&size=1')).recordsTotal,
    ).toBe(0);
    await office.leave(page);
  }, 90_000);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOffice, type Office } from '../fixtures/office.ts';

const inventory = join(import.meta.dirname, '../../../shared/data/dc_downtown_street_lamps.csv.gz');
const isThere = existsSync(inventory);
if (!isThere) console.warn('skipped: the inventory of a real city is not beside this checkout');

let office: Office;
beforeAll(async () => {
  if (!isThere) return;
  office = await startOffice();
  await office.admin.send('POST', '/api/v1/records/work-area', {
    workCode: 'DC',
    workName: 'Washington',
    timeZone: 'America/New_York',
  });
});
afterAll(() => office?.close());

/** The columns of the inventory that a register of lamps takes, and what they fill. */
const columns = [
  ['FACILITYID', '设备编号'],
  ['FIXTURESTYLE_DESC', '设备名称'],
  ['STREETNAME', '所属道路'],
  ['WATTAGE1', '额定功率'],
  ['LIGHTMANUFACTURER_DESC', '生产厂家'],
  ['XCOORD', '经度'],
  ['YCOORD', '纬度'],
] as const;
const lamps = 300;

/**
 * So many rows of the city's own file; one lamp has its coordinates exchanged, one its watts in words, two the same
 * number.
 */
function dirty(): Buffer {
  const all = parse(gunzipSync(readFileSync(inventory)), { bom: true, to: lamps + 1 }) as string[][];
  const places = columns.map(([name]) => all[0]?.indexOf(name) ?? -1);
  const rows = all.map((row) => places.map((place) => row[place] ?? ''));
  const change = (row: number, column: (typeof columns)[number][0], value: (row: string[]) => string): void => {
    const cells = rows[row];
    if (cells) cells[columns.findIndex(([name]) => name === column)] = value(cells);
  };
  const [x = '', y = ''] = rows[10]?.slice(5) ?? [];
  change(10, 'XCOORD', () => y);
  change(10, 'YCOORD', () => x);
  change(20, 'WATTAGE1', (row) => `${row[3] ?? ''} watts`);
  change(31, 'FACILITYID', () => rows[30]?.[0] ?? '');
  return Buffer.from(rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n'));
}

const option = (page: Page, text: string) =>
  page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first();
async function choose(page: Page, name: string | RegExp, text: string): Promise<void> {
  const box = page.getByRole('combobox', { name });
  await box.click();
  await box.fill(text);
  await option(page, text).click();
  // The next choice must not meet this one still closing.
  await page.locator('.ant-select-dropdown:visible').first().waitFor({ state: 'hidden' });
}
/** What a column fills: chosen where its heading was not recognised. */
async function fill(page: Page, column: string, field: string): Promise<void> {
  const name = `“${column}”填入的字段`;
  const cell = page.getByRole('cell').filter({ has: page.getByRole('combobox', { name }) });
  if ((await cell.getByText(new RegExp(`^${field}( \\*)?$`)).count()) === 0) await choose(page, name, field);
}
async function write(page: Page): Promise<void> {
  await page.getByRole('button', { name: '下一步：写入' }).click();
  await page.getByRole('button', { name: '开始写入' }).click();
  await page.getByRole('heading', { name: '导入完成' }).waitFor();
}
const registered = async (): Promise<number> =>
  (await office.admin.get<{ recordsTotal: number }>('/api/v1/devices?family=single-lamp-controller&size=1'))
    .recordsTotal;

describe.runIf(isThere)('the inventory of Washington', () => {
  it('is imported as lamps; the rows that failed are repaired in their workbook and follow under the same plan', async () => {
    const page = await office.open('/asset/imports?new=single-lamp-controller');
    await page.getByTestId('import-file').setInputFiles({ name: 'dc.csv', mimeType: 'text/csv', buffer: dirty() });
    await page.getByRole('heading', { name: '文件里的列' }).waitFor();
    for (const [column, field] of columns) await fill(page, column, field);
    await choose(page, '添加字段', '所属项目');
    await choose(page, /^所属项目/, 'Washington');
    await page.getByRole('switch', { name: '新建没有登记的道路' }).click();
    await page.getByRole('button', { name: '开始检查' }).click();
    await page.getByRole('group', { name: /^共检查/ }).waitFor();
    await write(page);
    expect(await registered()).toBe(lamps - 3);

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '下载未导入的行' }).click(),
    ]);
    const failed = (await readSheet(readFileSync(await saved.path()))).map((row) =>
      row.map((cell) => (cell === null ? '' : String(cell))),
    );
    expect(failed.map((row) => row.at(-1) !== '')).toEqual([true, true, true, true]);
    const repaired = failed.map((row, index) => {
      const [code = '', style = '', street = '', watts = '', maker = '', x = '', y = '', why = ''] = row;
      if (index === 0) return row;
      return [
        index === 3 ? `${code}-B` : code,
        style,
        street,
        watts.replace(' watts', ''),
        maker,
        ...(Number(x) > 0 ? [y, x] : [x, y]),
        why,
      ];
    });
    await page.goto(`${office.product.url}/asset/imports?new=single-lamp-controller`);
    await page.getByTestId('import-file').setInputFiles({
      name: 'repaired.xlsx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'DC', rows: repaired }] })),
    });
    // Nothing has to be said again.
    await page.getByRole('heading', { name: '文件里的列' }).waitFor();
    await page.getByRole('button', { name: '开始检查' }).click();
    await page.getByRole('group', { name: /^共检查/ }).waitFor();
    await write(page);
    expect(await registered()).toBe(lamps);
    const {
      data: [lamp],
    } = await office.admin.get<{ data: Record<string, unknown>[] }>(
      `/api/v1/devices?family=single-lamp-controller&q=${failed[1]?.[0] ?? ''}`,
    );
    expect(lamp).toMatchObject({
      longitude: expect.closeTo(-77.02, 1) as number,
      latitude: expect.closeTo(38.9, 1) as number,
    });
    await office.leave(page);
  }, 60_000);
});

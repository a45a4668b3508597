import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;
const ids: Record<string, number> = {};

async function device(family: string, equipmentCode: string, more: object = {}): Promise<number> {
  const { id } = await office.admin.send<{ id: number }>('POST', '/api/v1/devices', {
    family,
    equipmentCode,
    equipmentName: equipmentCode,
    workId: 1,
    ...more,
  });
  return (ids[equipmentCode] = id);
}

beforeAll(async () => {
  office = await startOffice();
  const [first] = [await device('transformer', 'TR-1'), await device('transformer', 'TR-2')];
  const box = await device('control-box', 'PX-1', { transformerId: first });
  await device('control-box', 'PX-2', { transformerId: first });
  const { id: loopId } = await office.admin.send<{ id: number }>('POST', '/api/v1/records/loop', {
    controlBoxId: box,
    loopCode: 'L1',
    loopName: '北侧',
  });
  for (const code of ['D-1', 'D-2']) await device('single-lamp-controller', code, { loopId });
});
afterAll(() => office?.close());

const line = (page: Page, name: string) => page.getByRole('treeitem').filter({ hasText: name }).first();
const under = async (key: string) =>
  (await office.admin.get<{ data: { code: string }[] }>(`/api/v1/topology/power?under=${key}`)).data.map(
    ({ code }) => code,
  );
const keys = async (page: Page, ...list: string[]): Promise<void> => {
  for (const key of list) await page.keyboard.press(key);
};

it('moves a branch of the power tree by keys, and the lamp’s page tells the new way', async () => {
  const page = await office.open('/asset/topology');
  await line(page, 'TR-1').focus();
  await page.keyboard.press('ArrowRight');
  await line(page, 'PX-1').waitFor();
  await expectAccessible(page, 'the tree of power');
  // Picked up, carried into the second transformer, put down, confirmed: not a finger on the mouse.
  await keys(page, 'ArrowDown', 'Control+x');
  await page.getByRole('group', { name: '正在移动“PX-1 PX-1”' }).getByText('放进“TR-2 TR-2”里面').waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('移到“TR-2 TR-2”下面').waitFor();
  await expectAccessible(page, 'the dialog of a move');
  await dialog.getByRole('button', { name: '移动' }).press('Enter');
  await page.getByText('已移动 1 项').waitFor();
  expect([await under(`device:${ids['TR-1']}`), await under(`device:${ids['TR-2']}`)]).toEqual([['PX-2'], ['PX-1']]);

  await page.goto(`${office.product.url}/device/${ids['D-1']}`);
  await page.getByRole('link', { name: 'TR-2' }).waitFor();
  await page.getByRole('link', { name: '在树中查看' }).first().click();
  await page.waitForFunction(
    () =>
      document.activeElement?.getAttribute('role') === 'treeitem' &&
      document.activeElement.textContent?.includes('D-1'),
  );
  const path = await page
    .getByRole('treeitem')
    .evaluateAll((all) => all.map((one) => one.querySelector('b')?.textContent ?? ''));
  expect(path).toEqual(['TR-1', 'TR-2', 'PX-1', 'L1', 'D-1', 'D-2']);
  // Gone to once: the address forgets it, and coming back to the tab leaves the hand where it is.
  await page.waitForURL((url) => url.pathname === '/asset/topology' && url.search === '');
  await line(page, 'TR-1').focus();
  await page.goBack();
  await page.getByRole('link', { name: '在树中查看' }).first().waitFor();
  await page.goForward();
  await line(page, 'D-1').waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('treeitem');

  await page.goto(`${office.product.url}/device/${ids['PX-1']}`);
  await page.getByText('所属变压器').first().waitFor();
  await office.leave(page);
});

it('moves by the dialog on a phone, where the target is looked for', async () => {
  const page = await office.open('/asset/topology', { width: 390, height: 844, theme: 'dark' });
  await line(page, 'TR-1').getByText('TR-1').first().click();
  await page.keyboard.press('ArrowRight');
  await line(page, 'PX-2').click();
  await page.getByRole('button', { name: '移动“PX-2 PX-2”到…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: '查找上级：变压器' }).fill('TR-2');
  await page.locator('.ant-select-item-option').filter({ hasText: 'TR-2' }).click();
  await dialog.getByRole('button', { name: '移动', exact: true }).click();
  await page.getByText('已移动 1 项').waitFor();
  expect(await under(`device:${ids['TR-2']}`)).toEqual(['PX-1', 'PX-2']);
  await office.leave(page);
});

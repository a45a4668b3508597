import { afterAll, beforeAll, expect, it } from 'vitest';
import { familyOf } from '../../catalogue/index.ts';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;
let camera = 0;

beforeAll(async () => {
  office = await startOffice();
  const post = async (path: string, body: object): Promise<number> =>
    (await office.admin.send<{ id: number }>('POST', path, body)).id;
  const channelId = await post('/api/v1/records/channel', {
    channelCode: 'CH-1',
    channelName: '视频汇聚',
    protocol: 'gb28181',
    status: 'enabled',
    workId: 1,
  });
  camera = await post('/api/v1/devices', {
    family: 'security-camera',
    ...familyOf('security-camera')?.examples[0],
    workId: 1,
    roadId: null,
    lamppostId: null,
    channelId,
  });
});
afterAll(() => office?.close());

// One family stands for all: that every one has its page, list and form is asked without a browser.
it('a camera is found in its list, its password shown on request, which the log says, and a user bound to it', async () => {
  const page = await office.open('/pole/security-cameras');
  await page.locator('tbody').getByRole('button', { name: 'CAM-01', exact: true }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByRole('button', { name: '显示 设备验证码' }).click();
  await drawer.getByText('ABCDEF', { exact: true }).waitFor();
  await expectAccessible(page, 'the device with its secret');
  await drawer.getByRole('button', { name: '绑定用户' }).click();
  const dialog = page.getByRole('dialog').last();
  await dialog.getByLabel('用户账号').fill('ADMIN');
  await dialog.getByRole('button', { name: '添加' }).click();
  await dialog.getByRole('button', { name: '解除绑定 admin' }).waitFor();
  await expectAccessible(page, 'binding users');
  expect((await office.admin.get<{ data: { id: number }[] }>(`/api/v1/devices/${camera}/accounts`)).data).toHaveLength(
    1,
  );
  await page.goto(`${office.product.url}/system/logging-operation`);
  await page.getByText('查看设备密码').first().waitFor();
  expect(await page.locator('body').innerText()).not.toContain('ABCDEF');
  await office.leave(page);
});

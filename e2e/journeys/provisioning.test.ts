import { randomBytes } from 'node:crypto';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectContrast } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

let office: Office;
const clients: MqttClient[] = [];
beforeAll(async () => {
  office = await startOffice();
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.endAsync(true).catch(() => undefined)));
  await office?.close();
});

/** Any MQTT client; it knows only what is shown on the page. */
async function connect(options: IClientOptions): Promise<MqttClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${office.product.mqttPort}`, { reconnectPeriod: 0, ...options });
  clients.push(client);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  client.on('error', () => undefined);
  return client;
}
async function choose(page: Page, box: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: box, exact: true }).click();
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: text }).first().click();
  await page.locator('.ant-select-dropdown:visible').first().waitFor({ state: 'hidden' });
}
/** The text beside a copy button. */
const told = async (page: Page, what: string): Promise<string> =>
  (await page
    .getByRole('button', { name: `复制${what}`, exact: true })
    .locator('xpath=preceding-sibling::b[1]')
    .textContent()) ?? '';
const now = () => new Date().toISOString();
const reading = (power: number) =>
  JSON.stringify({
    sentAt: now(),
    readings: [{ at: now(), values: { level: 60, power, relay: true, voltage: 226.8 } }],
  });

describe('a device on its way in', () => {
  it('is registered, gets its credentials, is told what is wrong with its tries, and speaks', async () => {
    const page = await office.open('/asset/connect');
    await choose(page, '设备类型', '单灯控制器');
    await page.getByLabel(/^设备编号/).fill('BJ-0301');
    await page.getByLabel(/^设备名称/).fill('滨江大道 301 号灯');
    await choose(page, '所属项目', '默认区域');
    await page.getByRole('button', { name: '登记并发放凭据' }).click();
    await page.getByText('密码只显示这一次').waitFor();
    await expectAccessible(page, 'credentials');
    const [clientId, username, password, topic] = [
      await told(page, '客户端 ID'),
      await told(page, '用户名'),
      await told(page, '密码'),
      await told(page, '主题'),
    ];
    await page.getByRole('button', { name: '下一步：等待设备' }).click();
    await page.getByText('还没有任何尝试', { exact: false }).waitFor();
    await expect(connect({ clientId, username, password: 'mistyped' })).rejects.toThrow();
    await page.getByText('登录被拒绝：密码不对', { exact: false }).waitFor();
    const device = await connect({ clientId, username, password });
    await device.publishAsync(topic, '{"level": 60}', { qos: 1 });
    await page.getByText('消息的字段不符合要求').waitFor();
    await expectAccessible(page, 'line');
    await device.publishAsync(topic, reading(57.5), { qos: 1 });
    await page.getByText('设备已经接入').waitFor();
    await page.getByRole('button', { name: '查看数值和位置' }).click();
    await page.getByText('57.5').waitFor();
    await expectAccessible(page, 'done');
    await office.leave(page);
  });

  it('that nobody knows waits in the inbox, is claimed, and goes on as itself', async () => {
    const { batch, credentials } = await office.admin.send<{
      batch: { id: number };
      credentials: { username: string; password: string };
    }>('POST', '/api/v1/batches', { name: '十一月到货', workId: 1, maxDevices: 5 });
    const page = await office.open('/asset/inbox', { theme: 'dark' });
    await page.getByText('没有等待接入的设备').waitFor();
    const [serial, secret] = ['SN-0001', randomBytes(32).toString('base64url')];
    const base = `lampyris/v1/batches/${batch.id}/${serial}`;
    const device = await connect({ clientId: serial, ...credentials });
    const answer = new Promise<{ clientId: string; deviceId: string }>((resolve) => {
      device.once('message', (_topic, payload) =>
        resolve(JSON.parse(payload.toString()) as { clientId: string; deviceId: string }),
      );
    });
    await device.subscribeAsync(`${base}/provision`, { qos: 1 });
    await device.publishAsync(`${base}/hello`, JSON.stringify({ secret, model: 'LC-200' }), { qos: 1 });
    await device.publishAsync(`${base}/readings`, reading(41.5), { qos: 1 });
    await page.getByRole('button', { name: serial }).click();
    await page.getByText('41.5', { exact: false }).waitFor();
    await expectContrast(page, 'a newcomer, dark');
    // What it said is in the form already: code, family, work area.
    await page.getByRole('button', { name: '认领这台设备' }).click();
    await page.getByText(`已认领为 ${serial}`).waitFor();
    const { clientId, deviceId } = await answer;
    await device.endAsync();
    const itself = await connect({ clientId, username: clientId, password: secret });
    await itself.publishAsync(`lampyris/v1/devices/${deviceId}/readings`, reading(52.5), { qos: 1 });
    await page.getByText('已以自己的身份上线').waitFor();
    const { data } = await office.admin.get<{ data: { values: { power: number } }[] }>(
      `/api/v1/devices/${deviceId}/readings`,
    );
    expect(data.map(({ values }) => values.power)).toEqual([41.5, 52.5]);
    await office.leave(page);
  });
});

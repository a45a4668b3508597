import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../fixtures/browser.ts';
import { startOffice, type Office } from '../fixtures/office.ts';

/** A picture of one colour, 256 × 256. */
function onePicture(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    let crc = 0xffffffff;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.from([0, 0, 1, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0]);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(256 * 3, 0x9a)]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 256 }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const picture = onePicture();
let isBroken = false;
const asked: string[] = [];
/** The city's own tile server. */
const service = createServer((request, response) => {
  asked.push(request.url ?? '');
  if (isBroken) response.writeHead(503).end('maintenance');
  else response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
});
let office: Office;
beforeAll(async () => {
  await new Promise<void>((ready) => {
    service.listen(0, '127.0.0.1', ready);
  });
  // The service runs on this very machine.
  office = await startOffice({ MAPS_FROM_THIS_MACHINE: 'on' });
});
afterAll(async () => {
  await office.close();
  service.closeAllConnections();
  service.close();
});

it('an administrator sets up the city’s tile server, sees what it answers, and what is left when it is silent', async () => {
  const page = await office.open('/system/base-maps?new=xyz');
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(office.product.url) && !/^(data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  await page.getByLabel('名称').fill('市政底图');
  await page
    .getByLabel('地址')
    .fill(`http://127.0.0.1:${(service.address() as AddressInfo).port}/{z}/{x}/{y}.png?k={key}`);
  await page.getByLabel('密钥').fill('city-key-1');
  // The site's own network: refused until it is allowed.
  await page.getByText('这是内部网络的地址').waitFor();
  expect(asked).toEqual([]);
  await page.getByRole('checkbox', { name: '服务在内部网络' }).check();
  await page.getByText('应答正常').waitFor();
  await page.getByRole('checkbox', { name: '默认底图' }).check();
  await page.getByRole('button', { name: '保存' }).click();
  await page.getByText('底图已保存').waitFor();

  const before = asked.length;
  await page.getByRole('button', { name: '地图服务测试' }).click();
  const line = page.getByRole('listitem').filter({ hasText: '市政底图' });
  await line.getByText('HTTP 200').waitFor();
  await line.getByText('?k=***').waitFor();
  await page.locator('canvas.maplibregl-canvas').waitFor();
  // What the map itself asks for, all through the product.
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBeGreaterThan(before + 3);
  expect(asked.every((url) => url.endsWith('?k=city-key-1'))).toBe(true);
  await expectAccessible(page, 'map test');

  isBroken = true;
  await page.getByRole('button', { name: '放大' }).click();
  await page.getByText('底图“市政底图”取不到图片。').waitFor();
  await page.getByRole('button', { name: '再测一次：市政底图' }).click();
  await line.getByText('HTTP 503').waitFor();
  expect(foreign).toEqual([]);
});

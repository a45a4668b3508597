import { createCanvas, loadImage } from '@napi-rs/canvas';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeXlsx } from 'hucre/xlsx';
import {
  mostAttachments,
  type addAttachment,
  type listAttachments,
} from '../../../../contract/register/attachments.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDeviceTimeline } from '../../../../contract/register/device-history.ts';
import { openFiles, removeUnkept, sweepUnkept } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp, type CallOptions } from '../../testing/app.ts';
import { createDeviceHistory, deviceHistoryRoutes } from '../timeline/index.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { attachmentsRoutes, createAttachments, photoDrawing } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-attachments-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const app = await testApp({
  routes: ({ db, bus, clock, log }) => {
    const devices = createDevices({
      db,
      bus,
      clock,
      log,
      keys: openKeys(join(folder, 'secret.key')),
      forget: (names) => removeUnkept({ db, files }, names),
    });
    return [
      ...attachmentsRoutes(
        createAttachments({
          db,
          bus,
          clock,
          files,
          draw: photoDrawing(new URL('../../photo-worker.ts', import.meta.url)),
        }),
      ),
      ...devicesRoutes(devices),
      ...deviceHistoryRoutes(createDeviceHistory({ db, devices })),
    ];
  },
});
const { db, call } = app;
type Attachment = ReplyOf<typeof addAttachment>;
interface Problem {
  readonly title: string;
  readonly detail: string;
  readonly message: string;
}

let area = 0;
let serial = 0;
const device = async (more: object = {}): Promise<number> =>
  (
    await db
      .insertInto('device')
      .values({ family: 'lamp-pole', work_area_id: area, equipment_code: `P-${(serial += 1)}`, ...more } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
beforeAll(async () => {
  area = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'A', work_name: '滨江' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
});
const bytes = { 'content-type': 'application/octet-stream' };
const add = <T = Attachment>(id: number, name: string, body: Buffer | string, query = '', more: CallOptions = {}) =>
  call<T>(`/api/v1/devices/${id}/attachments?name=${encodeURIComponent(name)}${query}`, {
    method: 'POST',
    body,
    headers: { ...bytes, ...more.headers },
    ...(more.token === undefined ? {} : { token: more.token }),
  });
const list = async (id: number, query = '') =>
  (await call<ReplyOf<typeof listAttachments>>(`/api/v1/devices/${id}/attachments${query}`)).body.data;
/** Every file there is. */
const stored = (): string[] =>
  readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );

/**
 * Red on the left, blue on the right, as a camera held upright stores it: to be turned by a quarter; taken 2026-11-20
 * 21:03:05 at 30.25 N 120.5 E.
 */
async function photograph(): Promise<Buffer> {
  const canvas = createCanvas(80, 40);
  const context = canvas.getContext('2d');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, 40, 40);
  context.fillStyle = '#00f';
  context.fillRect(40, 0, 40, 40);
  const jpeg = await canvas.encode('jpeg', 95);
  const entry = (tag: number, type: number, count: number, value: Buffer | number): Buffer => {
    const part = Buffer.alloc(12);
    part.writeUInt16BE(tag, 0);
    part.writeUInt16BE(type, 2);
    part.writeUInt32BE(count, 4);
    if (typeof value !== 'number') value.copy(part, 8);
    else if (type === 3) part.writeUInt16BE(value, 8);
    else part.writeUInt32BE(value, 8);
    return part;
  };
  const directory = (...entries: Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([0, entries.length]), ...entries, Buffer.alloc(4)]);
  const rational = (...numbers: number[]): Buffer =>
    Buffer.concat(
      numbers.map((number) => {
        const part = Buffer.alloc(8);
        part.writeUInt32BE(number * 100, 0);
        part.writeUInt32BE(100, 4);
        return part;
      }),
    );
  // Main directory at 8 (3 entries: 42 bytes), Exif at 50 (1: 18), GPS at 68 (4: 54), values from 122.
  const tiff = Buffer.concat([
    Buffer.from('MM\0*\0\0\0\x08', 'latin1'),
    directory(entry(0x0112, 3, 1, 6), entry(0x8769, 4, 1, 50), entry(0x8825, 4, 1, 68)),
    directory(entry(0x9003, 2, 20, 122)),
    directory(
      entry(1, 2, 2, Buffer.from('N\0')),
      entry(2, 5, 3, 142),
      entry(3, 2, 2, Buffer.from('E\0')),
      entry(4, 5, 3, 166),
    ),
    Buffer.from('2026:11:20 21:03:05\0'),
    rational(30, 15, 0),
    rational(120, 30, 0),
  ]);
  const head = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 8 + tiff.length]), Buffer.from('Exif\0\0'), tiff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, jpeg.subarray(2)]);
}

describe('photographs', () => {
  test('are drawn again the right way up, with a small picture, without what the camera wrote; the time is kept, the place only on request', async () => {
    const id = await device();
    const { status, body } = await add(id, '铭牌.JPG', await photograph(), `&caption=${encodeURIComponent(' 铭牌 ')}`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: 'photo',
      type: 'jpeg',
      name: '铭牌.jpg',
      caption: '铭牌',
      width: 40,
      height: 80,
      takenAt: '2026-11-20T21:03:05',
      longitude: null,
      latitude: null,
      accountName: 'admin',
    });
    const reply = await call(`/api/v1/attachments/${body.id}/file`);
    expect(reply.headers).toMatchObject({ 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' });
    expect(String(reply.headers['content-disposition'])).toContain(
      `filename*=UTF-8''${encodeURIComponent('铭牌.jpg')}`,
    );
    expect(reply.bytes.includes('Exif')).toBe(false);
    const image = await loadImage(reply.bytes);
    const canvas = createCanvas(40, 80);
    canvas.getContext('2d').drawImage(image, 0, 0);
    expect(
      [...canvas.getContext('2d').getImageData(20, 5, 1, 1).data.slice(0, 3)].map((part) => Math.round(part / 255)),
    ).toEqual([1, 0, 0]);
    const small = await call(`/api/v1/attachments/${body.id}/thumbnail`);
    expect((await loadImage(small.bytes)).width).toBe(40);
    // What came is gone: the drawn one and the small one are all there is.
    expect(stored().length).toBe(2);
    const placed = await add(id, 'b.jpg', await photograph(), '&keepPosition=true');
    expect(placed.body).toMatchObject({ longitude: 120.5, latitude: 30.25 });
  });

  test('png stays png, webp becomes jpeg and takes that ending; what does not decode or claims too much is refused and leaves nothing', async () => {
    const id = await device();
    const canvas = createCanvas(500, 20);
    expect((await add(id, 'plan.png', await canvas.encode('png'))).body).toMatchObject({
      type: 'png',
      name: 'plan.png',
      width: 500,
    });
    expect((await add(id, 'x.webp', await canvas.encode('webp'))).body).toMatchObject({
      type: 'jpeg',
      name: 'x.jpg',
      width: 500,
    });
    const before = stored().length;
    expect((await add(id, 'x.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 1, 2, 3]))).status).toBe(400);
    const bomb = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      Buffer.from('IHDR'),
      Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 8, 6, 0, 0, 0]),
    ]);
    expect((await add<Problem>(id, 'x.png', bomb)).body.message).toBe('图片已损坏或过大，无法读取');
    expect(stored().length).toBe(before);
  });
});

describe('other files', () => {
  const pdf = Buffer.from('%PDF-1.7\n1 0 obj');
  test.each([
    ['manual.pdf', pdf, 'pdf', 'manual.pdf'],
    ['evil.exe', pdf, 'pdf', 'evil.exe.pdf'],
    ['../../a/b\u202egpj.pdf', pdf, 'pdf', 'bgpj.pdf'],
    ['表.csv', Buffer.from('a,b\n1,2'), 'csv', '表.csv'],
    ['说明.txt', Buffer.from([0xcb, 0xb5, 0xc3, 0xf7]), 'txt', '说明.txt'],
    ['cert.jpg', pdf, 'pdf', 'cert.pdf'],
  ])('%s is taken for what its bytes are', async (name, body, type, kept) => {
    const id = await device();
    const reply = await add(id, name, body);
    expect(reply.body).toMatchObject({ kind: 'document', type, name: kept, width: null });
    expect((await call(`/api/v1/attachments/${reply.body.id}/file`)).bytes).toEqual(body);
  });

  test('a workbook is one, a zip of others a zip', async () => {
    const id = await device();
    const book = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [['x']] }] }));
    expect((await add(id, 'a.zip', book)).body).toMatchObject({ type: 'xlsx', name: 'a.xlsx' });
    expect((await add(id, 'a.zip', zipOf('readme.md'))).body).toMatchObject({ type: 'zip', name: 'a.zip' });
    expect(
      (await add(id, 'a.docm', zipOf('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'))).status,
    ).toBe(400);
    expect((await add(id, 'a.docx', zipOf('[Content_Types].xml', 'word/document.xml'))).body).toMatchObject({
      type: 'docx',
    });
  });

  test.each([
    ['page.html', '<script>alert(1)</script>'],
    ['x.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['x.txt', Buffer.from([0x4d, 0x5a, 0, 1])],
    ['x.gif', 'GIF89a'],
    ['x.txt', ''],
    ['x.zip', Buffer.from('PK\x03\x04oh')],
  ])('%s is refused with what is taken', async (name, body) => {
    const reply = await add<Problem>(await device(), name, body);
    expect([reply.status, reply.body.title]).toEqual([400, '不支持这种文件']);
    expect(reply.body.detail).toContain('pdf, xlsx, docx, csv, txt, zip');
  });
});

test('more than 20 MB and more than 50 files are refused and leave nothing', async () => {
  const id = await device();
  const before = stored().length;
  const tooMuch = await add<Problem>(
    id,
    'x.pdf',
    Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(20 * 1024 * 1024)]),
  );
  expect([tooMuch.status, tooMuch.body.message]).toEqual([413, '文件超过 20 MB，请压缩或分成几个文件后再上传。']);
  await Promise.all(
    Array.from({ length: mostAttachments - 1 }, (_, index) =>
      db
        .insertInto('attachment')
        .values({
          device_id: id,
          kind: 'document',
          type: 'txt',
          file: '0'.repeat(64),
          file_name: `${index}.txt`,
          bytes: 1,
          account_name: 'x',
          created_at: new Date(),
        })
        .execute(),
    ),
  );
  const both = await Promise.all([add(id, 'a.txt', 'one'), add(id, 'b.txt', 'two')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect(stored().length).toBe(before + 1);
});

test('an upload that breaks off leaves nothing', async () => {
  const id = await device();
  const before = stored().length;
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.app.server.address() as AddressInfo;
  const answered = Promise.withResolvers<void>();
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/api/v1/devices/${id}/attachments?name=x.pdf`,
    headers: { ...bytes, authorization: app.adminToken, 'content-length': '100000' },
  });
  sent.on('error', () => answered.resolve());
  sent.write('%PDF-1.7 the beginning');
  await expect.poll(() => readdirSync(join(folder, 'files', 'incoming')).length).toBe(1);
  sent.destroy(new Error('the phone went out of reach'));
  await answered.promise;
  await expect.poll(() => readdirSync(join(folder, 'files', 'incoming')).length).toBe(0);
  expect([stored().length, (await list(id)).length]).toEqual([before, 0]);
});

test('renaming and captions, with the history and the log of who did it', async () => {
  const id = await device();
  const { body: made } = await add(id, 'a.txt', 'rename me');
  const put = (body: object) => call<Attachment>(`/api/v1/attachments/${made.id}`, { method: 'PUT', body });
  expect((await put({ name: '合同.pdf', caption: '三年质保', version: 1 })).body).toMatchObject({
    name: '合同.txt',
    caption: '三年质保',
    version: 2,
  });
  expect((await put({ caption: null, version: 1 })).status).toBe(409);
  expect((await put({ caption: null })).body).toMatchObject({ name: '合同.txt', caption: null });
  expect((await call(`/api/v1/attachments/${made.id}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call(`/api/v1/attachments/${made.id}`, { method: 'DELETE' })).status).toBe(404);
  const timeline = (await call<ReplyOf<typeof getDeviceTimeline>>(`/api/v1/devices/${id}/timeline?kinds=change`)).body
    .data;
  expect(timeline.map(({ change }) => change?.fields.map(({ field, from, to }) => [field, from, to])[0])).toEqual([
    ['attachments', '合同.txt', null],
    ['attachments', 'a.txt', '合同.txt'],
    ['attachments', null, 'a.txt'],
  ]);
  const log = await db
    .selectFrom('operation_log')
    .select('message')
    .where('message', 'like', 'device.attachment.%')
    .orderBy('id')
    .execute();
  expect(
    log
      .slice(-4)
      .map(({ message }) => message)
      .filter((message) => !message.endsWith(' changedMeanwhile')),
  ).toEqual(expect.arrayContaining(['device.attachment.update', 'device.attachment.delete']));
});

test('one file is kept once, goes with the last that has it, and a deleted device takes its own along', async () => {
  const [first, second] = [await device(), await device()];
  const before = stored().length;
  await add(first, 'a.txt', 'the same words');
  const { body: other } = await add(second, 'b.txt', 'the same words');
  expect(stored().length).toBe(before + 1);
  expect((await call<{ lost: object[] }>(`/api/v1/devices/${first}/uses`)).body.lost).toEqual([
    { what: 'attachments', name: '照片和附件', count: 1 },
  ]);
  expect((await call(`/api/v1/devices/${first}`, { method: 'DELETE' })).status).toBe(204);
  expect((await call(`/api/v1/attachments/${other.id}/file`)).bytes.toString()).toBe('the same words');
  expect((await call(`/api/v1/devices/${second}`, { method: 'DELETE' })).status).toBe(204);
  expect(stored().length).toBe(before);
});

test('files that no row has are swept when they are a day old', async () => {
  const id = await device();
  const { body: kept } = await add(id, 'a.txt', 'kept');
  const [old, fresh] = [await files.put(Buffer.from('left by a crash')), await files.put(Buffer.from('on its way'))];
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const name of stored()) if (!name.endsWith(fresh)) utimesSync(join(folder, 'files', name), yesterday, yesterday);
  expect(await sweepUnkept({ db, files }, new Date())).toBe(1);
  expect([await files.has(old), await files.has(fresh)]).toEqual([false, true]);
  expect((await call(`/api/v1/attachments/${kept.id}/file`)).status).toBe(200);
});

test('a pole shows what hangs on it as far as the caller sees it; a foreign device is refused', async () => {
  const pole = await device();
  const lamp = await device({ family: 'single-lamp-controller', pole_id: pole });
  const south = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'S', work_name: '南' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  const away = await device({ work_area_id: south, pole_id: pole });
  await add(pole, 'pole.txt', '1');
  await add(lamp, 'lamp.txt', '2');
  const { body: foreign } = await add(away, 'away.txt', '3');
  expect((await list(pole)).map(({ name }) => name)).toEqual(['pole.txt']);
  const crew = await app.signIn({ username: 'crew', permissions: ['device.query', 'device.edit'], workAreas: [area] });
  const seen = await call<ReplyOf<typeof listAttachments>>(`/api/v1/devices/${pole}/attachments?mounted=true`, {
    token: crew.token,
  });
  expect(seen.body.data.map(({ name, device: of }) => [name, of.id])).toEqual([
    ['lamp.txt', lamp],
    ['pole.txt', pole],
  ]);
  for (const [path, method] of [
    [`/api/v1/attachments/${foreign.id}/file`, 'GET'],
    [`/api/v1/attachments/${foreign.id}`, 'DELETE'],
    [`/api/v1/devices/${away}/attachments`, 'GET'],
  ] as const) {
    expect((await call(path, { method, token: crew.token })).status).toBe(403);
  }
  expect((await add(away, 'x.txt', 'x', '', { token: crew.token })).status).toBe(403);
});

/** The directory of a zip with empty parts of these names. */
function zipOf(...names: string[]): Buffer {
  const parts = names.map((name) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(name.length, 26);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  const entries = names.map((name) => {
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(name.length, 28);
    return Buffer.concat([entry, Buffer.from(name)]);
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(Buffer.concat(parts).length, 16);
  return Buffer.concat([...parts, ...entries, end]);
}

import { gzipSync, deflateRawSync } from 'node:zlib';
import { writeXlsx } from 'hucre/xlsx';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { importOffice, type Imported } from './testing/import-office.ts';

const { files, app, db, call, place, upload, ended, begin, check, apply, rowsOf, pole, head, line, checked } =
  await importOffice();

describe('a file', () => {
  test('is looked into: encoding, columns, samples, and what its headings suggest', async () => {
    const { status, body } = await upload(`\ufeff${head}${line('A1', { note: '两\n行' })}`);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'uploaded',
      remembered: false,
      format: { kind: 'csv', encoding: 'utf-8' },
      task: null,
    });
    expect(body.columns[7]).toEqual({ title: 'rmark', samples: ['两\n行'] });
    expect(body.plan.fields).toMatchObject({
      equipmentName: { column: 1 },
      workId: { column: 2 },
      longitude: { column: 3 },
      latitude: { column: 4 },
      roadId: { column: 5 },
      equipmentTypeId: { column: 6 },
      rmark: { column: 7 },
    });
  });

  test('may be written in GB18030, as Excel in Chinese does, or be a workbook', async () => {
    const gb = await upload(Buffer.from('b1e0bac52cc3fbb3c60d0a412c310d0a', 'hex'));
    expect(gb.body).toMatchObject({ format: { encoding: 'gb18030' }, columns: [{ title: '编号' }, { title: '名称' }] });
    const book = await writeXlsx({
      sheets: [
        { name: '说明', rows: [['看第二张']] },
        {
          name: '数据',
          rows: [
            ['equipmentCode', 'installTime'],
            ['007', new Date('2024-03-05')],
          ],
        },
      ],
    } as Parameters<typeof writeXlsx>[0]);
    const first = (await upload(book, { name: '杆.xlsx' })).body;
    expect(first.format.sheets).toEqual(['说明', '数据']);
    const second = await call<Imported>(`/api/v1/imports/${first.id}/sheet`, {
      method: 'PUT',
      body: { sheet: '数据' },
    });
    expect(second.body.columns).toEqual([
      { title: 'equipmentCode', samples: ['007'] },
      { title: 'installTime', samples: ['2024-03-05'] },
    ]);
  });

  test.each([
    ['nothing', Buffer.alloc(0), 3805],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 3801],
    ['an old .xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 3806],
    ['half a zip', Buffer.from('504b0304140000000800', 'hex'), 3802],
    ['packed text', gzipSync('a,b'), 3801],
  ])('that is %s is refused with the reason', async (_what, bytes, code) => {
    const { status, body } = await upload(bytes, { name: 'x' });
    expect([status, body.code]).toEqual([400, code]);
  });

  test('that unpacks to too much, or declares entities of its own, is refused before it is unpacked', async () => {
    const bomb = zip({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'xl/worksheets/sheet1.xml': Buffer.alloc(40_000_000),
    });
    expect((await upload(bomb, { name: 'bomb.xlsx' })).body.code).toBe(3804);
    const entities = zip({
      '[Content_Types].xml': Buffer.from(
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Types>&a;</Types>',
      ),
    });
    expect((await upload(entities, { name: 'x.xlsx' })).body.code).toBe(3802);
  });
});

describe('a plan', () => {
  test('names every column that has no word, every unknown field, option and system, all at once', async () => {
    const { body } = await upload(`名,谁知道,另一列\n${line('A1')}`);
    const { reply } = await begin(body.id, 'check', {
      ...body.plan,
      fields: { nonsense: { column: 0 }, equipmentCode: { column: 99 }, longitude: { column: 1 } },
      ignored: [0],
      system: 'EPSG:99999',
      words: { equipmentTypeId: { 铁: 'nope' }, rmark: { a: 'b' } },
    });
    expect(reply.status).toBe(400);
    expect(reply.body.params.map(({ field, rule }) => `${field}:${rule}`).toSorted()).toEqual([
      'columns.2:unknownField',
      'fields.equipmentCode:notFound',
      'fields.latitude:required',
      'fields.nonsense:unknownField',
      'fields.workId:required',
      'system:enum',
      'words.equipmentTypeId.铁:enum',
      'words.rmark:unknownField',
    ]);
  });

  test('is remembered for the next file with the same headings', async () => {
    const one = await checked(line('M1'), { existing: 'refuse' });
    const next = (await upload(head + line('M2'))).body;
    expect(next).toMatchObject({
      remembered: true,
      plan: { existing: 'refuse', fields: { equipmentCode: { column: 0 } } },
    });
    expect(one.id).not.toBe(next.id);
    // So do the failed rows of that file, whose workbook has one column more.
    const width = head.trim().split(',').length;
    const back = (await upload(`${head.trim()},Erreurs\r\n${line('M3').trim()},trop loin\r\n`)).body;
    expect(back).toMatchObject({
      remembered: true,
      plan: { existing: 'refuse', fields: { equipmentCode: { column: 0 } } },
    });
    expect(back.plan.ignored).toContain(width);
  });
});

/** The sheet that the export of an import's failed rows comes to. */
async function failedRowsOf(importId: number) {
  const begun = await call<{ id: number }>('/api/v1/failed-row-exports', { body: { importId } });
  expect(begun.status).toBe(201);
  const path = `/api/v1/tasks/${begun.body.id}`;
  await expect.poll(async () => (await call<{ state: string }>(path)).body.state, { timeout: 20_000 }).toBe('done');
  return call(`${path}/file`);
}

describe('failed rows', () => {
  test('come back as a workbook with every reason; repaired, it can be imported again', async () => {
    const one = await checked(line('G1') + line('007', { type: '木头', note: '=1+1' }) + line('G3', { x: '' }));
    const reply = await failedRowsOf(one.id);
    const sheet = await readSheet(reply.bytes);
    expect(sheet.map((row) => row.map((cell) => cell ?? '').join('|'))).toEqual([
      '现场编号|equipmentName|项目|Longitude|纬度|道路|equipmentTypeId|rmark|错误',
      expect.stringMatching(/^007\|杆\|N\|120\.2\|30\.2\|\|木头\|=1\+1\|灯杆类型.*木头/) as string,
      expect.stringMatching(/^G3\|杆\|N\|\|30\.2\|\|普通灯杆\|\|经度/) as string,
    ]);
    const again = await upload(reply.bytes, { name: '失败.xlsx' });
    expect(again.body.plan.ignored).toEqual([8]);
    const repaired = await check(again.body.id, {
      fields: { ...again.body.plan.fields, equipmentCode: { column: 0 } },
      words: { equipmentTypeId: { 木头: 'equipment_type_13' } },
    });
    expect(repaired.counts).toMatchObject({ new: 1, error: 1 });
    await apply(repaired.id);
    expect(await pole('007')).toMatchObject({ rmark: '=1+1' });
  });

  test('a template has every column in the caller’s language, with its options', async () => {
    const reply = await call('/api/v1/import-templates/lamp-pole');
    const [headings] = await readSheet(reply.bytes);
    expect(headings?.slice(0, 2)).toEqual(['灯杆编号 *', '灯杆名称 *']);
    expect((await upload(reply.bytes, { name: 't.xlsx' })).body.plan.fields).toMatchObject({
      equipmentCode: { column: 0 },
      equipmentName: { column: 1 },
    });
  });
});

describe('who may', () => {
  test('rows of work areas that are not one’s own are refused; nobody sees another one’s import', async () => {
    const { token } = await app.signIn({
      username: 'importer',
      level: 3,
      permissions: ['device.import', 'device.query'],
      workAreas: [place.north],
    });
    const { body } = await upload(head + line('OWN1') + line('OWN2', { area: 'S' }), { token });
    const { reply } = await begin(
      body.id,
      'check',
      { ...body.plan, fields: { ...body.plan.fields, equipmentCode: { column: 0 } } },
      token,
    );
    expect(reply.status).toBe(201);
    expect((await ended(body.id)).counts).toMatchObject({ new: 1, error: 1 });
    expect((await rowsOf(body.id, 'outcome=error')).data[0]?.problems[0]?.rule).toBe('notYours');
    const stranger = await app.signIn({
      username: 'stranger',
      level: 3,
      permissions: ['device.import'],
      workAreas: [place.north],
    });
    expect((await call(`/api/v1/imports/${body.id}`, { token: stranger.token })).status).toBe(404);
    expect((await call('/api/v1/imports', { token: stranger.token })).body).toMatchObject({ recordsTotal: 0 });
  });

  test('an import that is forgotten takes its file with it, and what it wrote stays', async () => {
    const one = await checked(line('I1'));
    await apply(one.id);
    const { file } = await db.selectFrom('import').select('file').where('id', '=', one.id).executeTakeFirstOrThrow();
    expect((await call(`/api/v1/imports/${one.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await files.get(file)).toBeUndefined();
    expect(await pole('I1')).toBeDefined();
  });
});

/** A zip of these parts, as small as can be. */
function zip(parts: Readonly<Record<string, Buffer>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(parts)) {
    const packed = deflateRawSync(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(content.length, 22);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(header, Buffer.from(name), packed);
    central.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...central, end]);
}

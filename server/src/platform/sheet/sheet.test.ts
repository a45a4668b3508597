import { buffer } from 'node:stream/consumers';
import { inflateRawSync } from 'node:zlib';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { writeSheet, type SheetRow } from './index.ts';
import { cellText } from './sheet.ts';

const columns = [
  { title: '文本', kind: 'text', width: 20 },
  { title: '数', kind: 'number', width: 8 },
  { title: '时间', kind: 'time', width: 20 },
] as const;
async function* once(rows: readonly SheetRow[]) {
  yield rows;
}
const written = (rows: readonly SheetRow[], count = rows.length) =>
  buffer(writeSheet({ name: '日志 [a/b]', columns, rows: once(rows), count }));

describe('what is written is read by another library', () => {
  test('texts, numbers and times', async () => {
    const at = new Date('2026-11-21T08:09:10Z');
    expect(
      await readSheet(
        await written([
          ['灯杆 𠮷 <&> "x"', 7, at],
          [null, null, null],
          ['-', 0.5, at],
        ]),
      ),
    ).toEqual([
      ['文本', '数', '时间'],
      ['灯杆 𠮷 <&> "x"', 7, at],
      [null, null, null],
      ['-', 0.5, at],
    ]);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x","y")', "=cmd|'/c calc'!A1"])(
    'a text that looks like a formula is that very text: %s',
    async (text) => {
      expect((await readSheet(await written([[text, null, null]])))[1]?.[0]).toBe(text);
    },
  );

  test.each([
    ['tab', '\t=1', '\t=1'],
    ['line breaks', 'a\nb', 'a\nb'],
    ['carriage return', '\r=1', String.raw`\u000d=1`],
    ['control characters', 'a\u0000\u0007\u001bb', String.raw`a\u0000\u0007\u001bb`],
    ['text that turns its direction', 'a\u202eb', String.raw`a\u202eb`],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['no characters', 'a\uffff\ufffeb', 'a\ufffd\ufffdb'],
  ])('%s do no harm', (_what, text, cell) => {
    expect(cellText(text)).toBe(cell);
  });

  test('a cell holds 32,767 characters and no more, the last one whole', async () => {
    const long = (
      await readSheet(
        await written([
          ['x'.repeat(32_766) + '𠮷𠮷', null, null],
          ['y'.repeat(32_767), null, null],
        ]),
      )
    )
      .slice(1)
      .map(([cell]) => String(cell));
    expect(long.map((cell) => cell.length)).toEqual([32_767, 32_767]);
    expect(cellText(`${'x'.repeat(32_765)}𠮷𠮷`)).toBe(`${'x'.repeat(32_765)}…`);
    expect(long[0]?.isWellFormed()).toBe(true);
  });
});

test('no part of the file holds a formula', async () => {
  const zip = await written([['=1+1', 1, null]]);
  // The sheet is the first entry: a header of 30 bytes, its name, its extra field, then the packed XML.
  const xml = inflateRawSync(zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28))).toString();
  expect(xml).toContain('<t>=1+1</t>');
  expect(xml).not.toMatch(/<f[ >]/);
});

test('an error of the rows ends the stream with it, and a reader that goes away ends the rows', async () => {
  let ended = false;
  async function* failing(): AsyncGenerator<SheetRow[]> {
    yield [['a', 1, null]];
    throw new Error('the database went away');
  }
  await expect(buffer(writeSheet({ name: 'x', columns, rows: failing(), count: 2 }))).rejects.toThrow(
    'the database went away',
  );
  async function* endless(): AsyncGenerator<SheetRow[]> {
    try {
      for (;;) yield Array.from({ length: 100 }, () => ['row', 1, null]);
    } finally {
      ended = true;
    }
  }
  const stream = writeSheet({ name: 'x', columns, rows: endless(), count: 2 });
  for await (const chunk of stream) if (Buffer.isBuffer(chunk) || chunk) break;
  await expect.poll(() => ended).toBe(true);
});

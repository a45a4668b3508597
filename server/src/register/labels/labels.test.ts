import { createCanvas } from '@napi-rs/canvas';
import decodeQr from 'qr/decode.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { createLabelFonts } from './label-fonts.ts';
import { broken, cut, drawLabels, drawQr } from './label-sheet.ts';
import type { LabelOrder } from './label.ts';
import { createLabels, labelsRoutes } from './index.ts';

const app = await testApp({
  routes: ({ db }) =>
    labelsRoutes(createLabels({ db, secure: false, worker: new URL('../../label-worker.ts', import.meta.url) })),
});
const { db } = app;
const ids: number[] = [];
let area = 0;
beforeAll(async () => {
  area = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'N', work_name: '滨江新区' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  for (const [family, code] of [
    ['lamp-pole', 'P-2'],
    ['wifi', 'W-1'],
  ] as const) {
    ids.push(
      (
        await db
          .insertInto('device')
          .values({ family, work_area_id: area, equipment_code: code, equipment_name: '滨江大道 北侧' })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    );
  }
});
const print = (body: object, more = {}) => app.call('/api/v1/labels', { method: 'POST', body, ...more });
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

test('a file of labels comes as PDF under a name of its own; of one device under its code', async () => {
  const reply = await print({ ids });
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toContain('application/pdf');
  expect(reply.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pagesOf(reply.bytes)).toBe(1);
  expect((await print({ ids: [ids[0]] })).headers['content-disposition']).toContain('P-2.pdf');
});

test.each(['กขค (12)', '강남-12', 'Λ-7 (β)'])('the file of %s is called so, whatever its letters', async (code) => {
  const { id } = await db
    .insertInto('device')
    .values({ family: 'lamp-pole', work_area_id: area, equipment_code: code, equipment_name: code })
    .returning('id')
    .executeTakeFirstOrThrow();
  const reply = await print({ ids: [id] });
  expect(reply.headers['content-disposition']).toContain(
    `filename*=UTF-8''${encodeURIComponent(`${code}.pdf`).replaceAll('(', '%28').replaceAll(')', '%29')}`,
  );
});

test('what one may not see is not printed, what is not there is told, and there is an end to how many', async () => {
  const { token } = await app.signIn({ username: 'elsewhere', permissions: ['device.query'], workAreas: [] });
  expect((await print({ ids }, { token })).status).toBe(403);
  expect((await print({ ids: [...ids, 999_999] })).status).toBe(404);
  expect((await print({ ids: [] })).status).toBe(400);
  expect((await print({ ids: Array.from({ length: 1_001 }, (_, index) => index + 1) })).status).toBe(400);
});

test('the codes lead to the pages where the caller has the product, in order of code', async () => {
  // A thread that tells what it was asked to draw.
  const echo = new URL(
    `data:text/javascript,${encodeURIComponent("import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(Buffer.from(JSON.stringify(workerData)));")}`,
  );
  const labels = createLabels({ db, secure: true, worker: echo });
  const asked = async (headers: Record<string, string>): Promise<LabelOrder> => {
    const caller = { accountId: 1, workAreas: 'all', workAreaId: null } as const;
    const { content } = await labels.print(
      { caller, language: 'zh-CN', host: 'lamps.example', headers },
      ids.toReversed(),
    );
    return JSON.parse(content.toString()) as LabelOrder;
  };
  expect((await asked({ origin: 'http://lamps.example' })).labels).toEqual([
    { code: 'P-2', name: '滨江大道 北侧', place: '滨江新区', address: `http://lamps.example/pole/${ids[0]}` },
    { code: 'W-1', name: '滨江大道 北侧', place: '滨江新区', address: `http://lamps.example/device/${ids[1]}` },
  ]);
  expect((await asked({ origin: 'http://foreign.example' })).labels[0]?.address).toBe(
    `https://lamps.example/pole/${ids[0]}`,
  );
  expect((await asked({})).labels[0]?.address).toBe(`https://lamps.example/pole/${ids[0]}`);
});

describe('the sheet', () => {
  const label = {
    code: 'DG-0002',
    name: '江南大道 北侧 2 号杆',
    place: '滨江新区',
    address: 'http://lamps.example/pole/7',
  };

  test('has 24 labels on a page', () => {
    expect(
      [24, 25, 48].map((count) =>
        pagesOf(drawLabels({ title: 'x', labels: Array.from({ length: count }, () => label) })),
      ),
    ).toEqual([1, 2, 2]);
  });

  test.each([
    ['滨江大道', 'NotoSansSC'],
    ['設備燈桿', 'NotoSansSC'],
    ['ポール', 'NotoSansSC'],
    ['조명 폴', 'NotoSansKR'],
    ['Éclairage', 'NotoSansSC'],
    ['Λ-7 (β)', 'NotoSansKR'],
    ['Столб 5', 'NotoSansSC'],
    ['กขค (12)', 'NotoSansThai'],
    ['עמוד 3', 'NotoSansHebrew'],
    ['عمود 7', 'NotoSansArabic'],
  ])('carries the font that %s needs', (name, font) => {
    const names =
      drawLabels({ title: 'x', labels: [{ ...label, code: '1', place: '', name }] })
        .toString('latin1')
        .match(/\/FontName\s*\/[A-Z]{6}\+\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(names.every((one) => /NotoSans(SC|KR|Thai|Hebrew|Arabic)/.test(one))).toBe(true);
    expect(names.some((one) => one.includes(font))).toBe(true);
  });

  test('has codes that can be read', () => {
    const canvas = createCanvas(240, 240);
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, 240, 240);
    pen.fillStyle = '#000';
    drawQr(pen, label.address, 0, 0, 240);
    expect(decodeQr({ width: 240, height: 240, data: pen.getImageData(0, 0, 240, 240).data })).toBe(label.address);
  });

  test('finds no font for what is no writing, and says so with the machine’s own', () => {
    expect(createLabelFonts()('\u{10ffff}')).toBe('sans-serif');
  });

  const width = (text: string): number => [...text].length * 10;
  test('cuts what is too long and breaks names into lines', () => {
    expect(cut('ABCDEF', 60, width)).toBe('ABCDEF');
    expect(cut('ABCDEFG', 60, width)).toBe('ABCDE…');
    expect(broken('滨江大道北侧二号灯杆', 40, 3, width)).toEqual(['滨江大道', '北侧二号', '灯杆']);
    expect(broken('one two three four five', 80, 2, width)).toEqual(['one two', 'three f…']);
    expect(broken('', 40, 3, width)).toEqual([]);
  });
});

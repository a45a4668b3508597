import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, devicesRoutes } from '../devices/index.ts';
import { createTasks, startTaskRunner, type TaskKinds } from '../../desk/tasks/index.ts';
import { createImports, importsRoutes, importTasks } from './index.ts';

/** Inventories as cities on three continents keep them: encodings, decimal commas, headings, coordinate systems. */
const inventory = join(import.meta.dirname, '../../../../../shared/data/zhongli_street_lamps.csv.gz');
const folder = mkdtempSync(join(tmpdir(), 'lampyris-alphabets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const keys = openKeys(join(folder, 'secret.key'));
let kinds!: TaskKinds;
const app = await testApp({
  routes: (parts) => {
    const devices = createDevices({ ...parts, keys });
    const steps = importTasks({ ...parts, files, devices, areasOf: parts.sessions.workAreasOf });
    kinds = {
      ...steps,
      'export.login-log': steps['import.check'],
      'export.operation-log': steps['import.check'],
      'export.devices': steps['import.check'],
    } as TaskKinds;
    return [
      ...devicesRoutes(devices),
      ...importsRoutes(createImports({ ...parts, files, tasks: createTasks({ ...parts, files, kinds }) })),
    ];
  },
});
const { call } = app;
const stop = startTaskRunner({
  db: app.db,
  connection: app.database.connection,
  bus: app.bus,
  clock: app.clock,
  files,
  log: app.log,
  kinds,
});
afterAll(() => stop());
await app.db.insertInto('work_area').values({ work_code: 'C', work_name: 'City' }).execute();

interface Plan {
  fields: Record<string, { column?: number; value?: string }>;
  ignored: number[];
  system: string;
  decimalCommas?: number[];
}
interface Imported {
  id: number;
  columns: { title: string; samples: string[]; decimals?: string }[];
  plan: Plan;
  remembered: boolean;
  counts: Record<string, number> | null;
  questions: { kind: string }[];
  task: { state: string } | null;
  format: { encoding: string; delimiter: string; sure: boolean; candidates: { encoding: string; sample: string }[] };
  code?: number;
}
interface Pins {
  pins: { longitude: number; latitude: number }[];
  fits: { system: string; swapped: boolean; longitude: number; latitude: number }[];
  questions: { kind: string }[];
}
const send = async (bytes: Buffer, more = '') =>
  call<Imported>(`/api/v1/imports?family=lamp-pole&name=x.csv${more}`, {
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });
const upload = async (text: string, encoding: string, more = '') =>
  (await send(iconv.encode(text, encoding), more)).body;
const titles = (one: Imported) => one.columns.map(({ title }) => title);
async function checked(one: Imported, plan: object = {}): Promise<Imported> {
  const fields = { workId: { value: 'C' }, ...((plan as Partial<Plan>).fields ?? one.plan.fields) } as Plan['fields'];
  const used = new Set(Object.values(fields).map(({ column }) => column));
  const ignored = one.columns.flatMap((_, column) => (used.has(column) ? [] : [column]));
  const reply = await call<Imported>(`/api/v1/imports/${one.id}/check`, {
    method: 'POST',
    body: { ...one.plan, ignored, ...plan, fields },
  });
  expect([reply.status, reply.body]).toMatchObject([201, {}]);
  for (;;) {
    const { body } = await call<Imported>(`/api/v1/imports/${one.id}`);
    if (body.task && !['queued', 'running'].includes(body.task.state)) return body;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
const pinsOf = async (one: Imported, system: string, more = '') =>
  (
    await call<Pins>(
      `/api/v1/imports/${one.id}/pins?${system === '' ? '' : `system=${system}&`}x=${one.plan.fields['longitude']?.column ?? 0}&y=${one.plan.fields['latitude']?.column ?? 0}${more}`,
    )
  ).body;

const seoul = `관리번호,명칭,위도,경도\n${Array.from({ length: 30 }, (_, n) => `가로등지하차도-${n},종로구 펲 ${n},37.57${n},126.98${n}`).join('\n')}\n`;
const czech = `číslo;název;X;Y;příkon\n${Array.from({ length: 30 }, (_, n) => `P ${n};Žižkova třída;-8223${n + 10},63;-10696${n + 10},4;70,5`).join('\n')}\n`;

describe('encodings', () => {
  test.each([
    ['euc-kr', 'cp949', seoul],
    ['utf-16le', 'utf-16le', seoul],
    ['windows-1250', 'win1250', czech],
    ['windows-1252', 'win1252', 'numéro;rue;hauteur\n1;rue de la République;8,5\n2;Allée des Érables;9\n'],
    ['windows-1251', 'win1251', 'номер;улица;высота\n1;Невский проспект;8,5\n2;Садовая;9\n'],
    ['windows-1254', 'win1254', 'numara;sokak\n1;İstiklal Caddesi\n2;Atatürk Bulvarı Kadıköy Şişli\n'],
    ['shift_jis', 'shiftjis', '管理番号,住所,緯度,経度\n街灯-1,東京都千代田区丸の内1丁目,35.6,139.7\n'],
    ['euc-jp', 'eucjp', '管理番号,住所,緯度,経度\n街灯-1,東京都千代田区丸の内1丁目,35.6,139.7\n'],
    ['gb18030', 'gb18030', '编号,名称\n1,人民路路灯\n'],
    ['big5', 'big5', '編號,路名\n1,中山路\n'],
  ])('%s is recognised', async (name, encoding, text) => {
    const one = await upload(text, encoding);
    expect([one.format.encoding, titles(one).join()]).toEqual([name, text.split('\n')[0]?.replaceAll(';', ',')]);
  });

  test('one that is in doubt is said to be; whoever knows better chooses, and sees the same line in each', async () => {
    const one = await upload('n;m\n1;Łódź\n2;é\n', 'win1250');
    expect(one.format.sure).toBe(false);
    const seen = Object.fromEntries(one.format.candidates.map(({ encoding, sample }) => [encoding, sample]));
    expect([seen['windows-1250'], seen['windows-1252']]).toEqual(['1;Łódź', '1;£ódŸ']);
    const other = await call<Imported>(`/api/v1/imports/${one.id}/text`, {
      method: 'PUT',
      body: { encoding: 'windows-1252' },
    });
    expect(other.body).toMatchObject({
      format: { encoding: 'windows-1252', sure: true },
      columns: [{ samples: ['1', '2'] }, { samples: ['£ódŸ', 'é'] }],
    });
    expect(
      (await call<Imported>(`/api/v1/imports/${one.id}/text`, { method: 'PUT', body: { delimiter: '|' } })).body
        .columns,
    ).toEqual([{ title: 'n;m', samples: ['1;£ódŸ', '2;é'] }]);
    expect(
      (await call(`/api/v1/imports/${one.id}/text`, { method: 'PUT', body: { encoding: 'klingon' } })).status,
    ).toBe(400);
    expect((await upload(seoul, 'cp949', '&encoding=euc-kr')).format).toMatchObject({ encoding: 'euc-kr', sure: true });
  });

  test('bytes that are no characters are an error of their row, not a strange name', async () => {
    const one = (
      await send(
        Buffer.concat([
          iconv.encode('編號,名稱\nB1,中山路\nB2,', 'big5'),
          Buffer.from([0xff, 0xff]),
          iconv.encode('中\nB3,中正路\n', 'big5'),
        ]),
        '&encoding=big5',
      )
    ).body;
    expect(
      (await checked(one, { fields: { ...one.plan.fields, equipmentTypeId: { value: 'equipment_type_13' } } })).counts,
    ).toMatchObject({ new: 2, error: 1 });
  });

  test('a file of 200,000 columns is refused', async () => {
    const wide = await send(Buffer.from(`${Array.from({ length: 200_000 }, (_, n) => `c${n}`).join(',')}\n`));
    expect([wide.status, wide.body.code]).toEqual([400, 3803]);
  });
});

describe('numbers', () => {
  test('with decimal commas are read by the column as a whole; where a comma could mean thousands somebody has to say it', async () => {
    const one = await upload(czech, 'win1250');
    expect([one.plan.decimalCommas, one.columns.map(({ decimals }) => decimals)]).toEqual([
      [2, 3, 4],
      [undefined, undefined, 'comma', 'comma', 'comma'],
    ]);
    const doubtful = await upload('code;x;y\n1;1,234;2,345\n', 'utf8');
    expect([doubtful.plan.decimalCommas, doubtful.columns[1]?.decimals]).toEqual([undefined, 'unclear']);
  });

  test('of a Czech survey become WGS-84, and what the file calls its columns is understood', async () => {
    const one = await upload(czech, 'win1250');
    expect(one.plan).toMatchObject({
      system: '',
      fields: {
        equipmentCode: { column: 0 },
        equipmentName: { column: 1 },
        longitude: { column: 2 },
        latitude: { column: 3 },
        power: { column: 4 },
      },
    });
    expect((await call(`/api/v1/imports/${one.id}/check`, { method: 'POST', body: one.plan })).status).toBe(400);
    expect(
      (await pinsOf(one, '', '&commas=true')).fits.map(({ system, swapped }) => `${system} ${String(swapped)}`),
    ).toContain('EPSG:5514 false');
    const plan = {
      system: 'EPSG:5514',
      fields: { ...one.plan.fields, equipmentTypeId: { value: 'equipment_type_13' } },
    };
    // Whoever unticks the commas is told what is wrong.
    expect((await checked(one, { ...plan, decimalCommas: [] })).counts).toMatchObject({ error: 30 });
    const { problems } = (await call<{ problems: { field: string; rule: string }[] }>(`/api/v1/imports/${one.id}/rows`))
      .body;
    expect(problems.map(({ field, rule }) => `${field} ${rule}`).toSorted()).toEqual([
      'latitude decimalComma',
      'longitude decimalComma',
      'power decimalComma',
    ]);
    const done = await checked(one, plan);
    expect([done.counts, done.questions]).toEqual([{ new: 30, update: 0, unchanged: 0, error: 0 }, []]);
    expect((await pinsOf(one, 'EPSG:5514', '&commas=true')).pins[0]).toMatchObject({
      longitude: expect.closeTo(13.38, 1) as number,
      latitude: expect.closeTo(49.75, 1) as number,
    });
  });
});

describe('places', () => {
  test('where the system is not used are asked about, once for the file', async () => {
    const one = await upload(
      `Asset ID,Name,Easting,Northing\n${Array.from({ length: 6 }, (_, n) => `L${n},n,${300_000 + n},${2_700_000 + n}`).join('\n')}\n`,
      'utf8',
    );
    expect(one.plan.fields).toMatchObject({
      equipmentCode: { column: 0 },
      longitude: { column: 2 },
      latitude: { column: 3 },
    });
    expect((await pinsOf(one, '')).fits.map(({ system }) => system)).toContain('EPSG:3826');
    expect(await pinsOf(one, 'EPSG:27700')).toMatchObject({ questions: [{ kind: 'outsideSystem' }] });
    const fields = { ...one.plan.fields, equipmentTypeId: { value: 'equipment_type_13' } };
    expect(await checked(one, { system: 'EPSG:27700', fields })).toMatchObject({
      counts: { new: 6, error: 0 },
      questions: [{ kind: 'outsideSystem' }],
    });
    expect(
      (await call<{ code: number }>(`/api/v1/imports/${one.id}/apply`, { method: 'POST', body: { rows: 'valid' } }))
        .body.code,
    ).toBe(3811);
  });

  test('in degrees are offered the other way round only where they make no sense as they are, or lie at the register then', async () => {
    const fitsOf = async (x: string, y: string): Promise<string[]> => {
      const one = await upload(
        `code,a,b\n${Array.from({ length: 4 }, (_, n) => `${n},${x}${n},${y}${n}`).join('\n')}\n`,
        'utf8',
      );
      return (await call<Pins>(`/api/v1/imports/${one.id}/pins?x=1&y=2`)).body.fits.map(
        ({ system, swapped }) => `${system} ${String(swapped)}`,
      );
    };
    expect([await fitsOf('13.37', '49.74'), await fitsOf('49.74', '13.37'), await fitsOf('49.74', '113.37')]).toEqual([
      ['WGS84 false'],
      ['WGS84 false'],
      ['WGS84 true'],
    ]);
    const {
      body: { id },
    } = await call<{ id: number }>('/api/v1/devices', {
      body: {
        family: 'lamp-pole',
        equipmentCode: 'Plzeň',
        equipmentName: 'p',
        equipmentTypeId: 'equipment_type_13',
        workId: 1,
        longitude: 13.4,
        latitude: 49.7,
      },
    });
    expect([await fitsOf('13.37', '49.74'), await fitsOf('49.74', '13.37')]).toEqual([
      ['WGS84 false'],
      ['WGS84 true', 'WGS84 false'],
    ]);
    await call(`/api/v1/devices/${id}`, { method: 'DELETE' });
  });
});

test('what is wrong in shape and by the rules is said at once, of every step', async () => {
  const one = await upload('編號,名稱\n1,x\n', 'utf8');
  const said = async (path: string, method: 'POST' | 'PUT' | 'GET', body?: object) => {
    const reply = await call<{ params: { field: string; rule: string }[] }>(`/api/v1/imports/${one.id}/${path}`, {
      method,
      ...(body ? { body } : {}),
    });
    return [reply.status, ...reply.body.params.map(({ field, rule }) => `${field} ${rule}`).toSorted()];
  };
  expect(
    await said('check', 'POST', {
      ...one.plan,
      fields: { nonsense: { column: 9 } },
      system: 'EPSG:99999',
      existing: 'perhaps',
    }),
  ).toEqual([
    400,
    'columns.0 unknownField',
    'columns.1 unknownField',
    'existing enum',
    'fields.equipmentCode required',
    'fields.nonsense unknownField',
    'fields.workId required',
    'system enum',
  ]);
  expect(await said('text', 'PUT', { encoding: 'klingon', delimiter: 'x' })).toEqual([
    400,
    'delimiter enum',
    'encoding enum',
  ]);
  expect(await said('pins?x=-1&y=0&system=EPSG:99999', 'GET')).toEqual([400, 'system enum', 'x minimum']);
});

test('the list of imports says what became of each, and leaves what is in the files to the single import', async () => {
  const one = await upload('編號,名稱\n1,x\n', 'big5');
  const [first] = (await call<{ data: Record<string, unknown>[] }>('/api/v1/imports?size=1')).body.data;
  expect(first).toEqual({
    id: one.id,
    family: 'lamp-pole',
    state: 'uploaded',
    fileName: 'x.csv',
    bytes: 14,
    counts: null,
    task: null,
    accountName: 'admin',
    createdAt: expect.any(String) as string,
    appliedAt: null,
    undoneAt: null,
    notUndone: null,
  });
});

test('what was said is kept for the next file with the same headings, is listed, and can be forgotten', async () => {
  const one = await upload('마스트,名,a,b\n가-1,x,1,2\n', 'cp949');
  await checked(one, {
    fields: { equipmentCode: { column: 0 }, equipmentName: { column: 1 }, workId: { value: 'C' } },
    ignored: [2, 3],
  });
  const list = async () =>
    (
      await call<{ data: { id: number; headings: string[]; encoding: string | null }[] }>(
        '/api/v1/import-mappings?family=lamp-pole',
      )
    ).body.data;
  const [kept] = (await list()).filter(({ headings }) => headings[0] === '마스트');
  expect(kept).toMatchObject({ encoding: 'euc-kr', headings: ['마스트', '名', 'a', 'b'] });
  await call(`/api/v1/imports/${one.id}`, { method: 'DELETE' });
  expect(await upload('마스트,名,a,b\n가-2,x,1,2\n', 'cp949')).toMatchObject({
    remembered: true,
    plan: { fields: { equipmentCode: { column: 0 } }, ignored: [2, 3] },
  });
  expect((await call(`/api/v1/import-mappings/${kept?.id ?? 0}`, { method: 'DELETE' })).status).toBe(204);
  expect((await upload('마스트,名,a,b\n가-3,x,1,2\n', 'cp949')).remembered).toBe(false);
});

test.skipIf(!existsSync(inventory))(
  'a real inventory in Big5 and in UTF-16 is read as in UTF-8, its codes with brackets among it',
  async () => {
    const text = gunzipSync(readFileSync(inventory))
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .split('\n')
      .filter((line, index) => index === 0 || line.includes('('))
      .join('\n');
    const all = await Promise.all(['utf8', 'big5', 'utf-16le'].map((encoding) => upload(text, encoding)));
    expect(all.map(({ format }) => [format.encoding, format.sure])).toEqual([
      ['utf-8', true],
      ['big5', true],
      ['utf-16le', true],
    ]);
    for (const one of all) expect(one.columns).toEqual(all[0]?.columns);
    const [utf8] = all;
    if (!utf8) throw new Error('nothing was uploaded');
    expect(utf8.plan.fields).toMatchObject({
      equipmentCode: { column: titles(utf8).indexOf('流水號') },
      longitude: { column: titles(utf8).indexOf('X') },
      latitude: { column: titles(utf8).indexOf('Y') },
    });
    const done = await checked(utf8, {
      system: 'EPSG:3826',
      acceptFar: true,
      fields: {
        equipmentCode: { column: titles(utf8).indexOf('編號') },
        equipmentName: { column: titles(utf8).indexOf('編號') },
        equipmentTypeId: { value: 'equipment_type_13' },
      },
    });
    const { problems } = (await call<{ problems: { rule: string }[] }>(`/api/v1/imports/${done.id}/rows`)).body;
    expect(problems.map(({ rule }) => rule)).not.toContain('code');
  },
);

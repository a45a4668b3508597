import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  applyImport,
  checkImport,
  chooseText,
  deleteImport,
  deleteImportMapping,
  getImport,
  listCoordinateSystems,
  listImportMappings,
  listImportPins,
  listImportRows,
  listImports,
  undoImport,
  uploadImport,
} from '../../../../../contract/register/imports.ts';
import { getMe } from '../../../../../contract/people/me.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Imports from './index.tsx';
import type { Import, ListedImport } from './plan.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const task = (
  kind: 'import.check' | 'import.apply' | 'import.undo',
  state: 'running' | 'done' | 'failed',
  id = 40,
): Import['task'] => ({
  id,
  kind,
  state,
  done: 120,
  total: 300,
  params: { importId: 7 },
  error: state === 'failed' ? '数据库没有应答' : null,
  file: null,
  createdAt: '2026-11-21T10:00:00Z',
  endedAt: state === 'running' ? null : '2026-11-21T10:00:09Z',
});
const uploaded: Import = {
  id: 7,
  family: 'lamp-pole',
  state: 'uploaded',
  fileName: '灯杆.csv',
  bytes: 43_000,
  format: {
    kind: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    sheet: null,
    sheets: [],
    sure: true,
    candidates: [
      { encoding: 'utf-8', sample: '編號,位置' },
      { encoding: 'big5', sample: '蝺刻' },
    ],
  },
  columns: [
    { title: '編號', samples: ['010001', '010002'] },
    { title: '位置', samples: ['后寮里 30 号', ''] },
    { title: '類型', samples: ['水泥桿'] },
    { title: 'X', samples: ['275170.6'] },
    { title: 'Y', samples: ['2759430.2'] },
  ],
  plan: {
    fields: { longitude: { column: 3 }, latitude: { column: 4 } },
    ignored: [],
    system: 'EPSG:3826',
    words: {},
    existing: 'update',
    createRoads: false,
    acceptFar: false,
  },
  remembered: false,
  questions: [],
  counts: null,
  unknownWords: {},
  newRoads: [],
  task: null,
  accountName: 'admin',
  createdAt: '2026-11-21T09:59:00Z',
  appliedAt: null,
  undoneAt: null,
  notUndone: null,
};
const fields = {
  equipmentCode: { column: 0 },
  equipmentName: { column: 1 },
  equipmentTypeId: { column: 2 },
  workId: { value: 'ZL' },
};
const checked: Import = {
  ...uploaded,
  state: 'checked',
  plan: { ...uploaded.plan, fields: { ...uploaded.plan.fields, ...fields } },
  counts: { new: 271, update: 2, unchanged: 0, error: 27 },
  task: task('import.check', 'done'),
  unknownWords: { equipmentTypeId: [{ word: '水泥桿', rows: 219 }] },
  newRoads: [{ name: '龍興路', rows: 61 }],
};
const { id, family, state, fileName, bytes, counts, accountName, createdAt, appliedAt, undoneAt, notUndone } = checked;
const listed: ListedImport = {
  id,
  family,
  state,
  fileName,
  bytes,
  counts,
  task: checked.task,
  accountName,
  createdAt,
  appliedAt,
  undoneAt,
  notUndone,
};
const rows = {
  data: [
    {
      row: 12,
      outcome: 'error' as const,
      code: '010011',
      deviceId: null,
      undone: null,
      changes: [],
      problems: [
        { field: 'longitude', rule: 'farAway', message: '距其他位置 240 公里', text: '27517, 2759430' },
        { field: 'equipmentTypeId', rule: 'option', message: '不在可选范围内', text: '水泥桿' },
      ],
    },
    {
      row: 13,
      outcome: 'update' as const,
      code: '010012',
      deviceId: 5,
      undone: null,
      problems: [],
      changes: [
        { field: 'rmark', from: '旧', to: null },
        { field: 'equipmentTypeId', from: 'equipment_type_24', to: 'equipment_type_13' },
      ],
    },
  ],
  recordsTotal: 27,
  problems: [
    { field: 'longitude', rule: 'farAway', message: '经度: 距其他位置很远', rows: 1 },
    { field: 'roadId', rule: 'notFound', message: '所属道路: 没有登记', rows: 8 },
  ],
};

const shown = {
  pins: [
    { row: 2, label: '010001', x: '275170', y: '2759430', longitude: 121.2492, latitude: 24.9424 },
    { row: 151, label: '010140', x: '274386', y: '2759928', longitude: 121.2414, latitude: 24.9469 },
    { row: 301, label: '乙', x: '1', y: '2', longitude: null, latitude: null },
  ],
  fits: [],
  questions: [],
  name: null,
  accuracy: null,
};

let server: ContractServer;
const open = (search: string, codes: readonly string[] = ['device.import']) =>
  renderInShell(<Imports />, { address: `/asset/imports${search}`, codes, pages: ['pole/poles'], live: server });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getImport, uploaded);
  server.answer(listImportRows, rows);
  server.answer(listCoordinateSystems, { data: ['WGS84', 'GCJ02', 'EPSG:3826'] });
  server.answer(listImportPins, shown);
  server.answer(listImportMappings, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('the list', () => {
  test('tells file, family, state and counts; forgetting says what is lost first', async () => {
    server.answer(listImports, {
      data: [{ ...listed, state: 'applied', task: task('import.apply', 'done') }],
      recordsTotal: 1,
    });
    server.on(deleteImport, () => ({ status: 204, body: '' }));
    await open('');
    const line = (await screen.findByRole('button', { name: '灯杆.csv' })).closest('tr') as HTMLElement;
    for (const text of ['灯杆', '已写入', '271', '27', 'admin']) expect(within(line).getByText(text)).toBeDefined();
    await press('移除记录 灯杆.csv');
    await screen.findByText('已写入的设备保留，但之后不能再撤销这次导入。');
    await press('移除记录');
    await waitFor(() => expect(server.of(deleteImport).length).toBe(1));
  });

  test('of somebody without a project says that, and not that nothing was imported', async () => {
    server.answer(listImports, { data: [], recordsTotal: 0 });
    server.answer(getMe, {
      accountId: 7,
      username: 'li',
      displayName: '李四',
      level: 3,
      permissions: [],
      warnings: [],
      workAreas: 0,
    });
    await open('');
    await screen.findByText('您还没有被分配项目，请联系管理员');
    expect(screen.queryByText('还没有导入过文件')).toBeNull();
  });

  test('is empty with one way on', async () => {
    server.answer(listImports, { data: [], recordsTotal: 0 });
    await open('');
    await screen.findByText('还没有导入过文件');
    fireEvent.click(screen.getAllByRole('button', { name: '新建导入' })[0] as HTMLElement);
    await screen.findByText('先选择设备类型');
  });
});

describe('the file', () => {
  test('is chosen beside what is kept for files with the same headings, which can be taken away', async () => {
    const kept = {
      id: 3,
      family: 'lamp-pole',
      headings: ['編號', 'X', 'Y'],
      fields: ['equipmentCode', 'longitude', 'latitude'],
      system: 'EPSG:3826',
      encoding: 'big5',
      usedAt: '2026-11-20T10:00:00Z',
    };
    server.answer(listImportMappings, { data: [kept], recordsTotal: 1 });
    server.on(deleteImportMapping, () => {
      server.answer(listImportMappings, { data: [], recordsTotal: 0 });
      return { status: 204, body: '' };
    });
    await open('?new=lamp-pole');
    const line = (await screen.findByText('編號 · X · Y')).closest('li') as HTMLElement;
    expect(line.textContent).toContain('灯杆编号、经度、纬度 · EPSG:3826 · BIG5');
    expect(line.textContent).toContain('EPSG:3826');
    await press('移除“編號 · X · Y”');
    await waitFor(() => expect(screen.queryByText('編號 · X · Y')).toBeNull());
    expect(server.of(deleteImportMapping)[0]?.path).toBe('/api/v1/import-mappings/3');
  });

  const give = async (file: File) =>
    fireEvent.change(await screen.findByTestId('import-file'), { target: { files: [file] } });
  test('is sent as its bytes, then its columns are shown', async () => {
    server.answer(uploadImport, uploaded);
    const { address } = await open('?new=lamp-pole');
    await give(new File(['a,b\n1,2'], '灯杆.csv'));
    await screen.findByText('文件里的列');
    const [request] = server.of(uploadImport);
    expect([
      request?.headers['content-type'],
      request?.query.get('family'),
      request?.query.get('name'),
      request?.body,
    ]).toEqual(['application/octet-stream', 'lamp-pole', '灯杆.csv', 'a,b\n1,2']);
    expect(address()).toBe('/asset/imports?import=7');
  });

  test('that is refused says why, in the server’s words; an empty one is not even sent', async () => {
    server.refuse(uploadImport, 400, {
      code: 3806,
      title: '旧版 .xls 或加密的工作簿不能读取',
      detail: '请另存为不加密的 .xlsx 后重试',
    });
    await open('?new=lamp-pole');
    await give(new File([], '空.csv'));
    await screen.findByText('文件是空的。');
    expect(server.of(uploadImport).length).toBe(0);
    await give(new File(['x'], '旧.xls'));
    await screen.findByText('没有接受“旧.xls”');
    await screen.findByText('旧版 .xls 或加密的工作簿不能读取');
    await screen.findByText('请另存为不加密的 .xlsx 后重试');
  });

  test('cannot be chosen without the right to import', async () => {
    await open('?new=lamp-pole', []);
    await screen.findByText(/device\.import/);
    expect(screen.queryByTestId('import-file')).toBeNull();
  });
});

describe('the columns', () => {
  test('of many that nobody explained the first are named, with their number', async () => {
    server.answer(getImport, {
      ...uploaded,
      columns: Array.from({ length: 16 }, (_, index) => ({ title: `K${index}`, samples: [] })),
      plan: { ...uploaded.plan, fields: {} },
    });
    await open('?import=7');
    await screen.findByText('还没有说明的列：K0、K1、K2、K3、K4、K5、K6、K7、K8、K9、K10、K11 等 16 列');
  });

  test('name what is missing; what was said is kept over a reload and goes with the check', async () => {
    server.answer(checkImport, { ...uploaded, task: task('import.check', 'running') });
    await open('?import=7');
    await screen.findByText('还缺：灯杆编号、所属项目');
    await screen.findByText('还没有说明的列：編號、位置、類型');
    expect((screen.getByRole('button', { name: '开始检查' }) as HTMLButtonElement).disabled).toBe(true);
    await chooseOption(screen.getByRole('combobox', { name: '“編號”填入的字段' }), '灯杆编号');
    await chooseOption(screen.getByRole('combobox', { name: '添加字段' }), '所属项目');
    await screen.findByText('还没有填值：所属项目');
    fireEvent.click(screen.getByRole('button', { name: '去掉“所属项目”' }));
    await chooseOption(screen.getByRole('combobox', { name: '“位置”填入的字段' }), '所属项目');
    fireEvent.click(screen.getByRole('checkbox', { name: '不导入“類型”' }));
    cleanup();
    await open('?import=7');
    await press('开始检查');
    await screen.findByText('正在检查每一行');
    await screen.findByText('120 / 300 行');
    expect(bodyOf(server, checkImport)).toEqual({
      ...uploaded.plan,
      fields: { ...uploaded.plan.fields, equipmentCode: { column: 0 }, workId: { column: 1 } },
      ignored: [2],
    });
  });

  test('show three rows on the map, with their distance, and what lies outside the system; the columns can be swapped', async () => {
    await open('?import=7');
    await screen.findByText('24.942400°, 121.249200°', { exact: false });
    await screen.findByText('超出这个坐标系的范围');
    await screen.findByText('距 010001：010140: 932 m', { exact: false });
    await press('两列对调');
    await waitFor(() => expect(server.of(listImportPins).at(-1)?.query.toString()).toBe('x=4&y=3&system=EPSG%3A3826'));
  });

  const czech: Import = {
    ...uploaded,
    format: {
      ...uploaded.format,
      encoding: 'windows-1250',
      delimiter: ';',
      sure: false,
      candidates: [
        { encoding: 'windows-1250', sample: '1;Łódź' },
        { encoding: 'windows-1252', sample: '1;£ódŸ' },
      ],
    },
    columns: [
      { title: 'X', samples: ['-822352,63'], decimals: 'comma' },
      { title: 'Y', samples: ['-1069652,4'], decimals: 'comma' },
      { title: 'W', samples: ['1,234'], decimals: 'unclear' },
      { title: 'n', samples: ['7'] },
    ],
    plan: {
      ...uploaded.plan,
      fields: {
        longitude: { column: 0 },
        latitude: { column: 1 },
        equipmentCode: { column: 3 },
        workId: { value: 'ZL' },
      },
      ignored: [2],
      system: '',
      decimalCommas: [0, 1],
    },
  };

  test('of a text in doubt say so and show one line; another encoding shows its own, and reads the columns again', async () => {
    server.answer(getImport, czech);
    server.answer(chooseText, { ...czech, format: { ...czech.format, encoding: 'windows-1252', sure: true } });
    await open('?import=7');
    await screen.findByText('编码不能确定：最可能是 Windows-1250（中欧）');
    await screen.findByText('1;Łódź');
    fireEvent.mouseDown(screen.getByRole('combobox', { name: '编码' }));
    await screen.findByText('1;£ódŸ');
    await chooseOption(screen.getByRole('combobox', { name: '编码' }), 'Windows-1252（西欧）');
    await waitFor(() => expect(screen.queryByText(/编码不能确定/)).toBeNull());
    expect(bodyOf(server, chooseText)).toEqual({ encoding: 'windows-1252' });
    expect(within(screen.getByText('按此读出的一行：').closest('p') as HTMLElement).getByText('1;£ódŸ')).toBeDefined();
  });

  test('with commas before their decimals are ticked; whoever unticks one has it so in the check', async () => {
    server.answer(getImport, { ...czech, plan: { ...czech.plan, system: 'EPSG:5514' } });
    server.answer(checkImport, { ...czech, task: task('import.check', 'running') });
    await open('?import=7');
    const box = async (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
    expect([
      (await box('“X”的小数点为逗号')).checked,
      (await box('“W”的小数点为逗号')).checked,
      screen.queryByRole('checkbox', { name: '“n”的小数点为逗号' }),
    ]).toEqual([true, false, null]);
    await screen.findByText('小数点为逗号（不确定：也可能是千位分隔）');
    fireEvent.click(await box('“W”的小数点为逗号'));
    fireEvent.click(await box('“Y”的小数点为逗号'));
    await press('开始检查');
    await waitFor(() => expect(bodyOf(server, checkImport)).toMatchObject({ decimalCommas: [0, 2] }));
  });

  test('that are no degrees wait for a coordinate system; the ones that fit are offered, and one turns the columns round', async () => {
    server.answer(getImport, czech);
    const at = { longitude: 13.38, latitude: 49.75 };
    server.answer(listImportPins, {
      pins: [],
      fits: [
        { system: 'EPSG:5514', name: 'S-JTSK / Krovak East North', swapped: false, ...at, km: 12 },
        { system: 'EPSG:2065', name: null, swapped: true, ...at, km: null },
      ],
      questions: [],
      name: null,
      accuracy: null,
    });
    await open('?import=7');
    expect((await screen.findAllByText('请选择坐标系')).length).toBeGreaterThan(0);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(true);
    await waitFor(() => expect(server.of(listImportPins).at(-1)?.query.toString()).toBe('x=0&y=1&commas=true'));
    const offer = await screen.findByRole('button', { name: /EPSG:5514 S-JTSK .*49\.750°, 13\.380°.*12\skm/ });
    await press(/EPSG:2065.*两列对调/);
    await waitFor(() =>
      expect(server.of(listImportPins).at(-1)?.query.toString()).toBe('x=1&y=0&system=EPSG%3A2065&commas=true'),
    );
    fireEvent.click(offer);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: '开始检查' }).disabled).toBe(false),
    );
  });

  test('that lie where their system is not used, or far from all that is registered, say so beside the map', async () => {
    server.answer(listImportPins, {
      ...shown,
      questions: [
        { kind: 'outsideSystem', rows: 3, km: null },
        { kind: 'farFromRegister', rows: 3, km: 8_700 },
      ],
      accuracy: 12,
    });
    await open('?import=7');
    await screen.findByText('这些位置不在 EPSG:3826 的适用范围内');
    await screen.findByText('文件中的位置距最近的已登记设备 8,700 公里');
    await screen.findByText(/EPSG:3826 的位置误差可达 12 米/);
  });

  test('that the server does not take are named', async () => {
    server.answer(getImport, { ...checked, state: 'uploaded', counts: null, task: null });
    server.refuse(checkImport, 400, {
      detail: '输入有误',
      params: [
        { field: 'columns.1', rule: 'unknownField', message: '未知字段' },
        { field: 'system', rule: 'enum', message: '未知坐标系' },
      ],
    });
    await open('?import=7');
    await press('开始检查');
    await screen.findByText('位置：未知字段');
    await screen.findByText('system：未知坐标系');
  });
});

describe('the check', () => {
  test('is followed live, then shown in numbers, groups and rows; groups and numbers filter', async () => {
    server.answer(getImport, { ...uploaded, task: task('import.check', 'running') });
    await open('?import=7');
    await screen.findByText('正在检查每一行');
    server.answer(getImport, checked);
    server.tell({ type: 'task', id: 40 });
    await press(/^271新增$/);
    await waitFor(() => expect(server.of(listImportRows).at(-1)?.query.get('outcome')).toBe('new'));
    await screen.findByText(/距其他位置 240 公里/);
    const [far, update] = [screen.getByText('27517, 2759430'), screen.getByText('010012')].map(
      (one) => one.closest('li[class*=item]') as HTMLElement,
    );
    expect(within(far as HTMLElement).getByText('水泥桿')).toBeDefined();
    expect(within(update as HTMLElement).getByText('（空）')).toBeDefined();
    expect(within(update as HTMLElement).getByText('智慧灯杆')).toBeDefined();
    await press(/所属道路: 没有登记/);
    await waitFor(() =>
      expect(server.of(listImportRows).at(-1)?.query.toString()).toBe(
        'outcome=error&rule=notFound&field=roadId&after=0&size=50',
      ),
    );
    expect(screen.getByText('龍興路')).toBeDefined();
  });

  /** Until what was asked before is answered, nothing can be pressed. */
  const pressNext = async (name: string): Promise<void> => {
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false));
    await press(name);
  };

  test('is made again with what somebody says: a word’s meaning, positions that are right, roads to be made', async () => {
    server.answer(getImport, checked);
    server.answer(checkImport, checked);
    await open('?import=7');
    await chooseOption(await screen.findByRole('combobox', { name: '“水泥桿”的含义' }), '普通灯杆');
    await press('按此重新检查');
    await waitFor(() =>
      expect(bodyOf(server, checkImport, 0)).toEqual({
        ...checked.plan,
        words: { equipmentTypeId: { 水泥桿: 'equipment_type_13' } },
      }),
    );
    await pressNext('位置无误，重新检查');
    await waitFor(() => expect(bodyOf(server, checkImport, 1)).toEqual({ ...checked.plan, acceptFar: true }));
    await pressNext('新建道路并重新检查');
    await waitFor(() => expect(bodyOf(server, checkImport, 2)).toEqual({ ...checked.plan, createRoads: true }));
  });

  test('asks once for the file whether it lies where it should, and nothing is written before the answer', async () => {
    const questions = [
      { kind: 'outsideSystem' as const, rows: 12, km: null },
      { kind: 'farFromRegister' as const, rows: 271, km: 8_700 },
    ];
    server.answer(getImport, { ...checked, questions });
    server.answer(checkImport, { ...checked, questions, plan: { ...checked.plan, acceptPlace: true } });
    await open('?import=7');
    await screen.findByText('有 12 行不在 EPSG:3826 的适用范围内');
    await screen.findByText('文件中的位置距最近的已登记设备 8,700 公里');
    await screen.findByText('写入前请先回答上面的问题。');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '下一步：写入' }).disabled).toBe(true);
    await press('位置正确，重新检查');
    await screen.findByText('文件的位置已确认');
    expect(bodyOf(server, checkImport)).toMatchObject({ acceptPlace: true });
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: '下一步：写入' }).disabled).toBe(false),
    );
    await press('撤回确认');
    await waitFor(() => expect(bodyOf(server, checkImport, 1)).toMatchObject({ acceptPlace: false }));
  });

  test('that failed says why and can be made again', async () => {
    server.answer(getImport, { ...uploaded, plan: checked.plan, task: task('import.check', 'failed') });
    server.answer(checkImport, checked);
    await open('?import=7');
    await screen.findByText('数据库没有应答');
    await press('重新检查');
    await screen.findByText('看不懂的词');
  });
});

describe('writing', () => {
  test('says in numbers what will happen; all or nothing is kept back while rows are wrong', async () => {
    server.answer(getImport, checked);
    server.answer(applyImport, { ...checked, task: task('import.apply', 'running') });
    await open('?import=7&step=write');
    await screen.findByText('新增设备 271 台');
    await screen.findByText('有错误、不写入 27 行');
    fireEvent.click(screen.getByRole('radio', { name: /全部或不导入/ }));
    await screen.findByText(/不会写入任何数据/);
    expect((screen.getByRole('button', { name: '开始写入' }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: /只写入有效的行/ }));
    await press('开始写入');
    await screen.findByText('正在写入');
    expect(bodyOf(server, applyImport)).toEqual({ rows: 'valid' });
  });

  test('an old one whose rows are gone says so instead of offering what is no longer possible', async () => {
    server.answer(getImport, {
      ...checked,
      state: 'applied',
      task: task('import.apply', 'done'),
      appliedAt: '2026-05-21T10:01:00Z',
      rowsRemovedAt: '2026-11-20T10:01:00Z',
    });
    await open('?import=7');
    await screen.findByText(/这次导入不能再撤销/);
    for (const name of ['撤销导入', '下载未导入的行']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(server.of(listImportRows)).toEqual([]);
  });

  test('is undone after saying what that does; rows that stayed are listed', async () => {
    const applied: Import = {
      ...checked,
      state: 'applied',
      task: task('import.apply', 'done'),
      appliedAt: '2026-11-21T10:01:00Z',
    };
    server.answer(getImport, applied);
    server.answer(undoImport, {
      ...applied,
      state: 'undone',
      task: task('import.undo', 'done', 41),
      undoneAt: '2026-11-21T10:02:00Z',
      notUndone: 3,
    });
    await open('?import=7');
    await screen.findByRole('button', { name: '打开灯杆列表' });
    await press('撤销导入');
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('新增的 271 台设备会被删除');
    fireEvent.click(within(dialog).getByRole('button', { name: '撤销导入' }));
    await screen.findByText('3 行在导入之后有变化，保持原样。');
    await waitFor(() => expect(server.of(listImportRows).at(-1)?.query.get('notUndone')).toBe('true'));
  });
});

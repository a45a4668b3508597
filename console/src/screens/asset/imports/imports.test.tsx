import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyImport, checkImport, deleteImport, getImport, listCoordinateSystems, listImportMappings, listImportPins, listImportRows, listImports, undoImport, uploadImport } from '../../../../../contract/routes/imports.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Imports from './index.tsx';
import type { Import } from './plan.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const task = (kind: 'import.check' | 'import.apply' | 'import.undo', state: 'running' | 'done' | 'failed', id = 40): Import['task'] => ({
  id, kind, state, done: 120, total: 300, params: { importId: 7 }, error: state === 'failed' ? '数据库没有应答' : null, file: null, createdAt: '2026-11-21T10:00:00Z', endedAt: state === 'running' ? null : '2026-11-21T10:00:09Z',
});
const uploaded: Import = {
  id: 7, family: 'lamp-pole', state: 'uploaded', fileName: '灯杆.csv', bytes: 43_000, format: { kind: 'csv', encoding: 'utf-8', delimiter: ',', sheet: null, sheets: [], sure: true, candidates: [{ encoding: 'utf-8', sample: '編號,位置' }, { encoding: 'big5', sample: '蝺刻' }] },
  columns: [{ title: '編號', samples: ['010001', '010002'] }, { title: '位置', samples: ['后寮里 30 号', ''] }, { title: '類型', samples: ['水泥桿'] }, { title: 'X', samples: ['275170.6'] }, { title: 'Y', samples: ['2759430.2'] }],
  plan: { fields: { longitude: { column: 3 }, latitude: { column: 4 } }, ignored: [], system: 'EPSG:3826', words: {}, existing: 'update', createRoads: false, acceptFar: false },
  remembered: false, questions: [], counts: null, unknownWords: {}, newRoads: [], task: null, accountName: 'admin', createdAt: '2026-11-21T09:59:00Z', appliedAt: null, undoneAt: null, notUndone: null,
};
const fields = { equipmentCode: { column: 0 }, equipmentName: { column: 1 }, equipmentTypeId: { column: 2 }, workId: { value: 'ZL' } };
const checked: Import = {
  ...uploaded, state: 'checked', plan: { ...uploaded.plan, fields: { ...uploaded.plan.fields, ...fields } }, counts: { new: 271, update: 2, unchanged: 0, error: 27 }, task: task('import.check', 'done'),
  unknownWords: { equipmentTypeId: [{ word: '水泥桿', rows: 219 }] }, newRoads: [{ name: '龍興路', rows: 61 }],
};
const rows = {
  data: [
    { row: 12, outcome: 'error' as const, code: '010011', deviceId: null, undone: null, changes: [], problems: [{ field: 'longitude', rule: 'farAway', message: '距其他位置 240 公里', text: '27517, 2759430' }, { field: 'equipmentTypeId', rule: 'option', message: '不在可选范围内', text: '水泥桿' }] },
    { row: 13, outcome: 'update' as const, code: '010012', deviceId: 5, undone: null, problems: [], changes: [{ field: 'rmark', from: '旧', to: null }, { field: 'equipmentTypeId', from: 'equipment_type_24', to: 'equipment_type_13' }] },
  ],
  recordsTotal: 27,
  problems: [{ field: 'longitude', rule: 'farAway', message: '经度: 距其他位置很远', rows: 1 }, { field: 'roadId', rule: 'notFound', message: '所属道路: 没有登记', rows: 8 }],
};

let server: ContractServer;
const open = (search: string, codes: readonly string[] = ['device.import']) => renderInShell(<Imports />, { address: `/asset/imports${search}`, codes, pages: ['pole/poles'], live: server });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getImport, uploaded);
  server.answer(listImportRows, rows);
  server.answer(listCoordinateSystems, { data: ['WGS84', 'GCJ02', 'EPSG:3826'] });
  server.answer(listImportPins, { pins: [{ row: 2, label: '010001', x: '275170', y: '2759430', longitude: 121.2492, latitude: 24.9424 }, { row: 151, label: '010140', x: '274386', y: '2759928', longitude: 121.2414, latitude: 24.9469 }, { row: 301, label: '乙', x: '1', y: '2', longitude: null, latitude: null }], fits: [], questions: [], accuracy: null });
  server.answer(listImportMappings, { data: [], recordsTotal: 0 });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('the list', () => {
  test('tells file, family, state and counts; forgetting says what is lost first', async () => {
    server.answer(listImports, { data: [{ ...checked, state: 'applied', task: task('import.apply', 'done') }], recordsTotal: 1 });
    server.on(deleteImport, () => ({ status: 204, body: '' }));
    await open('');
    const line = (await screen.findByRole('button', { name: '灯杆.csv' })).closest('tr') as HTMLElement;
    for (const text of ['灯杆', '已写入', '271', '27', 'admin']) expect(within(line).getByText(text)).toBeDefined();
    await press('移除记录 灯杆.csv');
    await screen.findByText('已写入的设备保留，但之后不能再撤销这次导入。');
    await press('移除记录');
    await waitFor(() => expect(server.of(deleteImport).length).toBe(1));
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
  const give = async (file: File) => fireEvent.change(await screen.findByTestId('import-file'), { target: { files: [file] } });
  test('is sent as its bytes, then its columns are shown', async () => {
    server.answer(uploadImport, uploaded);
    const { address } = await open('?new=lamp-pole');
    await give(new File(['a,b\n1,2'], '灯杆.csv'));
    await screen.findByText('文件里的列');
    const [request] = server.of(uploadImport);
    expect([request?.headers['content-type'], request?.query.get('family'), request?.query.get('name'), request?.body]).toEqual(['application/octet-stream', 'lamp-pole', '灯杆.csv', 'a,b\n1,2']);
    expect(address()).toBe('/asset/imports?import=7');
  });

  test('that is refused says why, in the server’s words; an empty one is not even sent', async () => {
    server.refuse(uploadImport, 400, { code: 3806, title: '旧版 .xls 或加密的工作簿不能读取', detail: '请另存为不加密的 .xlsx 后重试' });
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
    expect(bodyOf(server, checkImport)).toEqual({ ...uploaded.plan, fields: { ...uploaded.plan.fields, equipmentCode: { column: 0 }, workId: { column: 1 } }, ignored: [2] });
  });

  test('show three rows on the map, with their distance, and what lies outside the system; the columns can be swapped', async () => {
    await open('?import=7');
    await screen.findByText('24.942400°, 121.249200°', { exact: false });
    await screen.findByText('超出这个坐标系的范围');
    await screen.findByText('距 010001：010140: 932 m', { exact: false });
    await press('两列对调');
    await waitFor(() => expect(server.of(listImportPins).at(-1)?.query.toString()).toBe('x=4&y=3&system=EPSG%3A3826'));
  });

  test('that the server does not take are named', async () => {
    server.answer(getImport, { ...checked, state: 'uploaded', counts: null, task: null });
    server.refuse(checkImport, 400, { detail: '输入有误', params: [{ field: 'columns.1', rule: 'unknownField', message: '未知字段' }, { field: 'system', rule: 'enum', message: '未知坐标系' }] });
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
    const [far, update] = [screen.getByText('27517, 2759430'), screen.getByText('010012')].map((one) => one.closest('li[class*=item]') as HTMLElement);
    expect(within(far as HTMLElement).getByText('水泥桿')).toBeDefined();
    expect(within(update as HTMLElement).getByText('（空）')).toBeDefined();
    expect(within(update as HTMLElement).getByText('智慧灯杆')).toBeDefined();
    await press(/所属道路: 没有登记/);
    await waitFor(() => expect(server.of(listImportRows).at(-1)?.query.toString()).toBe('outcome=error&rule=notFound&field=roadId&after=0&size=50'));
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
    await waitFor(() => expect(bodyOf(server, checkImport, 0)).toEqual({ ...checked.plan, words: { equipmentTypeId: { 水泥桿: 'equipment_type_13' } } }));
    await pressNext('位置无误，重新检查');
    await waitFor(() => expect(bodyOf(server, checkImport, 1)).toEqual({ ...checked.plan, acceptFar: true }));
    await pressNext('新建道路并重新检查');
    await waitFor(() => expect(bodyOf(server, checkImport, 2)).toEqual({ ...checked.plan, createRoads: true }));
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
    server.answer(getImport, { ...checked, state: 'applied', task: task('import.apply', 'done'), appliedAt: '2026-05-21T10:01:00Z', rowsRemovedAt: '2026-11-20T10:01:00Z' });
    await open('?import=7');
    await screen.findByText(/这次导入不能再撤销/);
    for (const name of ['撤销导入', '下载未导入的行']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(server.of(listImportRows)).toEqual([]);
  });

  test('is undone after saying what that does; rows that stayed are listed', async () => {
    const applied: Import = { ...checked, state: 'applied', task: task('import.apply', 'done'), appliedAt: '2026-11-21T10:01:00Z' };
    server.answer(getImport, applied);
    server.answer(undoImport, { ...applied, state: 'undone', task: task('import.undo', 'done', 41), undoneAt: '2026-11-21T10:02:00Z', notUndone: 3 });
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

import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { families } from '../../../../catalogue/families/index.ts';
import { records } from '../../../../catalogue/records/index.ts';
import {
  createDevice,
  createCredentials,
  deleteDevice,
  getDevice,
  getDeviceUses,
  listDevices,
  updateDevice,
} from '../../../../contract/register/devices.ts';
import { getDeviceProtocol } from '../../../../contract/wires/device-protocol.ts';
import { errors } from '../../../../contract/errors.ts';
import { createRecord, getRecord, listRecords, updateRecord } from '../../../../contract/register/records.ts';
import { exportDevices } from '../../../../contract/desk/exports.ts';
import { getPreferences } from '../../../../contract/people/me.ts';
import { contractServer, type ContractServer } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { DeviceTable } from './DeviceTable.tsx';
import { RecordScreen } from './RecordScreen.tsx';
import { namesFor } from '../../locales/catalogue-names.ts';

const at = '2026-11-20T13:00:00.000Z';
const lamp = {
  id: 7,
  family: 'single-lamp-controller',
  version: 3,
  createTime: at,
  updateTime: at,
  isOnline: true,
  state: 'on',
  fault: null,
  latchedPosition: '120.200000, 30.200000',
  labels: { workId: '滨江', roadId: '滨江大道', lamppostId: 'P-1' },
  secrets: [],
  latest: { at, receivedAt: at, values: { level: 60, power: 87.4, relay: true }, connected: null },
  equipmentCode: 'BJ-7',
  equipmentName: '七号灯',
  workId: 1,
  roadId: 2,
  lamppostId: 5,
  status: 'enabled',
  power: 150,
  rmark: null,
};
const codes = [
  'device.add',
  'device.edit',
  'device.del',
  'device.credentials',
  'record.add',
  'record.edit',
  'record.del',
];
let server: ContractServer;
let address: () => string;
async function open(path: string, screenOf: ReactNode, held: readonly string[] = codes) {
  ({ address } = await renderInShell(screenOf, { address: path, codes: held }));
}
const lamps = <DeviceTable family="single-lamp-controller" screen="asset/single-lamp-controllers" />;
const find = { timeout: 8_000 };
// Two busy cores: what is waited for comes, but not within the libraries' usual second.
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(listDevices, { data: [lamp], recordsTotal: 1 });
  server.answer(getDevice, lamp);
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('the list', () => {
  test('shows rows with names instead of ids, units, and asks for what the address says', async () => {
    await open('/x?q=BJ&roadId=2&sort=equipmentCode,desc&size=20', lamps);
    const row = within((await screen.findByText('BJ-7', undefined, find)).closest('tr')!);
    expect(row.getByText('滨江大道')).toBeTruthy();
    expect(row.getByText('60%')).toBeTruthy();
    expect(row.getByText('在线')).toBeTruthy();
    expect(Object.fromEntries(server.of(listDevices)[0]!.query)).toMatchObject({
      family: 'single-lamp-controller',
      q: 'BJ',
      roadId: '2',
      sort: 'equipmentCode,desc',
      size: '20',
      page: '1',
    });
    expect(screen.getByRole('status', { name: '' }).textContent).toContain('共找到 1 条结果');
  });

  test('is exported as it is filtered, without its page and order', async () => {
    server.answer(exportDevices, {
      id: 4,
      kind: 'export.devices',
      state: 'queued',
      done: 0,
      total: 1,
      params: { family: 'single-lamp-controller', query: {}, workAreaId: null },
      error: null,
      file: null,
      createdAt: at,
      endedAt: null,
    });
    await open('/x?q=BJ&roadId=2&sort=equipmentCode,desc&size=20', lamps, [...codes, 'device.export']);
    await screen.findByText('BJ-7', undefined, find);
    fireEvent.click(screen.getByRole('button', { name: '导出' }));
    await waitFor(() =>
      expect(server.of(exportDevices).map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
        { family: 'single-lamp-controller', query: { q: 'BJ', roadId: '2' } },
      ]),
    );
    cleanup();
    await open('/x', lamps);
    await screen.findByText('BJ-7', undefined, find);
    expect(screen.queryByRole('button', { name: '导出' })).toBeNull();
  });

  test('Enter searches, the filters go into the address; reset empties it', async () => {
    await open('/x?page=3', lamps);
    const text = await screen.findByLabelText('编号或名称', undefined, find);
    fireEvent.change(text, { target: { value: ' BJ-1 ' } });
    fireEvent.submit(text.closest('form')!);
    await waitFor(() => expect(address()).toBe('/x?q=BJ-1'));
    fireEvent.click(screen.getByRole('button', { name: '重置' }));
    await waitFor(() => expect(address()).toBe('/x'));
  });

  test('projects are found by region: the levels that projects are written with, however their slashes', async () => {
    const project = (id: number, area: string | null) => ({
      id,
      version: 1,
      createTime: at,
      updateTime: at,
      labels: {},
      secrets: [],
      workCode: `W${id}`,
      workName: `项目${id}`,
      area,
      timeZone: 'Asia/Shanghai',
    });
    server.answer(listRecords, {
      data: [project(1, '浙江省 / 杭州市／滨江区'), project(2, '浙江省/宁波市'), project(3, null)],
      recordsTotal: 3,
    });
    await open(
      `/x?area=${encodeURIComponent('浙江省/宁波市')}`,
      <RecordScreen record="work-area" screen="asset/work-areas" />,
    );
    await screen.findByText('W1', undefined, find);
    expect(await screen.findByText('浙江省 / 宁波市', undefined, find)).toBeTruthy();
    const region = await screen.findByLabelText('所属区域', { selector: 'input' }, find);
    await act(async () => void fireEvent.mouseDown(region));
    const province = await screen.findByText('浙江省', { selector: '.ant-cascader-menu-item-content' }, find);
    await act(async () => void fireEvent.click(province));
    expect(
      [...document.querySelectorAll('.ant-cascader-menu:last-child .ant-cascader-menu-item')].map(
        ({ textContent }) => textContent,
      ),
    ).toEqual(['杭州市', '宁波市']);
    await act(async () => void fireEvent.submit(region.closest('form')!));
    await waitFor(() => expect(server.of(listRecords).at(-1)!.query.get('area')).toBe('浙江省'));
  });

  test('the regions to choose from are fetched when they are opened, or to name the chosen one, not with every list', async () => {
    const project = {
      id: 1,
      version: 1,
      createTime: at,
      updateTime: at,
      labels: {},
      secrets: [],
      workCode: 'W1',
      workName: '项目1',
      area: '浙江省/杭州市',
      timeZone: 'Asia/Shanghai',
    };
    server.answer(listRecords, { data: [project], recordsTotal: 1 });
    const fetched = () => server.of(listRecords).filter(({ query }) => query.get('size') === '1000').length;
    await open('/x', <RecordScreen record="work-area" screen="asset/work-areas" />);
    await screen.findByText('W1', undefined, find);
    expect(fetched()).toBe(0);
    const region = await screen.findByLabelText('所属区域', { selector: 'input' }, find);
    await act(async () => void fireEvent.mouseDown(region));
    expect(await screen.findByText('浙江省', { selector: '.ant-cascader-menu-item-content' }, find)).toBeTruthy();
    expect(fetched()).toBe(1);
    cleanup();
    await open(
      `/x?area=${encodeURIComponent('浙江省/杭州市')}`,
      <RecordScreen record="work-area" screen="asset/work-areas" />,
    );
    await waitFor(() => expect(fetched()).toBe(2));
  });

  test('empty says why and offers one step; an error says its request id; missing rights hide the buttons', async () => {
    server.answer(listDevices, { data: [], recordsTotal: 0 });
    await open('/x?q=zzz', lamps, []);
    fireEvent.click(await screen.findByRole('button', { name: '清除条件' }, find));
    expect(await screen.findByText('还没有单灯控制器', undefined, find)).toBeTruthy();
    expect(screen.queryByRole('button', { name: '新增' })).toBeNull();
    cleanup();
    server.refuse(listDevices, 500, { message: '出错了', requestId: 'r-1' });
    await open('/x', lamps);
    expect((await screen.findByRole('alert', undefined, find)).textContent).toContain('r-1');
    cleanup();
    server.refuse(listDevices, 403, { message: '没有权限 device.query' });
    await open('/x', lamps);
    expect(await screen.findByText('没有权限 device.query', undefined, find)).toBeTruthy();
  });
});

describe.each([
  ...families.map(
    (family) => [family.key, family, <DeviceTable key={family.key} family={family.key} screen="pole/poles" />] as const,
  ),
  ...records.map(
    (record) =>
      [record.key, record, <RecordScreen key={record.key} record={record.key} screen="asset/roads" />] as const,
  ),
])('the form of %s', (_key, owner, screenOf) => {
  test('has a labelled input for every field, refuses what is missing beside its fields, and sends nothing', async () => {
    server.answer(listRecords, { data: [], recordsTotal: 0 });
    await open('/x?form=new', screenOf);
    const dialog = within(await screen.findByRole('dialog', undefined, find));
    const names = await namesFor('zh-CN');
    for (const key of owner.sections.flatMap((section) => section.fields)) {
      if (key !== 'gatewayId')
        expect(
          dialog.getAllByLabelText(new RegExp(`^${names.field(key, owner.key).replace(/[()（）]/g, '.')}`)).length,
          key,
        ).toBeGreaterThan(0);
    }
    fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
    const required = owner.fields.filter(
      (field) => field.required && !('initial' in field) && field.key !== 'timeZone',
    );
    await waitFor(() => expect(dialog.getAllByText('不能为空')).toHaveLength(required.length));
    expect(dialog.getByText(`${required.length} 处需要修改`)).toBeTruthy();
    expect([...server.of(createDevice), ...server.of(createRecord)]).toEqual([]);
  });
});

describe('changing a device', () => {
  const edit = async () => {
    await open('/x?form=7', lamps);
    return within(await screen.findByRole('dialog', undefined, find));
  };
  const type = async (dialog: Awaited<ReturnType<typeof edit>>, label: string, value: string) =>
    fireEvent.change(await dialog.findByLabelText(label, undefined, find), { target: { value } });

  test('sends only what changed, with the version', async () => {
    server.answer(updateDevice, { ...lamp, version: 4 });
    const dialog = await edit();
    await type(dialog, '备注', '换过驱动');
    fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
    await waitFor(() => expect(address()).toBe('/x'));
    expect(JSON.parse(server.of(updateDevice)[0]!.body)).toEqual({ rmark: '换过驱动', version: 3 });
  });

  test('shows the server’s problems beside their fields and keeps what was typed', async () => {
    server.refuse(updateDevice, 400, {
      params: [
        { field: 'equipmentName', rule: 'taken', message: '已被使用' },
        { field: 'rmark', rule: 'maxLength', message: '最多 500 个字符' },
      ],
    });
    const dialog = await edit();
    await type(dialog, '备注', '换过驱动');
    fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
    expect(await dialog.findByText('已被使用', undefined, find)).toBeTruthy();
    expect(dialog.getByText('最多 500 个字符')).toBeTruthy();
    expect((dialog.getByLabelText('备注') as HTMLTextAreaElement).value).toBe('换过驱动');
  });

  test('after somebody else saved first, the newest version is loaded and the own changes stay', async () => {
    server.refuse(updateDevice, 409, { message: '已被修改' });
    const dialog = await edit();
    await type(dialog, '备注', '换过驱动');
    fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
    server.answer(getDevice, { ...lamp, version: 9, manufacturer: '别人填的' } as typeof lamp);
    fireEvent.click(await dialog.findByRole('button', { name: '载入最新版本' }, find));
    await waitFor(() => expect((dialog.getByLabelText('生产厂家') as HTMLInputElement).value).toBe('别人填的'));
    server.answer(updateDevice, { ...lamp, version: 10 });
    fireEvent.click(await dialog.findByRole('button', { name: '保存' }));
    await waitFor(() =>
      expect(JSON.parse(server.of(updateDevice).at(-1)!.body)).toEqual({ rmark: '换过驱动', version: 9 }),
    );
  });
});

test('the region of a project is free text: a new one is sent as it was typed, an emptied one as none', async () => {
  const project = {
    id: 1,
    version: 3,
    createTime: at,
    updateTime: at,
    labels: {},
    secrets: [],
    workCode: 'W1',
    workName: '项目1',
    area: '浙江省/宁波市',
    timeZone: 'Asia/Shanghai',
  };
  server.answer(listRecords, { data: [project], recordsTotal: 1 });
  server.answer(getRecord, project);
  server.answer(updateRecord, { ...project, version: 4 });
  for (const [typed, kept] of [
    ['浙江省/湖州市', '浙江省/湖州市'],
    ['', null],
  ] as const) {
    await open('/x?form=1', <RecordScreen record="work-area" screen="asset/work-areas" />);
    const dialog = within(await screen.findByRole('dialog', undefined, find));
    const region = await dialog.findByRole('combobox', { name: /^所属区域/ }, find);
    await act(async () => void fireEvent.change(region, { target: { value: typed } }));
    await act(async () => void fireEvent.keyDown(region, { key: 'Enter', keyCode: 13 }));
    await act(async () => void fireEvent.click(dialog.getByRole('button', { name: '保存' })));
    await waitFor(() => expect(address()).toBe('/x'));
    expect(JSON.parse(server.of(updateRecord).at(-1)!.body)).toEqual({ area: kept, version: 3 });
    cleanup();
  }
});

test('another time zone of a project says how many lamps get darker; without their number it is not saved', async () => {
  const project = {
    ...{ id: 1, version: 3, createTime: at, updateTime: at, labels: {}, secrets: [] },
    ...{ workCode: 'W1', workName: '项目1', timeZone: 'Asia/Shanghai' },
  };
  server.answer(listRecords, { data: [project], recordsTotal: 1 });
  server.answer(getRecord, project);
  server.wouldChange(updateRecord, {}, { ...project, darkens: 1200 });
  const message = '有 1200 盏灯变暗';
  const params = [{ field: 'confirmCount', rule: 'required', message: '不能为空' }];
  server.refuse(updateRecord, 400, { code: errors.areaDarkens.code, message, count: 1200, params });
  await open('/x?form=1', <RecordScreen record="work-area" screen="asset/work-areas" />);
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  fireEvent.change(await dialog.findByRole('textbox', { name: /^时区/ }, find), { target: { value: 'Asia/Tokyo' } });
  expect(await dialog.findByText('1,200 盏变暗', undefined, find)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: '保存' }));
  expect(await dialog.findByText(message, undefined, find)).toBeTruthy();
  expect(address()).not.toBe('/x');
});

test('deleting names what is lost, and is not offered while others hang on it', async () => {
  server.answer(getDeviceUses, { blocking: [{ what: 'parent', name: '经它通信的设备', count: 4 }], lost: [] });
  await open('/x', lamps);
  fireEvent.click(await screen.findByRole('button', { name: '删除 BJ-7' }, find));
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  expect(await dialog.findByText('经它通信的设备 · 4', undefined, find)).toBeTruthy();
  expect(dialog.getByRole('button', { name: '删除' }).hasAttribute('disabled')).toBe(true);
  cleanup();
  server.answer(getDeviceUses, { blocking: [], lost: [{ what: 'readings', name: '读数记录', count: 96 }] });
  server.on(deleteDevice, () => ({ status: 204, body: '' }));
  await open('/x', lamps);
  fireEvent.click(await screen.findByRole('button', { name: '删除 BJ-7' }, find));
  const again = within(await screen.findByRole('dialog', undefined, find));
  expect(await again.findByText('读数记录 · 96', undefined, find)).toBeTruthy();
  fireEvent.click(again.getByRole('button', { name: '删除' }));
  await waitFor(() => expect(server.of(deleteDevice)).toHaveLength(1));
});

test('credentials are asked for after a warning and shown once', async () => {
  server.answer(getDeviceProtocol, { servers: { mqtt: { host: 'lamps.example:1884', protocol: 'mqtt' } } });
  server.answer(createCredentials, { clientId: 'lampyris-7', username: 'lampyris-7', password: 'geheim-geheim' });
  await open('/x?open=7', lamps);
  fireEvent.click(await screen.findByRole('button', { name: '发放凭据' }, find));
  expect(await screen.findByText(/旧凭据立即失效/, undefined, find)).toBeTruthy();
  expect(server.of(createCredentials)).toEqual([]);
  fireEvent.click(screen.getAllByRole('button', { name: '发放凭据' }).at(-1)!);
  expect(await screen.findByText('geheim-geheim', undefined, find)).toBeTruthy();
  // What to send with them, where to; and nothing that was received before counts as the answer.
  expect(
    await screen.findByText(
      /^mosquitto_pub -h 'lamps.example' -p 1884 -i 'lampyris-7' .* -t 'lampyris\/v1\/devices\/7\/readings'/,
      undefined,
      find,
    ),
  ).toBeTruthy();
  expect(screen.getByText('等待第一条消息…')).toBeTruthy();
  server.answer(getDevice, {
    ...lamp,
    latest: { ...lamp.latest, receivedAt: '2026-11-20T13:05:00.000Z', values: { power: 91.2 } },
  });
  expect(await screen.findByText('已收到消息', undefined, find)).toBeTruthy();
  expect(screen.getAllByText('91.2').length).toBeGreaterThan(0);
  fireEvent.click(screen.getByRole('button', { name: '我已保存' }));
  await waitFor(() => expect(screen.queryByText('geheim-geheim')).toBeNull());
});

import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { families } from '../../../../../catalogue/families/index.ts';
import { familyPageNames, familyPages, pageOfFamily } from '../../../../../contract/family-pages.ts';
import {
  bindDeviceAccount,
  listDeviceAccounts,
  revealDeviceSecret,
  unbindDeviceAccount,
} from '../../../../../contract/register/device-access.ts';
import { getDevice, listDevices, updateDevice } from '../../../../../contract/register/devices.ts';
import { getPreferences, patchPreferences } from '../../../../../contract/people/me.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import { screens } from '../../index.ts';
import { familyScreen } from './index.tsx';

const at = '2026-11-20T13:00:00.000Z';
const camera = (id: number, status: string) => ({
  id,
  family: 'security-camera',
  version: 1,
  createTime: at,
  updateTime: at,
  isOnline: true,
  state: 'on',
  fault: null,
  latchedPosition: null,
  labels: { workId: '滨江' },
  secrets: ['securityCode'],
  latest: null,
  equipmentCode: `CAM-${id}`,
  equipmentName: '摄像机',
  workId: 1,
  status,
  securityCode: null,
});
const codes = ['device.edit', 'device.secret', 'device.bind'];
const find = { timeout: 8_000 };
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
let server: ContractServer;

const { default: Cameras } = familyScreen('pole/security-cameras');
const open = (path: string, held: readonly string[] = codes) =>
  renderInShell(<Cameras />, { address: path, codes: held });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getPreferences, {});
  server.answer(listDevices, { data: [camera(1, 'enabled'), camera(2, 'disabled')], recordsTotal: 2 });
  server.answer(getDevice, camera(1, 'enabled'));
  server.answer(updateDevice, camera(1, 'enabled'));
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('every family has exactly one page, and every page a screen', () => {
  expect(familyPageNames.map((name) => familyPages[name].family).toSorted()).toEqual(
    families.map(({ key }) => key).toSorted(),
  );
  for (const { key } of families) expect(screens).toHaveProperty([pageOfFamily(key) ?? '']);
});

test('turning a page goes on from where the page ends; a count that is an estimate says so', async () => {
  server.answer(listDevices, {
    data: [camera(1, 'enabled'), camera(2, 'disabled')],
    recordsTotal: 998_123,
    recordsTotalExact: false,
    next: 'the-end',
  });
  await open('/x?size=10');
  await screen.findByText('CAM-1', undefined, find);
  const asked = () =>
    server.of(listDevices).map(({ query }) =>
      ['page', 'after', 'before']
        .flatMap((key) => {
          const value = query.get(key);
          return value === null ? [] : [`${key}=${value}`];
        })
        .join(),
    );
  expect(screen.getAllByText(/约.*998,123/).length).toBeGreaterThan(0);
  fireEvent.click(screen.getByTitle('Next Page'));
  await waitFor(() => expect(asked()).toEqual(['page=1', 'after=the-end']));
});

async function chooseBoth() {
  for (const code of ['CAM-1', 'CAM-2'])
    fireEvent.click(await screen.findByRole('checkbox', { name: `选择 ${code}` }, find));
  return within(screen.getByRole('toolbar', { name: '批量操作' }));
}

test('several are disabled at once; what already is stays out and is said', async () => {
  await open('/x');
  fireEvent.click((await chooseBoth()).getByRole('button', { name: '停用' }));
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  expect(dialog.getByText('停用 1 台设备？')).toBeTruthy();
  expect(dialog.getByText('已经是“停用”')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: '停用' }));
  await waitFor(() =>
    expect(server.of(updateDevice).map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ['/api/v1/devices/1', { status: 'disabled' }],
    ]),
  );
});

test('one is disabled from its details, with its version', async () => {
  await open('/x?open=1');
  const details = within(
    (await screen.findByText('安防摄像机详情', undefined, find)).closest<HTMLElement>('[role=dialog]')!,
  );
  fireEvent.click(await details.findByRole('button', { name: '停用' }, find));
  const dialog = within(
    (await screen.findByText('停用 1 台设备？', undefined, find)).closest<HTMLElement>('[role=dialog]')!,
  );
  fireEvent.click(dialog.getByRole('button', { name: '停用' }));
  await waitFor(() =>
    expect(server.of(updateDevice).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { status: 'disabled', version: 1 },
    ]),
  );
  await waitFor(() => expect(screen.queryByText('停用 1 台设备？')).toBeNull());
});

test('one field of several is changed at once, once it was chosen', async () => {
  await open('/x');
  fireEvent.click((await chooseBoth()).getByRole('button', { name: '批量编辑' }));
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  const go = () => dialog.getByRole<HTMLButtonElement>('button', { name: '批量编辑' });
  expect(go().disabled).toBe(true);
  fireEvent.change(dialog.getByLabelText('字段'), { target: { value: '生产厂家' } });
  fireEvent.keyDown(dialog.getByLabelText('字段'), { key: 'Enter', keyCode: 13 });
  fireEvent.change(await dialog.findByLabelText('新的值', undefined, find), { target: { value: '萤火' } });
  await waitFor(() => expect(go().disabled).toBe(false));
  fireEvent.click(go());
  await waitFor(() =>
    expect(server.of(updateDevice).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { manufacturer: '萤火' },
      { manufacturer: '萤火' },
    ]),
  );
});

const rows = (changed: number) => ({ added: 0, changed, removed: 0 });

test('several are tried one by one once the value is there, and what is refused is counted', async () => {
  server.wouldChange(updateDevice, { devices: rows(1), positions: rows(2) });
  await open('/x');
  fireEvent.click((await chooseBoth()).getByRole('button', { name: '批量编辑' }));
  const dialog = within(await screen.findByRole('dialog', undefined, find));
  fireEvent.change(dialog.getByLabelText('字段'), { target: { value: '生产厂家' } });
  fireEvent.keyDown(dialog.getByLabelText('字段'), { key: 'Enter', keyCode: 13 });
  const value = await dialog.findByLabelText('新的值', undefined, find);
  for (const text of ['萤', '萤火']) fireEvent.change(value, { target: { value: text } });
  expect(await dialog.findByText('将影响 4 个灯序位置', undefined, find)).toBeTruthy();
  expect(server.triesOf(updateDevice).map(({ path, body }) => [path, body])).toEqual([
    ['/api/v1/devices/1', '{"manufacturer":"萤火"}'],
    ['/api/v1/devices/2', '{"manufacturer":"萤火"}'],
  ]);
  server.refuseTries(updateDevice, 400, { message: '请检查' });
  fireEvent.change(value, { target: { value: '萤火虫' } });
  expect(await dialog.findByText(/其中 2 \/ 2 目前无法执行：请检查/, undefined, find)).toBeTruthy();
  expect(server.of(updateDevice)).toEqual([]);
});

test('who edits a device reads what else it changes, once the typing rests; nothing before', async () => {
  server.wouldChange(updateDevice, { devices: rows(1), assignments: rows(1) });
  await open('/x');
  fireEvent.click((await screen.findAllByRole('button', { name: '编辑 CAM-1' }, find))[0]!);
  const name = await screen.findByLabelText(/^设备名称/, { selector: 'form input' }, find);
  expect(server.triesOf(updateDevice)).toEqual([]);
  for (const text of ['东', '东门', '']) fireEvent.change(name, { target: { value: text } });
  for (const text of ['东', '东门']) fireEvent.change(name, { target: { value: text } });
  expect(await screen.findByText('将影响 1 条方案分配', undefined, find)).toBeTruthy();
  expect(server.triesOf(updateDevice).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { equipmentName: '东门', version: 1 },
  ]);
});

test('a secret is shown when asked for, by those who may', async () => {
  server.answer(revealDeviceSecret, { value: 'ABCDEF' });
  await open('/x?open=1');
  fireEvent.click(await screen.findByRole('button', { name: '显示 设备验证码' }, find));
  expect(await screen.findByText('ABCDEF', undefined, find)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '隐藏 设备验证码' }));
  expect(screen.queryByText('ABCDEF')).toBeNull();
  cleanup();
  await open('/x?open=1', []);
  expect(await screen.findByText('已保存（不显示）', undefined, find)).toBeTruthy();
  for (const name of ['显示 设备验证码', '绑定用户']) expect(screen.queryByRole('button', { name })).toBeNull();
});

test('users are bound by their account, an unknown one is said, a binding is ended', async () => {
  server.answer(listDeviceAccounts, { data: [{ id: 5, username: 'zhang', name: '张三' }], recordsTotal: 1 });
  server.refuse(bindDeviceAccount, 400, {
    message: '请检查',
    requestId: 'r',
    params: [{ field: 'username', rule: 'notFound', message: '所选对象不存在' }],
  });
  server.answer(unbindDeviceAccount, null);
  await open('/x?open=1');
  fireEvent.click(await screen.findByRole('button', { name: '绑定用户' }, find));
  const account = await screen.findByLabelText('用户账号', undefined, find);
  fireEvent.change(account, { target: { value: ' li ' } });
  fireEvent.submit(account.closest('form')!);
  expect(await screen.findByText('没有这个账号', undefined, find)).toBeTruthy();
  expect(server.of(bindDeviceAccount).map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ username: 'li' }]);
  fireEvent.click(await screen.findByRole('button', { name: '解除绑定 zhang' }, find));
  await waitFor(() =>
    expect(server.of(unbindDeviceAccount).map(({ path }) => path)).toEqual(['/api/v1/devices/1/accounts/5']),
  );
});

test('a column is made wider by the keyboard or by its edge, kept for the account, and given back by a double click', async () => {
  server.answer(patchPreferences, {});
  const widths = vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100);
  await open('/x');
  const head = async () => (await screen.findAllByRole('columnheader', { name: '设备名称' }, find))[0]!;
  await head();
  fireEvent.click(screen.getByRole('button', { name: '列设置' }));
  fireEvent.click(await screen.findByRole('button', { name: '加宽 设备名称' }, find));
  fireEvent.click(screen.getByRole('button', { name: '加宽 设备名称' }));
  await waitFor(async () => expect((await head()).style.width).toBe('148px'));
  const edge = (await head()).querySelector('[aria-hidden]')!;
  fireEvent.pointerDown(edge, { button: 0, clientX: 100, pointerId: 1 });
  fireEvent.pointerMove(edge, { clientX: 300, pointerId: 1 });
  fireEvent.pointerUp(edge, { clientX: 300, pointerId: 1 });
  await waitFor(async () => expect((await head()).style.width).toBe('300px'));
  const kept = () =>
    server
      .of(patchPreferences)
      .map(({ body }) => Object.values(JSON.parse(body) as object)[0] as { widths?: object } | null);
  await waitFor(() => expect(kept().at(-1)).toEqual({ widths: { equipmentName: 300 } }), find);
  fireEvent.doubleClick((await head()).querySelector('[aria-hidden]')!);
  await waitFor(async () => expect((await head()).style.width).toBe(''));
  await waitFor(() => expect(kept().at(-1)).toBeNull(), find);
  widths.mockRestore();
});

import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getDeviceProtocol } from '../../../../../contract/wires/device-protocol.ts';
import {
  blockNewcomer,
  claimNewcomer,
  createBatch,
  deleteBatch,
  getNewcomer,
  listBatches,
  listConnectable,
  listNewcomers,
  updateBatch,
} from '../../../../../contract/wires/provisioning.ts';
import { listRecords } from '../../../../../contract/register/records.ts';
import type { LiveConnection } from '../../../api/index.ts';
import { AskHost } from '../../../app/shell/AskHost.tsx';
import { toasts } from '../../../frame/toast-store.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Inbox from './index.tsx';
import type { Batch, Newcomer, OpenNewcomer } from './newcomer.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-21T10:00:00.000Z';
const batch: Batch = {
  id: 3,
  name: '十一月到货',
  workId: 1,
  workName: '滨江',
  families: ['gateway'],
  maxDevices: 50,
  expiresAt: null,
  enabled: true,
  username: 'lampyris-batch-3',
  standing: 'open',
  lastUsedAt: at,
  lastDenied: { at, serial: 'x', reason: 'batchFull' },
  counts: { waiting: 1, claimed: 2, blocked: 0 },
  createdBy: 'admin',
  createdAt: at,
  version: 4,
};
const waiting: Newcomer = {
  id: 9,
  batchId: 3,
  batchName: '十一月到货',
  workId: 1,
  workName: '滨江',
  serial: 'SN-9',
  state: 'waiting',
  firstAt: at,
  lastAt: at,
  address: '::ffff:10.0.0.7',
  messages: 4,
  family: 'gateway',
  model: 'GW-2',
  firmware: '1.1',
  name: null,
  longitude: 120.2,
  latitude: 30.25,
  ready: true,
  doubt: null,
  doubtAt: null,
  deviceId: null,
  deviceCode: null,
  deviceFamily: null,
  claimedAt: null,
  claimedBy: null,
  arrivedAt: null,
};
const opened: OpenNewcomer = {
  ...waiting,
  matches: [],
  payloads: [
    { at, kind: 'readings', text: '{"sentAt":', problem: 'notJson: Unexpected end' },
    { at, kind: 'hello', text: '{"secret":"…"}', problem: null },
  ],
};

let server: ContractServer;
let live: LiveConnection | null = null;
const open = async (search: string) => {
  ({ live } = await renderInShell(
    <>
      <Inbox />
      <AskHost />
    </>,
    { address: `/asset/inbox${search}`, codes: ['device.provision'], live: server },
  ));
};
/** Somebody else did something: the server tells it. */
const tick = (): void => server.tell({ type: 'inbox' });
/** Further ticks, and that the page has heard them. */
async function heardAfter(ticks: number): Promise<void> {
  const heard = new Promise<void>((resolve) => {
    let left = ticks;
    live?.subscribe('inbox', () => {
      if ((left -= 1) === 0) resolve();
    });
  });
  for (let told = 0; told < ticks; told += 1) server.tell({ type: 'inbox' });
  await heard;
}

beforeEach(async () => {
  toasts.setState([], true);
  server = await contractServer();
  server.answer(listBatches, { data: [batch], recordsTotal: 1 });
  server.answer(listNewcomers, { data: [waiting], recordsTotal: 1 });
  server.answer(getNewcomer, opened);
  server.answer(listConnectable, {
    data: [{ id: 77, family: 'gateway', code: 'GW-77', name: '东门', hasCredentials: false }],
    recordsTotal: 1,
  });
  server.answer(listRecords, { data: [], recordsTotal: 0 });
  server.answer(getDeviceProtocol, { servers: { mqtt: { host: 'lamps.example:1884', protocol: 'mqtt' } } });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

describe('the inbox', () => {
  test('asks for those that wait, and shows what one said and what of it cannot be read', async () => {
    await open('');
    const line = (await screen.findByRole('button', { name: 'SN-9' })).closest('tr') as HTMLElement;
    for (const text of ['待认领', '网关', 'GW-2 · 1.1', '十一月到货'])
      expect(within(line).getByText(text)).toBeDefined();
    expect(server.of(listNewcomers).every(({ query }) => query.get('state') === 'waiting')).toBe(true);
    await press('SN-9');
    await screen.findByText('notJson: Unexpected end');
    expect(screen.getByText('10.0.0.7')).toBeDefined();
  });

  test('claims one as a new device, the form filled with what it said', async () => {
    server.answer(claimNewcomer, { deviceId: 41, family: 'gateway', credentials: null });
    await open('?open=9');
    await press('认领这台设备');
    await waitFor(() =>
      expect(bodyOf(server, claimNewcomer)).toMatchObject({
        device: {
          family: 'gateway',
          equipmentCode: 'SN-9',
          equipmentName: 'GW-2',
          workId: 1,
          longitude: 120.2,
          latitude: 30.25,
        },
      }),
    );
  });

  test('shows the refusals of a claim beside their fields', async () => {
    server.refuse(claimNewcomer, 400, {
      code: 1001,
      detail: '输入有误',
      params: [{ field: 'equipmentCode', rule: 'taken', message: '编号已被使用' }],
    });
    await open('?open=9');
    await press('认领这台设备');
    await screen.findByText('编号已被使用');
  });

  test('binds a registered device of the same code; its older credentials only when that is said', async () => {
    server.answer(getNewcomer, {
      ...opened,
      matches: [{ id: 5, family: 'gateway', code: 'sn-9', name: null, hasCredentials: true }],
    });
    server.answer(claimNewcomer, { deviceId: 5, family: 'gateway', credentials: null });
    await open('?open=9');
    const claim = await screen.findByRole<HTMLButtonElement>('button', { name: '认领这台设备' });
    expect(claim.disabled).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: /替换/ }));
    await press('认领这台设备');
    await waitFor(() => expect(bodyOf(server, claimNewcomer)).toEqual({ deviceId: 5, replace: true }));
  });

  test('a search for registered devices that fails says so, and not that there are none', async () => {
    server.refuse(listConnectable, 500, { message: '服务暂时不可用' });
    await open('?open=9');
    fireEvent.click(await screen.findByRole('radio', { name: '已登记的设备' }));
    await screen.findByText('服务暂时不可用', { exact: false });
  });

  test('shows credentials once where the device cannot be told, and warns of a doubtful one', async () => {
    server.answer(getNewcomer, { ...opened, ready: false, doubt: 'secret' });
    server.on(claimNewcomer, () => {
      server.answer(getNewcomer, {
        ...opened,
        ready: false,
        doubt: null,
        state: 'claimed',
        deviceId: 41,
        deviceCode: 'SN-9',
        deviceFamily: 'gateway',
        claimedAt: at,
        claimedBy: 'admin',
      });
      return {
        status: 201,
        body: {
          deviceId: 41,
          family: 'gateway',
          credentials: { clientId: 'lampyris-41', username: 'lampyris-41', password: 'once-only' },
        },
      };
    });
    await open('?open=9');
    await screen.findByText(/有另一台设备用不同的密钥/);
    await screen.findByText('它还没有问候');
    await press('认领这台设备');
    await screen.findByText('once-only');
    await screen.findByText('请把下面的凭据写入设备');
  });

  test('claims several, each with a code and name of its own', async () => {
    server.answer(claimNewcomer, { deviceId: 41, family: 'gateway', credentials: null });
    await open('');
    fireEvent.click(await screen.findByRole('checkbox', { name: /SN-9/ }));
    await press('批量认领');
    const dialog = await screen.findByRole('dialog');
    fireEvent.change(within(dialog).getByRole('textbox', { name: 'SN-9 设备编号' }), { target: { value: 'GW-001' } });
    fireEvent.click(within(dialog).getByRole('button', { name: '批量认领' }));
    await waitFor(() =>
      expect(bodyOf(server, claimNewcomer)).toMatchObject({
        device: { family: 'gateway', equipmentCode: 'GW-001', equipmentName: 'GW-2', workId: 1 },
      }),
    );
  });

  test('asks before what was typed for a device is lost, by closing or by another way to claim it', async () => {
    await open('?open=9');
    fireEvent.change(await screen.findByRole('textbox', { name: /^设备名称/ }), { target: { value: '东门网关' } });
    fireEvent.click(screen.getByRole('radio', { name: '已登记的设备' }));
    await press('留在这里');
    fireEvent.click(await screen.findByRole('button', { name: 'Close' }));
    await press('留在这里');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^设备名称/ }).value).toBe('东门网关');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await press('放弃并继续');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^设备名称/ })).toBeNull());
  });

  test('follows what comes in also when ticks come faster than answers, and asks once more after the last', async () => {
    await open('');
    await screen.findByRole('button', { name: 'SN-9' });
    const answers: ((serial: string) => void)[] = [];
    const left = vi.fn();
    server.on(listNewcomers, async ({ query }) => {
      const serial = query.has('page')
        ? await new Promise<string>((resolve) => {
            answers.push(resolve);
          })
        : 'SN-9';
      return { status: 200, body: { data: [{ ...waiting, serial }], recordsTotal: 1 } };
    });
    const direct = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
      if (address.includes('page=')) init?.signal?.addEventListener('abort', left);
      return direct(address, init);
    });
    tick();
    await waitFor(() => expect(answers).toHaveLength(1));
    // Both have been heard when what is told after them has.
    await heardAfter(2);
    expect(left).not.toHaveBeenCalled();
    answers[0]?.('SN-10');
    await screen.findByRole('button', { name: 'SN-10' });
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.('SN-11');
    await screen.findByRole('button', { name: 'SN-11' });
    expect(answers).toHaveLength(2);
  });

  test('blocks one', async () => {
    server.on(blockNewcomer, () => {
      server.answer(getNewcomer, { ...opened, state: 'blocked' });
      return { status: 200, body: { ...waiting, state: 'blocked' } };
    });
    await open('?open=9');
    await press('屏蔽');
    await screen.findByRole('button', { name: '解除屏蔽' });
    expect(bodyOf(server, blockNewcomer)).toEqual({ blocked: true });
  });
});

describe('the batches', () => {
  test('tell their members and who was not let in; shutting one is one press, deleting asks', async () => {
    server.answer(updateBatch, { ...batch, enabled: false, standing: 'disabled' });
    server.on(deleteBatch, () => ({ status: 204, body: '' }));
    await open('?view=batches');
    await screen.findByText('lampyris-batch-3');
    expect(screen.getByText('已满，没有放进来')).toBeDefined();
    await press('停用 十一月到货');
    await waitFor(() => expect(bodyOf(server, updateBatch)).toEqual({ enabled: false, version: 4 }));
    await press('删除 十一月到货');
    await screen.findByText('等待中的 1 台会断开并从清单消失。已认领的设备保留。');
    await press('删除');
    await waitFor(() => expect(server.of(deleteBatch)).toHaveLength(1));
  });

  test('one that cannot be shut says why', async () => {
    server.refuse(updateBatch, 409, { message: '数据已被他人修改，请刷新后重试。' });
    await open('?view=batches');
    await press('停用 十一月到货');
    await waitFor(() =>
      expect(toasts.getState().map(({ kind, text }) => [kind, text])).toEqual([
        ['failed', '数据已被他人修改，请刷新后重试。'],
      ]),
    );
  });

  test('one that somebody else changes while it is edited is not overwritten: saving says so, and goes on with what was typed', async () => {
    server.refuse(updateBatch, 409, { message: '数据已被他人修改，请刷新后重试。' });
    await open('?view=batches&form=3');
    const name = await screen.findByRole<HTMLInputElement>('textbox', { name: /批次名称/ });
    fireEvent.change(name, { target: { value: '冬季到货' } });
    server.answer(listBatches, { data: [{ ...batch, name: '别人改的', maxDevices: 80, version: 5 }], recordsTotal: 1 });
    tick();
    await screen.findByText('别人改的');
    await press('保存');
    await screen.findByText('别人刚刚修改了它');
    expect(bodyOf(server, updateBatch)).toEqual({
      name: '冬季到货',
      maxDevices: 50,
      families: ['gateway'],
      expiresAt: null,
      version: 4,
    });
    server.answer(updateBatch, { ...batch, name: '冬季到货', maxDevices: 80, version: 6 });
    await press('载入最新版本');
    await press('保存');
    await waitFor(() =>
      expect(bodyOf(server, updateBatch)).toEqual({
        name: '冬季到货',
        maxDevices: 80,
        families: ['gateway'],
        expiresAt: null,
        version: 5,
      }),
    );
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /批次名称/ })).toBeNull());
  });

  test('one that is deleted while it is edited keeps what was typed; closing asks', async () => {
    await open('?view=batches&form=3');
    fireEvent.change(await screen.findByRole('textbox', { name: /批次名称/ }), { target: { value: '冬季到货' } });
    server.answer(listBatches, { data: [], recordsTotal: 0 });
    server.refuse(updateBatch, 404, { message: '批次不存在' });
    tick();
    await waitFor(() => expect(screen.queryByText('lampyris-batch-3')).toBeNull());
    await press('保存');
    await screen.findByText('批次不存在');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /批次名称/ }).value).toBe('冬季到货');
    await press('取消');
    await press('放弃并继续');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /批次名称/ })).toBeNull());
  });

  test('a new one shows its password once, with lines to try it', async () => {
    server.answer(createBatch, { batch, credentials: { username: 'lampyris-batch-3', password: 'batch-secret' } });
    await open('?view=batches&form=new');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /批次名称/ })));
    await press('建立并显示密码');
    expect((await screen.findAllByText('必填')).length).toBeGreaterThan(0);
    fireEvent.change(screen.getByRole('textbox', { name: /批次名称/ }), { target: { value: '十一月到货' } });
    const work = screen.getByRole('combobox', { name: /认领后归入的项目/ });
    server.answer(listRecords, {
      data: [{ id: 1, version: 1, labels: {}, updateTime: at, createTime: at, workCode: 'A', workName: '滨江' }],
      recordsTotal: 1,
    } as never);
    await chooseOption(work, '滨江');
    await press('建立并显示密码');
    await screen.findByText('batch-secret');
    expect(bodyOf(server, createBatch)).toEqual({
      name: '十一月到货',
      workId: 1,
      maxDevices: 100,
      families: [],
      expiresAt: null,
    });
    expect(
      await screen.findByText(
        /^npm run device -- --broker 'mqtt:\/\/lamps\.example:1884' --user 'lampyris-batch-3' --password 'batch-secret' --serial 'SN-0001'$/,
      ),
    ).toBeDefined();
  });
});

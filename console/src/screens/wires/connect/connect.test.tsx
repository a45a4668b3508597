import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getDeviceProtocol } from '../../../../../contract/wires/device-protocol.ts';
import { createCredentials, createDevice, getDevice } from '../../../../../contract/register/devices.ts';
import { getDeviceLink, listConnectable } from '../../../../../contract/wires/provisioning.ts';
import { asked } from '../../../frame/ask.ts';
import { storeWorkId } from '../../../session/index.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { chooseOption, press, renderInShell } from '../../../testing/shell.tsx';
import Connect from './index.tsx';
import { reached, wordOf, type Link, type LinkEvent } from './line.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const at = '2026-11-21T10:00:00.000Z';
const later = '2026-11-21T10:01:00.000Z';
const device = {
  id: 42,
  family: 'single-lamp-controller',
  version: 1,
  createTime: at,
  updateTime: null,
  isOnline: null,
  state: null,
  fault: null,
  latchedPosition: null,
  labels: {},
  secrets: [],
  latest: null,
  equipmentCode: 'BJ-0042',
  equipmentName: '滨江 42 号',
  workId: 1,
};
const link: Link = { builtIn: true, issuedAt: at, connected: null, receivedAt: null, events: [] };
let id = 0;
const event = (kind: string, reason: string | null = null, detail: string | null = null, when = later): LinkEvent => ({
  id: (id += 1),
  at: when,
  kind,
  reason,
  detail,
  times: 1,
  address: '10.0.0.7',
});

let server: ContractServer;
const open = (search: string, codes: readonly string[] = ['device.add', 'device.credentials', 'device.query']) =>
  renderInShell(<Connect />, { address: `/asset/connect${search}`, codes, live: server });

beforeEach(async () => {
  server = await contractServer();
  server.answer(getDevice, device);
  server.answer(getDeviceLink, link);
  server.answer(listConnectable, {
    data: [{ id: 42, family: 'single-lamp-controller', code: 'BJ-0042', name: '滨江 42 号', hasCredentials: false }],
    recordsTotal: 1,
  });
  server.answer(createCredentials, { clientId: 'lampyris-42', username: 'lampyris-42', password: 'shown-once' });
  server.answer(getDeviceProtocol, { servers: { mqtt: { host: 'lamps.example:1884', protocol: 'mqtt' } } });
});
afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  asked.setState({ current: undefined });
  await server.close();
});

describe('connecting a device', () => {
  test('a new one is registered and gets its credentials at once, with lines to copy', async () => {
    storeWorkId(1);
    server.answer(createDevice, device);
    const { address } = await open('?family=single-lamp-controller');
    fireEvent.change(await screen.findByLabelText(/^设备编号/), { target: { value: 'BJ-0042' } });
    fireEvent.change(screen.getByLabelText(/^设备名称/), { target: { value: '滨江 42 号' } });
    await press('登记并发放凭据');
    await waitFor(() => expect(server.of(createDevice)).toHaveLength(1));
    await screen.findByText('shown-once');
    expect(address()).toBe('/asset/connect?device=42&step=credentials');
    expect(
      await screen.findByText(
        "npm run device -- --broker 'mqtt://lamps.example:1884' --family single-lamp-controller --user 'lampyris-42' --password 'shown-once'",
      ),
    ).toBeDefined();
    expect(screen.getByText(/^mosquitto_pub -h 'lamps\.example' -p 1884 -i 'lampyris-42'/)).toBeDefined();
  });

  test('a registered one without credentials is chosen; without the right to add that is all there is', async () => {
    await open('', ['device.credentials']);
    const box = await screen.findByRole('combobox', { name: '哪一台设备' });
    await chooseOption(box, 'BJ-0042');
    await press('发放凭据');
    await screen.findByText('shown-once');
  });

  test('a registered one stays what is looked for when its family is chosen, and so does the focus', async () => {
    const { address } = await open('');
    fireEvent.click(await screen.findByRole('radio', { name: '已登记、没有凭据的设备' }));
    await screen.findByRole('combobox', { name: '哪一台设备' });
    const family = screen.getByRole('combobox', { name: '设备类型' });
    family.focus();
    await chooseOption(family, '网关');
    await waitFor(() => expect(address()).toBe('/asset/connect?family=gateway'));
    await waitFor(() => expect(server.of(listConnectable).at(-1)?.query.get('family')).toBe('gateway'));
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '已登记、没有凭据的设备' }).checked).toBe(true);
    expect(document.activeElement).toBe(family);
  });

  test('what was typed is asked about before another family, or a registered device, takes its place', async () => {
    const { address } = await open('?family=single-lamp-controller');
    const code = await screen.findByLabelText<HTMLInputElement>(/^设备编号/);
    fireEvent.change(code, { target: { value: 'BJ-0042' } });
    await chooseOption(screen.getByRole('combobox', { name: '设备类型' }), '网关');
    expect(asked.getState().current?.question.kind).toBe('unsaved');
    await act(async () => asked.getState().current?.answer(false));
    expect([address(), code.isConnected, code.value]).toEqual([
      '/asset/connect?family=single-lamp-controller',
      true,
      'BJ-0042',
    ]);
    fireEvent.click(screen.getByRole('radio', { name: '已登记、没有凭据的设备' }));
    expect(asked.getState().current?.question.kind).toBe('unsaved');
    await act(async () => asked.getState().current?.answer(true));
    await screen.findByRole('combobox', { name: '哪一台设备' });
    expect(code.isConnected).toBe(false);
  });

  test('a new one is registered once, however long its credentials are on their way', async () => {
    storeWorkId(1);
    server.answer(createDevice, device);
    let issue = (): void => undefined;
    server.on(
      createCredentials,
      () =>
        new Promise((answer) => {
          issue = () =>
            answer({ status: 200, body: { clientId: 'lampyris-42', username: 'lampyris-42', password: 'shown-once' } });
        }),
    );
    await open('?family=single-lamp-controller');
    fireEvent.change(await screen.findByLabelText(/^设备编号/), { target: { value: 'BJ-0042' } });
    fireEvent.change(screen.getByLabelText(/^设备名称/), { target: { value: '滨江 42 号' } });
    await press('登记并发放凭据');
    await waitFor(() => expect(server.of(createCredentials)).toHaveLength(1));
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /登记并发放凭据/ });
    expect(button.disabled).toBe(true);
    fireEvent.click(button);
    issue();
    await screen.findByText('shown-once');
    expect(server.of(createDevice)).toHaveLength(1);
  });

  test('a password that was shown before is not shown again, but issued anew when wanted', async () => {
    await open('?device=42&step=credentials');
    await screen.findByText(/密码只显示过那一次/);
    await press('重新发放');
    await screen.findByText('shown-once');
  });

  test('every refused try is told in words with what was wrong', async () => {
    server.answer(getDeviceLink, {
      ...link,
      events: [
        event('messageRefused', 'implausibleValue', 'voltage=2260'),
        event('publishRefused', null, 'lampyris/v1/devices/7/readings'),
        event('connected'),
        event('denied', 'wrongPassword'),
      ],
    });
    await open('?device=42&step=line');
    const log = await screen.findByRole('log');
    expect(
      within(log)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      expect.stringContaining('数值超出范围或类型不对，没有采用voltage=2260'),
      expect.stringContaining('发布到了别的主题，连接被断开lampyris/v1/devices/7/readings'),
      expect.stringContaining('登录成功'),
      expect.stringContaining('登录被拒绝：密码不对'),
    ]);
    expect(screen.getByText('等待第一条消息')).toBeDefined();
  });

  test('with its first message it is there: values, position, and the next one like it', async () => {
    server.answer(getDevice, {
      ...device,
      latest: { at: later, receivedAt: later, values: { level: 60, power: 57.5 }, connected: true },
    });
    server.answer(getDeviceLink, { ...link, receivedAt: later, connected: true });
    const { address } = await open('?device=42&step=line');
    await press('查看数值和位置');
    await screen.findByText('57.5');
    await press('接入下一台');
    expect(address()).toBe('/asset/connect?family=single-lamp-controller&like=42');
  });
});

describe('what is asked again', () => {
  const watching = async (...codes: string[]) => {
    // The page's clock stands still: what it asks every so often it asks when the test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await open('?device=42&step=line', ['device.credentials', 'device.query', ...codes]);
    await screen.findByText('等待登录');
  };
  /** What was asked before this has reached the server. */
  const settled = async () => {
    vi.advanceTimersByTime(5_000);
    await fetch('/api/v1/nothing');
    return [server.of(getDeviceLink).length, server.of(getDevice).length];
  };

  test('nothing while the live line tells of every try', async () => {
    await watching('lamp.monitor');
    const before = [server.of(getDeviceLink).length, server.of(getDevice).length];
    expect(await settled()).toEqual(before);
    server.answer(getDeviceLink, { ...link, events: [event('denied', 'wrongPassword')] });
    server.tell({ type: 'device', id: 42 });
    await screen.findByText(/^登录被拒绝：密码不对/);
    // Watched for ten minutes only, and what came before the line was open was not told.
    server.answer(getDeviceLink, { ...link, events: [event('connected')] });
    vi.advanceTimersByTime(60_000);
    await screen.findByText(/^登录成功/);
  });

  test('the line every two seconds by those whom the live line does not tell of devices', async () => {
    await watching();
    server.answer(getDeviceLink, { ...link, events: [event('connected')] });
    vi.advanceTimersByTime(2_000);
    await screen.findByText(/^登录成功/);
  });
});

describe('what is reached', () => {
  test('counts from the credentials in force on', () => {
    expect(
      reached({
        ...link,
        events: [event('connected', null, null, '2026-11-21T09:00:00.000Z')],
        receivedAt: '2026-11-21T09:00:01.000Z',
      }),
    ).toEqual({ connected: false, subscribed: false, heard: false });
    expect(reached({ ...link, events: [event('subscribed'), event('connected')] })).toEqual({
      connected: true,
      subscribed: true,
      heard: false,
    });
    expect(reached({ ...link, receivedAt: later })).toMatchObject({ connected: true, heard: true });
  });
  test('words of a reason, else of its kind', () => {
    expect([
      wordOf(event('denied', 'wrongClientId')),
      wordOf(event('denied', 'other')),
      wordOf(event('messageRefused', 'storage')),
      wordOf(event('never heard of')),
    ]).toEqual(['event.denied.wrongClientId', 'event.denied', 'event.messageRefused', 'event.messageRefused']);
  });
});

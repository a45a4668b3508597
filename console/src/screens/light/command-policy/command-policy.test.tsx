import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  getCommandSettings,
  listCommandPaces,
  policyDefaults,
  updateCommandPace,
  updateCommandSettings,
} from '../../../../../contract/light/command-settings.ts';
import { contractServer, type ContractServer } from '../../../testing/contract-server.ts';
import { bodyOf, press, renderInShell } from '../../../testing/shell.tsx';
import CommandPolicy from './index.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

const settings = {
  version: 3,
  policy: { ...policyDefaults, approvalAbove: null, dimBelow: null, reasonAbove: 50 },
  limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
};
let server: ContractServer;
const open = () => renderInShell(<CommandPolicy />, { address: '/system/command-policy' });
const field = (name: RegExp): Promise<HTMLInputElement> => screen.findByRole<HTMLInputElement>('spinbutton', { name });
const type = (input: HTMLInputElement, text: string): void => {
  fireEvent.change(input, { target: { value: text } });
  fireEvent.blur(input);
};

beforeEach(async () => {
  server = await contractServer();
  server.answer(getCommandSettings, settings);
  server.answer(listCommandPaces, {
    data: [{ id: 8, code: 'RTU-01', name: '滨江集控', perSecond: null, children: 240 }],
    recordsTotal: 1,
  });
});
afterEach(async () => {
  cleanup();
  await server.close();
});

test('rules that are off say never; what is switched on is saved with the version it was read with', async () => {
  server.answer(updateCommandSettings, { ...settings, version: 4, policy: { ...settings.policy, approvalAbove: 300 } });
  await open();
  expect((await field(/^须写原因/)).value).toBe('50');
  expect(screen.queryByRole('spinbutton', { name: /^审批时限/ })).toBeNull();
  fireEvent.click(screen.getByRole('switch', { name: '要求第二人审批' }));
  type(await field(/^须第二人审批/), '300');
  await press('保存');
  await waitFor(() => expect(server.of(updateCommandSettings)).toHaveLength(1));
  expect(bodyOf(server, updateCommandSettings)).toEqual({
    version: 3,
    policy: { ...settings.policy, approvalAbove: 300 },
    limits: settings.limits,
  });
  // Saved: nothing is left to save.
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true));
});

test('what cannot hold is said beside its field and asks the server nothing', async () => {
  await open();
  type(await field(/^确认时限/), '5');
  await press('保存');
  await screen.findByText('确认时限不能短于应答时限');
  await screen.findByText('1 处需要修改');
  expect(server.of(updateCommandSettings)).toEqual([]);
});

test('the server’s word stands beside the field that it names', async () => {
  server.refuse(updateCommandSettings, 400, {
    message: '请检查',
    params: [{ field: 'policy.reasonAbove', rule: 'maximum', message: '不能超过 1000000' }],
  });
  await open();
  type(await field(/^须写原因/), '70');
  await press('保存');
  await screen.findByText('不能超过 1000000');
});

test('when somebody else saved first both versions are shown and nothing is lost', async () => {
  await open();
  type(await field(/^须写原因/), '70');
  server.refuse(updateCommandSettings, 409, { message: '已被他人修改' });
  server.answer(getCommandSettings, { ...settings, version: 9, policy: { ...settings.policy, reasonAbove: 20 } });
  await press('保存');
  const choice = (await screen.findByText('别人刚刚改过这些规则')).closest('section') as HTMLElement;
  expect([within(choice).getByText('70'), within(choice).getByText('20')]).toHaveLength(2);
  server.answer(updateCommandSettings, { ...settings, version: 10, policy: { ...settings.policy, reasonAbove: 70 } });
  await press('按所选继续');
  await press('保存');
  await waitFor(() =>
    expect(bodyOf(server, updateCommandSettings)).toMatchObject({ version: 9, policy: { reasonAbove: 70 } }),
  );
});

test('a gateway gets a pace of its own, or the site’s again', async () => {
  server.on(updateCommandPace, () => ({ status: 204, body: '' }));
  await open();
  type(await field(/^RTU-01 的步速/), '25');
  const row = screen.getByText('RTU-01').closest('tr') as HTMLElement;
  fireEvent.click(within(row).getByRole('button', { name: '保存' }));
  await waitFor(() => expect(bodyOf(server, updateCommandPace)).toEqual({ perSecond: 25 }));
});

test('rules that cannot be fetched say so, with a way to try again', async () => {
  server.refuse(getCommandSettings, 500, { message: '服务器内部错误', requestId: '8f3c' });
  await open();
  await screen.findByText('规则没有取到');
  server.answer(getCommandSettings, settings);
  await press('重试');
  expect((await field(/^须写原因/)).value).toBe('50');
});

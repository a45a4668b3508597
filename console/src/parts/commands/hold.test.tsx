import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getCommandSettings } from '../../../../contract/light/command-settings.ts';
import { createCommand } from '../../../../contract/light/commands.ts';
import { errors } from '../../../../contract/errors.ts';
import { reactToRefusals } from '../../api/index.ts';
import { UndoHost } from '../../app/undo/UndoHost.tsx';
import { askCommand } from '../../app/search/asked-command.ts';
import { CommandHost } from '../../app/search/CommandHost.tsx';
import SearchCommand from '../../app/search/SearchCommand.tsx';
import { leaveFailures, toasts } from '../../frame/toast-store.ts';
import { leaveForSignIn, storedToken, takeUnsent } from '../../session/index.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { press, renderInShell } from '../../testing/shell.tsx';
import { Toasts } from '../index.ts';
import { useCommands } from './commands.ts';
import { dropHeld, heldCommands, heldMs, holdCommand, lateMs, undoCommand } from './hold.ts';
import { CommandDialog } from './send/CommandDialog.tsx';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
const server = serverForEach();
const closed = vi.fn<() => void>();
const refused = vi.fn<(error: Error) => void>();
const policy = {
  off: true,
  dimBelow: 30,
  reasonAbove: null,
  approvalAbove: 50,
  approvalMinutes: 30,
  withinMinutes: 10,
};
beforeEach(() => {
  closed.mockClear();
  refused.mockClear();
  sessionStorage.clear();
  localStorage.clear();
  toasts.setState([], true);
  server().answer(getCommandSettings, {
    version: 1,
    policy,
    limits: { acknowledgeSeconds: 30, repeatSeconds: 5, confirmSeconds: 120, queueSeconds: 120, gatewayPerSecond: 100 },
  });
  server().answer(createCommand, { id: 9, total: 30, state: 'running' });
});
afterEach(() => {
  for (const { id } of heldCommands.getState()) undoCommand(id);
  reactToRefusals(undefined);
  cleanup();
});

function Sending({ lamps, action }: { lamps: number; action: 'on' | 'off' }) {
  const commands = useCommands(() => undefined);
  const [open, setOpen] = useState(true);
  const [kind, setKind] = useState(action);
  const close = (): void => {
    closed();
    setOpen(false);
  };
  return (
    <>
      {open ? (
        <CommandDialog
          target={{ kind: 'lamps', ids: Array.from({ length: lamps }, (_, index) => index + 1), standing: null }}
          action={kind}
          pending={commands.pending}
          onSend={commands.send}
          onClose={close}
        />
      ) : null}
      <button
        type="button"
        onClick={() => {
          setKind('off');
          setOpen(true);
        }}
      >
        再开一个
      </button>
      <button type="button" onClick={() => void commands.sendNext({ deviceIds: [1], command: 'on' }).catch(refused)}>
        开一盏
      </button>
      <UndoHost />
      <Toasts />
    </>
  );
}
const open = async (lamps: number, action: 'on' | 'off', codes: readonly string[] = ['lamp.control']) => {
  await renderInShell(<Sending lamps={lamps} action={action} />, { codes });
  return within(await screen.findByRole('dialog'));
};
const sent = () => server().of(createCommand);

test('twenty lamps are sent to at once', async () => {
  await open(20, 'on');
  await press('下发给 20 盏');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(heldCommands.getState()).toEqual([]);
});

test('one more waits behind the bar, is read out, and goes once', async () => {
  await open(21, 'on');
  await press('下发给 21 盏');
  await waitFor(() => expect(closed).toHaveBeenCalledOnce());
  expect(sent()).toHaveLength(0);
  const bar = within(await screen.findByRole('region', { name: '等待发送的命令' }));
  expect(bar.getByRole('status').textContent).toBe('开灯 · 21 盏，即将下发');
  await waitFor(() => expect(sent()).toHaveLength(1), { timeout: heldMs * 4 });
  await waitFor(() => expect(screen.queryByRole('region', { name: '等待发送的命令' })).toBeNull());
  expect(sent()).toHaveLength(1);
});

test.each(['click', 'key'])('undone by %s it is never sent', async (way) => {
  await open(30, 'on');
  await press('下发给 30 盏');
  const button = await screen.findByRole('button', { name: /^撤销/ });
  expect(document.activeElement).toBe(button);
  if (way === 'click') fireEvent.click(button);
  else fireEvent.keyDown(button, { key: 'z', code: 'KeyZ' });
  await screen.findByText('已撤销，没有下发：开灯');
  expect(heldCommands.getState()).toEqual([]);
  expect(sent()).toHaveLength(0);
});

test('what was undone is not sent when its time comes, and what was sent cannot be undone', () => {
  vi.useFakeTimers();
  try {
    const [first, second] = [vi.fn(() => Promise.resolve()), vi.fn(() => Promise.resolve())];
    const notSent = vi.fn();
    holdCommand({ what: '关灯', lamps: 30 }, { send: first, notSent });
    holdCommand({ what: '开灯', lamps: 40 }, { send: second, notSent });
    const [one, two] = heldCommands.getState().map(({ id }) => id);
    expect(undoCommand(one!)).toBe(true);
    vi.advanceTimersByTime(heldMs);
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
    expect([undoCommand(one!), undoCommand(two!)]).toEqual([false, false]);
    expect(notSent).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});

test('what the computer slept over is not sent, and what waits when the session ends neither', () => {
  vi.useFakeTimers();
  try {
    const [send, notSent] = [vi.fn(() => Promise.resolve()), vi.fn<(why: string) => void>()];
    holdCommand({ what: '关灯', lamps: 30 }, { send, notSent });
    vi.setSystemTime(Date.now() + heldMs + lateMs + 1);
    vi.advanceTimersByTime(heldMs);
    expect(notSent.mock.calls).toEqual([['late']]);
    holdCommand({ what: '开灯', lamps: 40 }, { send, notSent });
    expect(dropHeld()).toEqual(['开灯']);
    vi.advanceTimersByTime(heldMs);
    expect(notSent.mock.calls).toEqual([['late'], ['dropped']]);
    expect(send).not.toHaveBeenCalled();
    expect(heldCommands.getState()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

const commandsSent = () => sent().map(({ body }) => (JSON.parse(body) as { command: string }).command);

test.each([
  ['sent', ['off', 'on']],
  ['undone', ['on']],
])(
  'a lamp that is switched on while a road is about to go dark is lit: the road’s command is %s first',
  async (end, order) => {
    await open(30, 'off');
    await press('下发给 30 盏');
    const undo = await screen.findByRole('button', { name: /^撤销/ });
    await press('开一盏');
    expect(sent()).toHaveLength(0);
    if (end === 'undone') fireEvent.click(undo);
    await waitFor(() => expect(commandsSent()).toEqual(order), { timeout: heldMs * 4 });
  },
);

test('what waits for a held command is not sent when that one may not be', async () => {
  await open(30, 'off');
  await press('下发给 30 盏');
  await screen.findByRole('region', { name: '等待发送的命令' });
  await press('开一盏');
  act(() => void dropHeld());
  await waitFor(() => expect(refused.mock.calls).toEqual([[new Error('登录已结束或换了账号')]]));
  expect(sent()).toHaveLength(0);
});

test('a command is for the project in which it was confirmed; there it can be sent again', async () => {
  localStorage.setItem('workId', '7');
  await open(30, 'off');
  await press('下发给 30 盏');
  await screen.findByRole('region', { name: '等待发送的命令' });
  await press('开一盏');
  localStorage.setItem('workId', '8');
  await screen.findByText('关灯 · 30 盏没有下发：已切换项目；切回后可再次下发', undefined, { timeout: heldMs * 4 });
  await waitFor(() => expect(refused.mock.calls).toEqual([[new Error('已切换项目；切回后可再次下发')]]));
  expect(sent()).toHaveLength(0);
  localStorage.setItem('workId', '7');
  await press('再次下发');
  await waitFor(() => expect(commandsSent()).toEqual(['off']));
});

test('a command whose refusal ends the session is named on the sign-in page', async () => {
  localStorage.setItem('token', 'ended');
  reactToRefusals({
    signedOut: () => leaveForSignIn('expired', () => undefined),
    forbidden: () => undefined,
    needed: () => Promise.resolve(undefined),
  });
  await open(30, 'off');
  await press('下发给 30 盏');
  server().refuse(createCommand, 401, { message: '登录已失效' });
  await waitFor(() => expect(sent()).toHaveLength(1), { timeout: heldMs * 4 });
  await waitFor(() => expect(storedToken()).toBeUndefined());
  await waitFor(() => expect(takeUnsent()).toBe('关灯'));
});

test('an emergency never waits', async () => {
  const dialog = await open(30, 'on', ['lamp.control', 'lamp.emergency']);
  fireEvent.click(await dialog.findByRole('switch', { name: '应急下发' }));
  fireEvent.change(dialog.getByRole('textbox', { name: /^原因/ }), { target: { value: '事故' } });
  await press('应急下发给 30 盏');
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(heldCommands.getState()).toEqual([]);
});

test('a count that has to be typed is asked for before it waits', async () => {
  reactToRefusals({
    signedOut: () => undefined,
    forbidden: () => undefined,
    needed: () => Promise.resolve({ confirmCount: 60 }),
  });
  server().refuseTries(createCommand, 400, { code: errors.countNeeded.code, message: '输入 60 以确认', count: 60 });
  const dialog = await open(60, 'off');
  await dialog.findByText('须由另一人审批，或输入灯的数量');
  await press('提交（60 盏）');
  await screen.findByRole('region', { name: '等待发送的命令' });
  expect(sent()).toHaveLength(0);
  await waitFor(() => expect(sent()).toHaveLength(1), { timeout: heldMs * 4 });
  expect(JSON.parse(sent()[0]!.body)).toMatchObject({ command: 'off', confirmCount: 60 });
});

test('a refusal after the wait is said, and sending again keeps the name of the request', async () => {
  server().refuse(createCommand, 503, { message: '稍后再试' });
  await open(25, 'on');
  await press('下发给 25 盏');
  await waitFor(() => expect(sent()).toHaveLength(1), { timeout: heldMs * 4 });
  const [first] = sent().map(({ body }) => (JSON.parse(body) as { requestId: string }).requestId);
  server().answer(createCommand, { id: 9, total: 25, state: 'running' });
  fireEvent.click(await screen.findByRole('button', { name: '再次下发' }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect((JSON.parse(sent()[1]!.body) as { requestId: string }).requestId).toBe(first);
});

const idAt = (index: number): unknown => (JSON.parse(sent()[index]!.body) as { requestId: unknown }).requestId;

test('an answer that was lost leaves open whether it was sent; sent again it has its own name, whatever was sent since', async () => {
  server().on(createCommand, () => ({ status: 504, body: 'gateway', headers: { 'content-type': 'text/html' } }));
  await open(30, 'on');
  await press('下发给 30 盏');
  const again = await screen.findByRole('button', { name: '再次下发' }, { timeout: heldMs * 4 });
  expect(screen.getByText(/^开灯 · 30 盏没有收到回复，可能已经下发/)).toBeTruthy();
  server().answer(createCommand, { id: 9, total: 30, state: 'running' });
  await press('再开一个');
  await press('下发给 30 盏');
  await waitFor(() => expect(sent()).toHaveLength(2), { timeout: heldMs * 4 });
  await waitFor(() => expect(screen.queryByRole('region', { name: '等待发送的命令' })).toBeNull());
  expect(idAt(1)).not.toBe(idAt(0));
  fireEvent.click(again);
  await waitFor(() => expect(sent()).toHaveLength(3));
  expect([idAt(2), JSON.parse(sent()[2]!.body)]).toMatchObject([idAt(0), { command: 'on' }]);
});

test('two that do the same and fail are two, each sent again by its own button, and stay on another page', async () => {
  server().refuse(createCommand, 503, { message: '稍后再试' });
  await open(30, 'off');
  await press('下发给 30 盏');
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  await press('再开一个');
  await press('下发给 30 盏');
  await waitFor(() => expect(screen.getAllByRole('button', { name: '再次下发' })).toHaveLength(2), {
    timeout: heldMs * 4,
  });
  expect(screen.getAllByText('关灯 · 30 盏没有下发：稍后再试')).toHaveLength(2);
  act(() => leaveFailures());
  expect(screen.getAllByRole('button', { name: '再次下发' })).toHaveLength(2);
});

test('another command from the search has a dialog of its own', async () => {
  await renderInShell(<CommandHost />, { codes: ['lamp.control'] });
  act(() => askCommand({ start: { command: 'on' }, scope: { name: 'roadId', id: 1, lamps: 12 } }));
  await screen.findByRole('button', { name: '下发给 12 盏' });
  act(() => askCommand({ start: { command: 'off' }, scope: { name: 'roadId', id: 2, lamps: 8 } }));
  await screen.findByRole('button', { name: '下发给 8 盏' });
  act(() => askCommand(null));
});

test('from the search: what waits for a second person is not said to be sent', async () => {
  server().answer(createCommand, { id: 9, total: 1200, state: 'awaitingApproval' });
  const scope = { name: 'roadId', id: 1, lamps: 12 } as const;
  await renderInShell(
    <>
      <SearchCommand asked={{ start: { command: 'on' }, scope }} />
      <Toasts />
    </>,
    { codes: ['lamp.control'], pages: ['lamp/command'] },
  );
  await press('下发给 12 盏');
  await waitFor(() => expect(sent()).toHaveLength(1));
  await waitFor(() => expect(toasts.getState().map(({ kind }) => kind)).toEqual(['note']));
});

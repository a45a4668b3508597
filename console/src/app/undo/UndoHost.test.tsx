import { act, cleanup, configure, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { loadChunk } from '../../api/load-chunk.ts';
import { heldCommands, holdCommand, undoCommand } from '../../parts/commands/hold.ts';
import { toasts } from '../../frame/toast-store.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { renderInShell } from '../../testing/shell.tsx';
import { UndoHost } from './UndoHost.tsx';

vi.mock('../../api/load-chunk.ts', { spy: true });
configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
serverForEach();
const hold = (what: string): void =>
  holdCommand({ what, lamps: 30 }, { send: () => Promise.resolve(), notSent: () => undefined });
const undoAll = (): void => act(() => heldCommands.getState().forEach(({ id }) => undoCommand(id)));
const undoButton = () => screen.findByRole('button', { name: /^撤销/ });
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

beforeEach(() => toasts.setState([], true));
afterEach(() => {
  undoAll();
  cleanup();
});

test('a bar whose code did not come is tried again for the next command', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => told.mockRestore());
  await renderInShell(<UndoHost />);
  vi.mocked(loadChunk).mockImplementationOnce(() => Promise.reject(new TypeError('Failed to fetch')));
  act(() => hold('关灯'));
  await waitFor(() => expect(toasts.getState().map(({ kind }) => kind)).toEqual(['failed']));
  undoAll();
  act(() => hold('开灯'));
  const bar = within(await screen.findByRole('region', { name: '等待发送的命令' }));
  expect(bar.getByRole('status').textContent).toBe('开灯 · 30 盏，即将下发');
});

test('who types meanwhile goes on typing; only a field of the dialog that asked for the command gives way', async () => {
  await renderInShell(
    <>
      <input aria-label="查找" />
      <div role="dialog" aria-label="下发">
        <input aria-label="原因" />
        <input aria-label="备注" />
      </div>
      <UndoHost />
    </>,
  );
  const holdAt = (asked: string, then = asked): void =>
    act(() => {
      field(asked).focus();
      hold('关灯');
      field(then).focus();
    });
  holdAt('查找');
  await undoButton();
  expect(document.activeElement).toBe(field('查找'));
  undoAll();
  expect(document.activeElement).toBe(field('查找'));
  holdAt('原因');
  expect(document.activeElement).toBe(await undoButton());
  undoAll();
  expect(document.activeElement).toBe(field('原因'));
  holdAt('原因', '备注');
  await undoButton();
  expect(document.activeElement).toBe(field('备注'));
});

import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { getCommand, retryCommand } from '../../../../../contract/light/commands.ts';
import { countLamps, getLampFilters, listLamps } from '../../../../../contract/light/lamps.ts';
import { dropHeld, heldCommands } from '../../../parts/commands/hold.ts';
import { commandTask } from '../../../testing/commands.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import LampMonitor from './index.tsx';

const server = serverForEach();

async function openTask(more: Parameters<typeof commandTask>[0] = {}): Promise<HTMLButtonElement> {
  server().answer(getCommand, { ...commandTask({ states: { failed: 30 }, ...more }), recordsTotal: 120, items: [] });
  server().answer(retryCommand, { id: 18, total: 30, state: 'running' });
  server().answer(getLampFilters, { roads: [], groups: [], controllers: [] });
  server().answer(listLamps, { data: [], recordsTotal: 0 });
  server().answer(countLamps, { at: '2026-11-20T13:46:31.000Z', total: 0, online: 0, states: {}, faults: {} });
  const codes = ['lamp.monitor', 'lamp.control'];
  await renderInShell(<LampMonitor />, { address: '/lamp/monitor?view=list&task=17', codes });
  return screen.findByRole<HTMLButtonElement>('button', { name: '重试失败的 30 盏' });
}

test.each([
  ['an emergency', { lane: 'emergency' as const }],
  ['a read', { lane: 'read' as const, command: 'read' as const, args: {} }],
])('retrying %s never waits', async (_, task) => {
  const waited = vi.fn<() => void>();
  onTestFinished(heldCommands.subscribe(waited));
  fireEvent.click(await openTask(task));
  await waitFor(() => expect(server().of(retryCommand)).toHaveLength(1));
  expect(waited).not.toHaveBeenCalled();
});

test('a retry that waits to be sent is not asked for again', async () => {
  const retry = await openTask();
  fireEvent.click(retry);
  await waitFor(() => expect(retry.disabled).toBe(true));
  act(() => void dropHeld());
  expect(retry.disabled).toBe(false);
  expect(server().of(retryCommand)).toEqual([]);
});

import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { asked } from '../../frame/ask.ts';
import { press, renderInShell } from '../../testing/shell.tsx';
import { LampsOnMap } from './LampsOnMap.tsx';

afterEach(cleanup);

function Form() {
  const [ids, setIds] = useState<readonly number[]>(() => Array.from({ length: 30 }, (_, n) => n + 1));
  return (
    <main>
      <h1>{`表单里 ${ids.length} 盏`}</h1>
      <LampsOnMap chosen={ids} onChange={setIds} />
    </main>
  );
}
const openMap = async () => {
  const drawing = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  onTestFinished(() => drawing.mockRestore());
  await renderInShell(<Form />, { codes: ['lamp.monitor'] });
  await screen.findByText('表单里 30 盏');
  await press('在地图上改');
  return within(await screen.findByRole('dialog', { name: '在地图上选灯' }, { timeout: 20_000 }));
};

test('those that are chosen are counted at once, and can be left out', async () => {
  const dialog = await openMap();
  expect(dialog.getByRole('status').textContent).toBe('已选 30 盏');
  expect(dialog.getByText(/不支持 WebGL/)).toBeTruthy();
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  await press('全部清除');
  expect(dialog.getByRole('status').textContent).toBe('已选 0 盏');
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: '就用这些' }).disabled).toBe(true);
});

test('a choice that was changed is asked about before it is lost, whichever way the dialog is left', async () => {
  const dialog = await openMap();
  await press('全部清除');
  const ways = [
    () => fireEvent.keyDown(dialog.getByRole('status'), { key: 'Escape' }),
    () => fireEvent.click(dialog.getByRole('button', { name: '取消' })),
    () => fireEvent.click(dialog.getByRole('button', { name: 'Close' })),
  ];
  for (const [place, leave] of ways.entries()) {
    leave();
    await waitFor(() => expect(asked.getState().current?.question.kind).toBe('unsaved'));
    const isLast = place === ways.length - 1;
    await act(async () => asked.getState().current?.answer(isLast));
    if (!isLast) expect(dialog.getByRole('status').textContent).toBe('已选 0 盏');
  }
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 20_000 });
  expect(screen.getByText('表单里 30 盏')).toBeTruthy();
});

test('Escape closes it without a question where nothing was changed', async () => {
  const dialog = await openMap();
  fireEvent.keyDown(dialog.getByRole('status'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), { timeout: 20_000 });
  expect(asked.getState().current).toBeUndefined();
  expect(screen.getByText('表单里 30 盏')).toBeTruthy();
});

test('who may not see the lamps has no map to choose on', async () => {
  await renderInShell(<Form />);
  await screen.findByText('表单里 30 盏');
  expect(screen.queryByRole('button')).toBeNull();
});

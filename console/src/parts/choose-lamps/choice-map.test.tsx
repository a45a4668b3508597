import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getLampMap } from '../../../../contract/light/lamps.ts';
import { listBaseMaps } from '../../../../contract/shell/base-maps.ts';
import { getBaseMap } from '../../../../contract/shell/demo.ts';
import { serverForEach } from '../../testing/contract-server.ts';
import { press, renderInShell } from '../../testing/shell.tsx';
import { lampMap, withMaps } from '../../testing/still-map.ts';
import { LampsOnMap } from './LampsOnMap.tsx';

vi.mock('maplibre-gl', () => import('../../testing/still-map.ts'));

const server = serverForEach();
afterEach(cleanup);
beforeEach(() => {
  server().answer(getLampMap, lampMap(4));
  server().answer(getBaseMap, { type: 'FeatureCollection', features: [] });
  server().answer(listBaseMaps, { data: [], recordsTotal: 0 });
});

function Form({ start }: { start: readonly number[] }) {
  const [ids, setIds] = useState(start);
  return <LampsOnMap chosen={ids} onChange={setIds} />;
}
async function open(start: readonly number[]) {
  const map = withMaps();
  await renderInShell(<Form start={start} />, { codes: ['lamp.monitor'] });
  await press(start.length > 0 ? '在地图上改' : '在地图上选');
  const dialog = within(await screen.findByRole('dialog', { name: '在地图上选灯' }, { timeout: 20_000 }));
  await dialog.findByRole('button', { name: '圈选区域' }, { timeout: 20_000 });
  return { dialog, map: map() };
}

test('the map opens on the chosen lamps; from then on fitting shows all of them', async () => {
  const { dialog, map } = await open([3, 4]);
  await waitFor(() => expect(map.fits).toHaveLength(1));
  const [west = 0, , east = 0] = map.fits[0] ?? [];
  expect([west, east].map((one) => one.toFixed(3))).toEqual(['120.202', '120.203']);
  await act(async () => map.click(120.2, 30.2));
  expect(dialog.getByRole('status').textContent).toBe('已选 3 盏');
  expect(map.fits).toHaveLength(1);
  await press('显示全部');
  expect(map.fits).toHaveLength(2);
});

test('without chosen lamps the map stays as it opened', async () => {
  const { map } = await open([]);
  await act(async () => map.click(120.2, 30.2));
  expect(map.fits).toEqual([]);
});

test('Escape leaves the drawing from beside it, and the pane has its focus back after the way changed', async () => {
  const { dialog } = await open([3]);
  await press('圈选区域');
  const pane = await dialog.findByRole('application', { name: '圈选区域' });
  await waitFor(() => expect(document.activeElement).toBe(pane));
  fireEvent.keyDown(pane, { key: ' ' });
  const radio = dialog.getByRole('radio', { name: '去掉' });
  act(() => radio.focus());
  expect(document.activeElement).toBe(radio);
  fireEvent.click(radio);
  // An arrow key among radio buttons gives the next one the focus after its change.
  act(() => radio.focus());
  await waitFor(() => expect(document.activeElement).toBe(pane));
  expect(pane.querySelectorAll('circle')).toHaveLength(1);
  act(() => radio.focus());
  fireEvent.keyDown(radio, { key: 'Escape' });
  await waitFor(() => expect(dialog.queryByRole('application')).toBeNull());
  expect(dialog.getByRole('status').textContent).toBe('已选 1 盏');
  fireEvent.keyDown(radio, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

import { act, fireEvent, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { getPublicationRoads } from '../../../../../contract/light/publication-roads.ts';
import { getPublication } from '../../../../../contract/light/publications.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { publication, publicationLamp } from '../../../testing/publications.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import type { OpenPublication } from './index.tsx';
import PublicationPage from './index.tsx';

const server = serverForEach();
const whole = (): OpenPublication => ({
  ...publication(),
  nextProof: null,
  roads: [
    { roadId: 1, name: '滨江大道', total: 80, states: { proven: 78, away: 2 } },
    { roadId: 2, name: '望江路', total: 40, states: { proven: 22, reported: 12, diverged: 3, away: 2, cannot: 1 } },
  ],
  items: [publicationLamp({ deviceId: 2, code: 'BJ-0002', state: 'diverged' })],
  recordsTotal: 120,
});
const open = (search = '') =>
  renderInShell(
    <Routes>
      <Route path="/lamp/publication/:id" element={<PublicationPage />} />
    </Routes>,
    {
      address: `/lamp/publication/12${search}`,
      codes: ['plan.query'],
      pages: ['lamp/publications', 'lamp/publication'],
      live: server(),
    },
  );
const roads = [
  {
    roadId: 1,
    line: [
      [120.2, 30.2],
      [120.21, 30.2],
    ] as [number, number][],
  },
];
beforeEach(() => {
  server().answer(getPublication, whole());
  const drawing = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  onTestFinished(() => drawing.mockRestore());
});

test('the states of roads have words beside their strokes; where no map can be drawn, that is said', async () => {
  server().answer(getPublicationRoads, { roads, without: 40 });
  const { address } = await open();
  await screen.findByText('BJ-0002');
  expect(server().of(getPublicationRoads)).toEqual([]);
  await act(async () => void fireEvent.click(screen.getByRole('radio', { name: '地图' })));
  await screen.findByText(/不在图上的灯：40 盏/);
  expect(address()).toContain('roads=map');
  const legend = within(screen.getByRole('list', { name: '图例' }));
  expect(legend.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    '已证明',
    '已回报',
    '不一致',
    '失联',
    '不能执行',
  ]);
  expect(screen.getByText(/不支持 WebGL/)).toBeTruthy();
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  await act(async () => void fireEvent.click(screen.getByRole('radio', { name: '表格' })));
  expect(await screen.findByRole('rowheader', { name: '望江路' })).toBeTruthy();
  expect(address()).not.toContain('roads=');
});

test('lamps without roads or places lead to the table', async () => {
  server().answer(getPublicationRoads, { roads: [], without: 120 });
  await open('?roads=map');
  await screen.findByText('没有可画的道路');
  expect(screen.getByText(/进度见表格/)).toBeTruthy();
});

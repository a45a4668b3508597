import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { exampleScheme } from '../../../../../catalogue/lighting/plan/examples.ts';
import { getHome } from '../../../../../contract/light/home.ts';
import {
  getScheme,
  getSchemeCalendarFile,
  getSchemePeriodsFile,
  listSchemePlaces,
} from '../../../../../contract/light/schemes.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import SchemePage from './index.tsx';

const server = serverForEach();
const at = '2026-11-25T12:00:00.000Z';
const scheme: ReplyOf<typeof getScheme> = {
  id: 5,
  code: 'JN-01',
  name: '主干路',
  workAreaId: null,
  workAreaName: null,
  state: 'frozen',
  version: 3,
  draft: null,
  newest: { number: 2, hash: '0123456789ab', at, by: 'admin' },
  lamps: { following: 0, unreported: 0, diverged: 0, byVersion: [] },
  editable: true,
  deletable: false,
  createdAt: at,
  updatedAt: at,
  mode: 'energySaving',
  content: exampleScheme(),
  findings: [],
};

async function open(codes: string[], newest = scheme.newest) {
  server().refuse(getHome, 503, { message: '—' });
  server().answer(getScheme, { ...scheme, newest });
  server().answer(listSchemePlaces, { data: [], recordsTotal: 0 });
  for (const [route, type] of [
    [getSchemeCalendarFile, 'text/calendar'],
    [getSchemePeriodsFile, 'application/octet-stream'],
  ] as const)
    server().on(route, () => ({ status: 200, body: 'x', headers: { 'content-type': type } }));
  await renderInShell(
    <Routes>
      <Route path="/lamp/scheme/:id" element={<SchemePage />} />
    </Routes>,
    { address: '/lamp/scheme/5', codes, pages: ['lamp/schemes'] },
  );
  await screen.findByText('JN-01');
}

test.each([
  { who: 'who may edit', codes: ['plan.edit'] },
  { who: 'who may only look', codes: ['plan.query'] },
])('calendar and periods of the newest version are saved from the menu, by $who', async ({ codes }) => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  await open(codes);
  for (const name of ['导出日历（.ics）', '导出时段（.xlsx）']) {
    await press('更多操作');
    fireEvent.click(await screen.findByRole('menuitem', { name }));
  }
  await waitFor(() => expect(saved).toEqual(['JN-01-2.ics', 'JN-01-2.xlsx']), { timeout: 8_000 });
  expect(
    server()
      .of(getSchemeCalendarFile)
      .map(({ path }) => path),
  ).toEqual(['/api/v1/schemes/5/versions/2/calendar-file']);
});

test('of a scheme without a version there is nothing to save', async () => {
  await open(['plan.edit'], null);
  await press('更多操作');
  expect(await screen.findByRole('menuitem', { name: /改名|重命名|编号/ })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: /导出/ })).toBeNull();
});

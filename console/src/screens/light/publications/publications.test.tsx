import { fireEvent, screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { beforeEach, expect, test } from 'vitest';
import { listPublications } from '../../../../../contract/light/publications.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { publication } from '../../../testing/publications.ts';
import { press, renderInShell } from '../../../testing/shell.tsx';
import Publications from './index.tsx';

const server = serverForEach();
const open = (codes: readonly string[] = ['plan.query', 'plan.publish'], search = '') =>
  renderInShell(<Publications />, {
    address: `/lamp/publications${search}`,
    codes,
    pages: ['lamp/publication', 'lamp/publish'],
    live: server(),
  });

beforeEach(() =>
  server().answer(listPublications, {
    data: [
      publication({
        id: 13,
        phase: 'halted',
        scheme: null,
        reverts: 12,
        scope: { devices: 6 },
        total: 6,
        states: { told: 6 },
      }),
      publication({ id: 12, phase: 'done' }),
    ],
    recordsTotal: 2,
  }),
);

test('says what, where, how far and by whom; a row opens its page', async () => {
  const { address } = await open();
  await screen.findByText('#12');
  const rows = screen.getAllByRole('row', { hidden: true }).map((one) => one.textContent);
  const row = rows.find((text) => text.includes('主干路')) ?? '';
  for (const text of [
    '主干路 第 7 版',
    '已完成，有不一致',
    '滨江大道 · 120 盏',
    '120 盏里 100 盏已证明',
    '3 盏不一致',
    '周敏',
  ])
    expect(row).toContain(text);
  expect(rows.find((text) => text.includes('#13'))).toContain('撤回发布 #12 #13已暂停选中的 6 盏6 盏里');
  await press(/主干路 第 7 版/);
  await waitFor(() => expect(address()).toBe('/lamp/publication'));
});

test('the address asks by phase and text; the live line fetches again', async () => {
  await open(undefined, '?state=halted,done&q=JN');
  await screen.findByText('#12');
  const asked = server().of(listPublications).at(-1)?.query;
  expect([asked?.get('state'), asked?.get('q')]).toEqual(['halted,done', 'JN']);
  server().answer(listPublications, { data: [publication({ id: 14 })], recordsTotal: 1 });
  await waitFor(() => {
    server().tell({ type: 'publications' });
    expect(screen.getByText('1 次发布')).toBeTruthy();
  });
  await screen.findByText('#14');
});

test('P publishes for who may; others have neither key nor button', async () => {
  const { address } = await open();
  await screen.findByText('#12');
  fireEvent.keyDown(window, { key: 'p' });
  await waitFor(() => expect(address()).toBe('/lamp/publish'));
});

test('without the right nothing is published', async () => {
  const { address } = await open(['plan.query']);
  await screen.findByText('#12');
  fireEvent.keyDown(window, { key: 'p' });
  expect(screen.queryByRole('button', { name: '发布方案' })).toBeNull();
  expect(address()).toBe('/lamp/publications');
});

test('an empty list offers the first step, a failed one says so; both are accessible', async () => {
  server().answer(listPublications, { data: [], recordsTotal: 0 });
  await open();
  await screen.findByText('还没有发布过');
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
});

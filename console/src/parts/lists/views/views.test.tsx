import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { getPreferences } from '../../../../../contract/people/me.ts';
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  orderSavedViews,
  updateSavedView,
} from '../../../../../contract/people/saved-views.ts';
import { listRecords } from '../../../../../contract/register/records.ts';
import { serverForEach } from '../../../testing/contract-server.ts';
import { renderInShell } from '../../../testing/shell.tsx';
import { RecordScreen } from '../../declared/RecordScreen.tsx';
import { areSame, type View } from './view.ts';

const at = '2026-11-20T13:00:00.000Z';
const row = {
  id: 7,
  version: 1,
  createTime: at,
  updateTime: at,
  labels: {},
  secrets: [],
  roadCode: 'R-1',
  roadName: '滨江大道',
};
const server = serverForEach();
const view = (id: number, name: string, more: Partial<View> = {}): View => ({
  id,
  list: 'road',
  name,
  conditions: { q: name },
  sort: null,
  shared: false,
  own: true,
  maker: '张敏',
  start: false,
  deletable: true,
  ...more,
});
/** The list of roads with these views; a road matches `q` so often. */
async function open(views: readonly View[], { address = '/asset/roads', of = {} as Record<string, number> } = {}) {
  server().answer(getPreferences, {});
  server().answer(listSavedViews, { data: [...views], recordsTotal: views.length });
  server().answer(listRecords, ({ query }) => ({
    data: [row],
    recordsTotal: of[query.get('q') ?? ''] ?? 60,
    ...(query.get('q') === '大概' ? { recordsTotalExact: false } : {}),
  }));
  const shell = await renderInShell(<RecordScreen record="road" screen="asset/roads" />, { address });
  await screen.findAllByRole('table');
  return shell;
}
const bar = () => within(screen.getByRole('toolbar', { name: '视图' }));
const chip = (name: RegExp | string) => bar().findByRole('button', { name });
const asked = () => server().of(listRecords);

test('equal filters in any order are the same view; another order of rows is not', () => {
  const one = { filters: { a: '1', b: '2' }, sort: undefined };
  expect(areSame(one, { filters: { b: '2', a: '1' }, sort: undefined })).toBe(true);
  expect(areSame(one, { ...one, sort: 'code,asc' })).toBe(false);
});

test('a view shows its rows and is marked; each has its count, asked once with one row', async () => {
  const others = { own: false, shared: true };
  const shell = await open(
    [view(1, '东'), view(2, '西', others), view(3, '大概'), view(4, '北', { ...others, maker: null })],
    { of: { 东: 12, 西: 1300, 北: 2 } },
  );
  expect(await chip('东 12')).toBeDefined();
  expect((await chip('西 1,300')).title).toBe('西、张敏 共享');
  expect((await chip('北 2')).title).toBe('北、由同事共享');
  // An estimate is no count.
  expect(await chip('大概')).toBeDefined();
  const counted = asked().filter(({ query }) => query.get('size') === '1');
  // Requests of one page come in any order.
  expect(counted).toHaveLength(4);
  expect(counted.map(({ query }) => Object.fromEntries(query))).toEqual(
    expect.arrayContaining(['东', '西', '大概', '北'].map((q) => ({ q, size: '1' }))),
  );
  expect((await chip('全部')).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(await chip('东 12'));
  await waitFor(() => expect(shell.address()).toBe(`/asset/roads?q=${encodeURIComponent('东')}`));
  expect((await chip('东 12')).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(await chip('全部'));
  await waitFor(() => expect(shell.address()).toBe('/asset/roads'));
});

test('the list begins with its start, and with what an address names', async () => {
  const start = view(1, '东', { start: true, sort: 'roadCode,desc' });
  // However slow the machine is: the rows' patience does not end.
  const { setTimeout: later } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...more: []) =>
    later(ms === 400 ? () => undefined : run, ms, ...more)) as typeof setTimeout);
  const shell = await open([start]);
  await waitFor(() => expect(shell.address()).toBe(`/asset/roads?q=${encodeURIComponent('东')}&sort=roadCode%2Cdesc`));
  // The rows without its conditions were not asked for.
  expect(asked().map(({ query }) => query.get('q'))).toEqual(['东']);
  // Bare again because the operator wants all: the rows stay, nothing is waited for any more.
  await screen.findAllByText('滨江大道');
  fireEvent.click(await chip('全部'));
  await waitFor(() => expect(shell.address()).toBe('/asset/roads'));
  expect(screen.getAllByText('滨江大道')).not.toEqual([]);
});
test('an address with conditions is left as it is', async () => {
  const shell = await open([view(1, '东', { start: true })], { address: '/asset/roads?q=x' });
  expect(shell.address()).toBe('/asset/roads?q=x');
});

test('conditions that are no view yet are saved under a name, or in the view they came from', async () => {
  server().refuse(createSavedView, 400, { params: [{ field: 'name', rule: 'taken', message: '已被占用' }] });
  server().answer(updateSavedView, view(1, '东'));
  await open([view(1, '东')], { address: `/asset/roads?q=${encodeURIComponent('东')}` });
  expect(bar().queryByRole('button', { name: '存为视图' })).toBeNull();
  fireEvent.click(screen.getAllByRole('columnheader', { name: /道路编号/ })[0]!);
  fireEvent.click(await chip('存为视图'));
  const form = within(await screen.findByRole('tooltip'));
  fireEvent.change(form.getByLabelText('名称'), { target: { value: '按编码' } });
  fireEvent.click(form.getByRole('checkbox', { name: '共享给同区域能打开此列表的人' }));
  fireEvent.click(form.getByRole('button', { name: '保存' }));
  expect((await form.findByRole('alert')).textContent).toBe('已被占用');
  expect(JSON.parse(server().of(createSavedView)[0]?.body ?? '')).toEqual({
    list: 'road',
    name: '按编码',
    conditions: { q: '东' },
    sort: 'roadCode,asc',
    shared: true,
    start: false,
  });
  fireEvent.click(form.getByRole('button', { name: '改存到“东”' }));
  await waitFor(() =>
    expect(JSON.parse(server().of(updateSavedView)[0]?.body ?? '')).toEqual({
      conditions: { q: '东' },
      sort: 'roadCode,asc',
    }),
  );
});

test('⋯ moves and removes a view; a removed one comes back', async () => {
  server().answer(orderSavedViews, null);
  server().answer(deleteSavedView, null);
  server().answer(createSavedView, view(9, '东'));
  await open([view(1, '东'), view(2, '西')], { address: `/asset/roads?q=${encodeURIComponent('东')}` });
  const menu = async (item: string) => {
    fireEvent.click(await chip('视图“东”的操作'));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  };
  await menu('右移');
  await waitFor(() =>
    expect(JSON.parse(server().of(orderSavedViews)[0]?.body ?? '')).toEqual({ list: 'road', ids: [2, 1] }),
  );
  await menu('删除视图');
  await waitFor(() => expect(server().of(deleteSavedView)).toHaveLength(1));
});

test('arrows go from chip to chip, of which Tab reaches one', async () => {
  await open([view(1, '东'), view(2, '西')]);
  const all = await chip('全部');
  await chip(/^西/);
  expect(
    bar()
      .getAllByRole('button')
      .filter((one) => one.tabIndex === 0),
  ).toEqual([all]);
  all.focus();
  fireEvent.keyDown(all, { key: 'ArrowRight' });
  expect(document.activeElement?.textContent).toMatch(/^东/);
  fireEvent.keyDown(document.activeElement!, { key: 'End' });
  expect(document.activeElement?.textContent).toMatch(/^西/);
});

test('the current view has the total of the list; twelve views at most are counted', async () => {
  const names = Array.from({ length: 14 }, (_, at) => `第${at + 1}`);
  await open(
    names.map((name, at) => view(at + 1, name)),
    { address: `/asset/roads?q=${encodeURIComponent('第2')}`, of: { 第2: 12, 第12: 7 } },
  );
  expect(await chip('第2 12')).toBeDefined();
  expect(await chip('第12 7')).toBeDefined();
  const counted = asked().filter(({ query }) => query.get('size') === '1');
  const others = names.slice(0, 12).filter((name) => name !== '第2');
  expect(counted.map(({ query }) => query.get('q')).toSorted()).toEqual(others.toSorted());
});

test('filters that are left for a view have no part in the counts', async () => {
  await open([view(1, '东'), view(2, '西')], { address: '/asset/roads?roadClass=arterial' });
  fireEvent.click(await chip(/^东/));
  await waitFor(() =>
    expect(asked().some(({ query }) => query.get('q') === '东' && query.get('size') !== '1')).toBe(true),
  );
  const counted = asked().filter(({ query }) => query.get('size') === '1');
  expect(counted.filter(({ query }) => query.has('roadClass'))).toEqual([]);
});

test('a view whose conditions the list knows no more can be removed', async () => {
  server().answer(deleteSavedView, null);
  await open([view(1, '旧', { conditions: { gone: '1' } })]);
  fireEvent.click(await chip(/^旧/));
  fireEvent.click(await chip('视图“旧”的操作'));
  fireEvent.click(await screen.findByRole('menuitem', { name: '删除视图' }));
  await waitFor(() => expect(server().of(deleteSavedView)).toHaveLength(1));
});

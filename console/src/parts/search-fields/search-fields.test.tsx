import { ConfigProvider } from 'antd';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { preferences } from '../../frame/preferences.ts';
import { startI18n } from '../../locales/i18n.ts';
import { SearchPanel } from './SearchPanel.tsx';
import { searchField, type DeclaredSearchField } from './index.ts';
import { choicesOf, joinChoices, joinRange, momentOf, momentsOf, rangeOf } from './text-values.ts';

configure({ asyncUtilTimeout: 8_000 });

const roads = [
  { itemName: '滨江路', itemValue: 'a' },
  { itemName: '中山路', itemValue: 'b,1' },
  { itemName: '解放路', itemValue: 'c' },
];
const declared: DeclaredSearchField[] = [
  { type: 'text', key: 'name', label: '名称' },
  { type: 'select', key: 'road', label: '道路', options: roads },
  { type: 'select', key: 'roads', label: '多条道路', options: roads, multiple: true },
  { type: 'month', key: 'month', label: '月份' },
  { type: 'date', key: 'day', label: '日期' },
  { type: 'datetime', key: 'moment', label: '时刻' },
  { type: 'daterange', key: 'days', label: '日期范围', last: '2026-11-21' },
  { type: 'region', key: 'region', label: '地区' },
  {
    type: 'tree',
    key: 'nodes',
    label: '节点',
    nodes: [
      {
        title: '一区',
        value: 'n1',
        children: [
          { title: '一区东', value: 'n11' },
          { title: '一区西', value: 'n12' },
        ],
      },
    ],
  },
];
const find = { timeout: 8_000 };
vi.setConfig({ testTimeout: 30_000 });

async function open(values: Record<string, string>, unfolded = true) {
  const onSearch = vi.fn<(values: Record<string, string>) => void>();
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <Suspense fallback="…">
          <SearchPanel fields={declared.map(searchField)} values={values} onSearch={onSearch} />
        </Suspense>
      </I18nextProvider>
    </ConfigProvider>,
  );
  const form = (await screen.findByRole('search', undefined, find)) as HTMLFormElement;
  if (unfolded) fireEvent.click(screen.getByRole('button', { name: /更多条件|展开/ }));
  return { onSearch, form };
}
const inputs = (label: string): HTMLInputElement => screen.getByLabelText(label, { selector: 'input' });

afterEach(() => {
  cleanup();
  preferences.setState({ values: undefined });
  vi.unstubAllGlobals();
});

const everything = {
  name: '路',
  road: 'a',
  roads: 'a,b%2C1',
  month: '2026-11',
  day: '2026-11-05',
  moment: '2026-11-05 21:46:31',
  days: '2026-11-01_2026-11-07',
  region: '330108',
  nodes: 'n11',
};

test('every kind shows what stands in the address, by its label and in its format', async () => {
  await open(everything);
  expect([inputs('月份').value, inputs('日期').value, inputs('时刻').value]).toEqual([
    '2026-11',
    '2026-11-05',
    '2026-11-05 21:46:31',
  ]);
  expect([...document.querySelectorAll<HTMLInputElement>('.ant-picker-range input')].map(({ value }) => value)).toEqual(
    ['2026-11-01', '2026-11-07'],
  );
  expect(screen.getByText('滨江路')).toBeTruthy();
  expect(await screen.findByText('浙江省 / 杭州市 / 滨江区', undefined, find)).toBeTruthy();
  for (const label of ['名称', '道路', '多条道路', '地区', '节点'])
    expect(screen.getByLabelText(label, { selector: 'input' })).toBeTruthy();
});

test('searching hands over the same text; reset empties every kind and searches again', async () => {
  const { onSearch, form } = await open(everything);
  fireEvent.submit(form);
  expect(onSearch).toHaveBeenLastCalledWith(everything);
  fireEvent.click(screen.getByRole('button', { name: '重置' }));
  expect(onSearch).toHaveBeenLastCalledWith({});
  await waitFor(() => expect(inputs('月份').value).toBe(''));
});

test('folded it is one row: text, three conditions that search at once, and each one in force with a way to remove it', async () => {
  const { onSearch, form } = await open({ month: '2026-11', region: '330108' }, false);
  const labels = (): (string | null)[] => [...form.querySelectorAll('label')].map(({ textContent }) => textContent);
  expect(labels()).toEqual(['名称', '道路', '多条道路', '月份', '地区']);
  fireEvent.change(inputs('名称'), { target: { value: '路' } });
  expect(onSearch).not.toHaveBeenCalled();
  fireEvent.mouseDown(inputs('道路'));
  fireEvent.click(await screen.findByText('中山路', { selector: '.ant-select-item-option-content' }, find));
  expect(onSearch).toHaveBeenLastCalledWith({ name: '路', road: 'b,1', month: '2026-11', region: '330108' });
  fireEvent.click(screen.getByRole('button', { name: '移除条件：月份' }));
  expect(onSearch).toHaveBeenLastCalledWith({ name: '路', road: 'b,1', region: '330108' });
  expect(document.activeElement?.textContent).toBe('更多条件');
  fireEvent.click(screen.getByRole('button', { name: '更多条件' }));
  expect(labels()).toHaveLength(declared.length);
  expect(inputs('名称').value).toBe('路');
  fireEvent.click(screen.getByRole('button', { name: '收起' }));
  expect(labels()).toContain('地区');
});

test('a typed day counts; empty fields are dropped', async () => {
  const { onSearch, form } = await open({ month: '2026-11' });
  fireEvent.mouseDown(inputs('日期'));
  fireEvent.change(inputs('日期'), { target: { value: '2026-10-09' } });
  fireEvent.keyDown(inputs('日期'), { key: 'Enter', keyCode: 13 });
  await waitFor(() => expect(inputs('日期').value).toBe('2026-10-09'));
  fireEvent.submit(form);
  expect(onSearch).toHaveBeenLastCalledWith({ month: '2026-11', day: '2026-10-09' });
});

test('a region is chosen at any level, or found by name; what is no code counts as unused', async () => {
  const { onSearch, form } = await open({ region: 'x' });
  fireEvent.mouseDown(inputs('地区'));
  fireEvent.click(await screen.findByText('浙江省', undefined, find));
  fireEvent.submit(form);
  expect(onSearch).toHaveBeenLastCalledWith({ region: '330000' });
  fireEvent.change(inputs('地区'), { target: { value: '滨江' } });
  await waitFor(
    () =>
      expect([...document.querySelectorAll('.ant-cascader-menu-item')].map(({ textContent }) => textContent)).toEqual([
        '浙江省 / 杭州市 / 滨江区',
      ]),
    find,
  );
  fireEvent.keyDown(inputs('地区'), { key: 'ArrowDown', keyCode: 40 });
  fireEvent.keyDown(inputs('地区'), { key: 'Enter', keyCode: 13 });
  fireEvent.submit(form);
  expect(onSearch).toHaveBeenLastCalledWith({ region: '330108' });
});

test('several choices survive commas and percent signs', () => {
  const values = ['a', 'b,1', '50%', '%2C'];
  expect(choicesOf(joinChoices(values))).toEqual(values);
  expect([choicesOf(''), choicesOf(undefined)]).toEqual([[], []]);
});

test.each([
  ['2026-11-01_2026-11-07', { from: '2026-11-01', to: '2026-11-07' }],
  ['2026-11-07_2026-11-01', { from: '2026-11-01', to: '2026-11-07' }],
  ['2026-11-01_', { from: '2026-11-01' }],
  ['_2026-11-07', { to: '2026-11-07' }],
  ['2026-02-30_2026-03-01', { to: '2026-03-01' }],
  ['nonsense', {}],
  ['', {}],
  [undefined, {}],
])('the range %s', (text, range) => {
  expect(rangeOf(text)).toEqual(range);
  expect(rangeOf(joinRange(range))).toEqual(range);
});

test.each([
  ['2026-11-01 18:00:00_2026-11-02 06:00:00', { from: '2026-11-01 18:00:00', to: '2026-11-02 06:00:00' }],
  ['2026-11-01_2026-11-02', { from: '2026-11-01 00:00:00', to: '2026-11-02 23:59:59' }],
  ['2026-11-02_2026-11-01 12:00:00', { from: '2026-11-01 12:00:00', to: '2026-11-02 23:59:59' }],
  ['_2026-11-02 06:00:00', { to: '2026-11-02 06:00:00' }],
  ['2026-11-01 25:00:00_', {}],
  [undefined, {}],
])('the moments %s', (text, range) => expect(momentsOf(text)).toEqual(range));

test.each([
  ['2026-13', 'month'],
  ['2026-11-5', 'date'],
  ['2026-11-05', 'datetime'],
  ['x', 'date'],
] as const)('%s is no %s', (text, kind) => expect(momentOf(text, kind)).toBeNull());

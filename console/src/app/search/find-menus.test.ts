import { expect, test } from 'vitest';
import { buildMenu, type MenuEntry } from '../../frame/menu/menu.ts';
import { findablePages, findMenus } from './find-menus.ts';
import { romanise } from '../../locales/pinyin.ts';

const entry = (id: number, title: string, path: string): MenuEntry => ({
  id,
  parentId: 0,
  type: 'menu2',
  name: `n${id}`,
  title,
  icon: null,
  url: path,
  component: 'page',
  permissionCode: null,
  orderby: id,
  language: null,
});
const menu = buildMenu(
  [
    entry(1, '单灯监控', '/a'),
    entry(2, '集控管理', '/b'),
    entry(3, '能耗报表', '/c'),
    entry(4, '灯详情', '/a/:id'),
    { ...entry(5, '编辑用户', '/d'), name: 'user-edit' },
  ],
  { builtIn: new Set(), components: new Set(['page']) },
);
const pages = findablePages(menu, ({ title }) => title, romanise);
const found = (text: string): string[] => {
  const { near, far } = findMenus(pages, text);
  return [...near, ...far].map((one) => one.title);
};

test.each([
  ['监控', ['单灯监控']],
  ['ddjk', ['单灯监控']],
  ['dandeng', ['单灯监控']],
  ['DanDeng JianKong', ['单灯监控']],
  ['jkgl', ['集控管理']],
  ['nhbb', ['能耗报表']],
  ['xyz', []],
])('%s finds %j', (text, titles) => {
  expect(found(text)).toEqual(titles);
});

test('nothing typed shows all in menu order; pages with parameters or a hand-over cannot be opened from here', () => {
  expect(found('')).toEqual(['单灯监控', '集控管理', '能耗报表']);
});

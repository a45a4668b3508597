import axe from 'axe-core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { CheckTree, allLeaves, grantedIds, type CheckNode } from './index.ts';

const node = (id: number, title: string, ...items: CheckNode[]): CheckNode => ({ id, title, items });
const nodes = [
  node(1, '资产', node(2, '道路', node(3, '查看道路'), node(4, '新增道路')), node(5, '分组', node(6, '查看分组'))),
  node(7, '首页'),
];
let leaves: ReadonlySet<number> = new Set();

function Tree({
  filter = '',
  disabled = false,
  start = [],
}: {
  filter?: string;
  disabled?: boolean;
  start?: readonly number[];
}) {
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set(start));
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set([2]));
  leaves = checked;
  return (
    <main>
      <CheckTree
        label="菜单"
        nodes={nodes}
        leaves={checked}
        onChange={setChecked}
        folded={folded}
        onFold={setFolded}
        filter={filter}
        disabled={disabled}
      />
    </main>
  );
}
const item = (name: string) => screen.getByRole('treeitem', { name });
const states = () =>
  Object.fromEntries(
    screen.getAllByRole('treeitem').map((line) => [line.textContent, line.getAttribute('aria-checked')]),
  );
const press = (...keys: string[]): void => {
  for (const key of keys) fireEvent.keyDown(document.activeElement!, { key });
};
const focused = () => document.activeElement?.textContent;

afterEach(cleanup);

describe('what is granted', () => {
  test('one checked leaf grants every parent above it, half-checked as they are', () => {
    expect(grantedIds(nodes, new Set([3]))).toEqual([1, 2, 3]);
  });
  test('all, none, and an id that the tree does not show', () => {
    expect(grantedIds(nodes, allLeaves(nodes))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(grantedIds(nodes, new Set())).toEqual([]);
    expect(grantedIds(nodes, new Set([99]))).toEqual([]);
  });
});

describe('the tree', () => {
  test('a parent is mixed while some below it are checked, checked when all are; a click on it takes or gives all', () => {
    render(<Tree start={[3]} />);
    expect(states()).toEqual({ 资产: 'mixed', 道路: 'mixed', 分组: 'false', 查看分组: 'false', 首页: 'false' });
    fireEvent.click(item('道路'));
    expect([...leaves]).toEqual([3, 4]);
    expect(item('道路').getAttribute('aria-checked')).toBe('true');
    fireEvent.click(item('道路'));
    expect([...leaves]).toEqual([]);
  });

  test('is walked, opened, folded and checked by keys alone, with one stop for Tab', () => {
    render(<Tree />);
    expect(screen.getAllByRole('treeitem').filter((line) => line.tabIndex === 0)).toHaveLength(1);
    item('资产').focus();
    press('ArrowDown');
    expect(focused()).toBe('道路');
    press('ArrowRight');
    expect(item('道路').getAttribute('aria-expanded')).toBe('true');
    press('ArrowRight', ' ');
    expect(focused()).toBe('查看道路');
    expect([...leaves]).toEqual([3]);
    press('ArrowLeft');
    expect(focused()).toBe('道路');
    press('ArrowLeft');
    expect(item('道路').getAttribute('aria-expanded')).toBe('false');
    press('End');
    expect(focused()).toBe('首页');
    press('Enter', 'Home', ' ');
    expect([...leaves].toSorted()).toEqual([3, 4, 6, 7]);
  });

  test('a filter shows what it finds with the way there, opened, and keeps what is checked elsewhere', () => {
    render(<Tree filter="新增" start={[6]} />);
    expect(screen.getAllByRole('treeitem').map((line) => line.textContent)).toEqual(['资产', '道路', '新增道路']);
    fireEvent.click(item('新增道路'));
    expect([...leaves].toSorted()).toEqual([4, 6]);
  });

  test('at rest it can be read and walked but not changed', () => {
    render(<Tree disabled start={[3]} />);
    item('首页').focus();
    press(' ');
    fireEvent.click(item('道路'));
    expect([...leaves]).toEqual([3]);
    press('ArrowUp');
    expect(focused()).toBe('查看分组');
  });

  test('axe finds nothing', async () => {
    render(<Tree start={[3]} />);
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id, nodes: where }) => [id, where.map(({ html }) => html)])).toEqual([]);
  });
});

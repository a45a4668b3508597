import axe from 'axe-core';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity, Suspense, useMemo, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startI18n } from '../../locales/i18n.ts';
import { Tree, type Drop, type MayDrop, type TreeSource } from './index.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });
interface Node {
  id: number;
  name: string;
  children?: Node[];
}
const small: Node = {
  id: 1,
  name: '根',
  children: [
    {
      id: 2,
      name: '甲',
      children: [
        { id: 4, name: '甲一' },
        { id: 5, name: '甲二' },
      ],
    },
    { id: 3, name: '乙', children: [{ id: 6, name: '乙一' }] },
    { id: 7, name: '丙' },
  ],
};

const drops: Drop<Node>[] = [];
const opened: string[] = [];
const inside: MayDrop<Node> = ({ parent }) => (parent === undefined ? '只能放在根里面' : undefined);

function Page({
  root,
  mayDrop = inside,
  activate,
  reveal = null,
}: {
  root: Node;
  mayDrop?: MayDrop<Node>;
  activate?: (node: Node) => void;
  reveal?: { id: number } | null;
}) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set([1]));
  const source = useMemo<TreeSource<Node>>(
    () => ({
      roots: [root],
      childrenOf: (node) => node.children ?? [],
      mayHaveChildren: (node) => (node.children ?? []).length > 0,
    }),
    [root],
  );
  return (
    <main>
      <Tree
        label="组织"
        source={source}
        open={open}
        reveal={reveal}
        textOf={(node) => node.name}
        mayDrag={(node) => node.id !== 1}
        mayDrop={mayDrop}
        onDrop={(drop) => drops.push(drop)}
        {...(activate ? { onActivate: activate } : {})}
        onOpenChange={(node, next) => {
          opened.push(`${node.name} ${next}`);
          setOpen((before) => new Set(next ? [...before, node.id] : [...before].filter((id) => id !== node.id)));
        }}
        renderActions={(node, tabIndex) => <button type="button" tabIndex={tabIndex}>{`编辑${node.name}`}</button>}
      >
        {(node) => node.name}
      </Tree>
    </main>
  );
}

async function show(root = small, props: Omit<Parameters<typeof Page>[0], 'root'> = {}) {
  render(
    <I18nextProvider i18n={await startI18n('zh-CN')}>
      <Suspense fallback="…">
        <Page root={root} {...props} />
      </Suspense>
    </I18nextProvider>,
  );
  const first = await screen.findByRole('treeitem', { name: root.name });
  act(() => first.focus());
  return first;
}
const press = (...keys: string[]): void => {
  for (const key of keys)
    fireEvent.keyDown(document.activeElement!, key.startsWith('^') ? { key: key.slice(1), ctrlKey: true } : { key });
};
const focused = (): string | null =>
  document.activeElement!.getAttribute('data-id') && document.activeElement!.textContent;
const at = (name: string) => screen.getByRole('treeitem', { name });
const told = (text: string): void =>
  expect([...document.querySelectorAll('[aria-live]')].map((region) => region.textContent)).toContain(text);

beforeEach(() => {
  drops.length = opened.length = 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('reading', () => {
  test('says level, place and state of every line; axe finds nothing', async () => {
    await show();
    expect(
      [...document.querySelectorAll('[role="treeitem"]')].map((line) =>
        ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => line.getAttribute(name)),
      ),
    ).toEqual([
      ['1', '1', '1', 'true'],
      ['2', '1', '3', 'false'],
      ['2', '2', '3', 'false'],
      ['2', '3', '3', null],
    ]);
    const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  });

  test('one line is in the tab order, with its buttons; arrows, Home, End and letters move on', async () => {
    await show();
    press('ArrowDown', 'ArrowRight');
    expect(opened).toEqual(['甲 true']);
    press('ArrowRight', 'ArrowDown');
    expect(focused()).toContain('甲二');
    press('ArrowLeft');
    expect(focused()).toContain('甲');
    press('ArrowLeft');
    expect(opened).toEqual(['甲 true', '甲 false']);
    press('End');
    expect(focused()).toContain('丙');
    press('Home');
    press('乙');
    expect(focused()).toContain('乙');
    expect(
      [...document.querySelectorAll('[role="treeitem"][tabindex="0"], button[tabindex="0"]')].map(
        (one) => one.getAttribute('data-id') ?? one.textContent,
      ),
    ).toEqual(['3', '编辑乙', '']);
    press('*');
    expect(opened.slice(2)).toEqual(['甲 true', '乙 true']);
  });

  test('Enter and a double click open a node; its buttons keep their own keys', async () => {
    const activate = vi.fn<(node: Node) => void>();
    await show(small, { activate });
    press('ArrowDown', 'Enter');
    fireEvent.doubleClick(at('丙'));
    fireEvent.keyDown(screen.getByRole('button', { name: '编辑乙' }), { key: 'Enter' });
    expect(activate.mock.calls.map(([node]) => node.name)).toEqual(['甲', '丙']);
  });

  test('5,000 nodes: only the lines in sight are drawn, and the far end is a key away', async () => {
    const many: Node = {
      id: 1,
      name: '根',
      children: Array.from({ length: 5_000 }, (_, index) => ({ id: index + 2, name: `节点${index}` })),
    };
    await show(many);
    expect(document.querySelectorAll('[role="treeitem"]').length).toBeLessThan(60);
    press('End');
    await waitFor(() => expect(focused()).toContain('节点4999'));
    expect(document.activeElement?.getAttribute('aria-posinset')).toBe('5000');
    expect(document.querySelectorAll('[role="treeitem"]').length).toBeLessThan(60);
  });
});

test('a line is brought into sight and focused once: not again because the tab is shown or the tree drawn anew, but for every new wish', async () => {
  const i18n = await startI18n('zh-CN');
  const page = (mode: 'visible' | 'hidden', reveal: { id: number }, key = 1) => (
    <I18nextProvider i18n={i18n}>
      <Suspense fallback="…">
        <Activity mode={mode}>
          <Page key={key} root={small} reveal={reveal} />
        </Activity>
        <button type="button">别处</button>
      </Suspense>
    </I18nextProvider>
  );
  const wish = { id: 7 };
  const { rerender } = render(page('visible', wish));
  await waitFor(() => expect(focused()).toContain('丙'));
  const elsewhere = screen.getByRole('button', { name: '别处' });
  act(() => elsewhere.focus());
  await act(async () => rerender(page('hidden', wish)));
  await act(async () => rerender(page('visible', wish)));
  expect(document.activeElement).toBe(elsewhere);
  await act(async () => rerender(page('visible', wish, 2)));
  expect(document.activeElement).toBe(elsewhere);
  await act(async () => rerender(page('visible', { id: 7 }, 2)));
  expect(focused()).toContain('丙');
});

describe('moving without dragging', () => {
  test('Space picks up, arrows choose among the allowed places, Enter puts down; everything is told', async () => {
    await show();
    press('ArrowDown', 'ArrowDown', ' ');
    told('已拿起“乙”');
    told('放进“丙”里面');
    press('ArrowDown');
    told('放到“丙”之后');
    press('ArrowDown', 'Home');
    told('放到“甲”之前');
    press('Enter');
    expect(drops).toMatchObject([
      { node: { name: '乙' }, target: { name: '甲' }, where: 'before', parent: { name: '根' } },
    ]);
    told('已放下“乙”');
    expect(focused()).toContain('乙');
  });

  test('a closed node opens on the way; cut and paste keys do the same', async () => {
    await show();
    press('End', '^x', 'Home', 'ArrowDown');
    told('放进“甲”里面');
    press('ArrowRight');
    expect(opened).toEqual(['甲 true']);
    told('放到“甲一”之前');
    press('ArrowDown', 'ArrowDown', '^v');
    expect(drops).toMatchObject([
      { node: { name: '丙' }, target: { name: '甲一' }, where: 'after', parent: { name: '甲' } },
    ]);
  });

  test('put inside a closed node: it opens, so that the node is seen', async () => {
    await show();
    press('End', ' ', 'Home', 'ArrowDown', 'Enter');
    expect(drops).toMatchObject([{ where: 'inside', target: { name: '甲' } }]);
    expect(opened).toEqual(['甲 true']);
  });

  test('Escape gives up; what may not be moved is not picked up; no other place is told', async () => {
    await show();
    press(' ');
    expect(screen.queryByRole('group', { name: /正在移动/ })).toBeNull();
    press('ArrowDown', ' ', 'Escape');
    told('已取消移动“甲”');
    cleanup();
    await show(small, { mayDrop: () => '哪里都不行' });
    press('ArrowDown', ' ');
    told('“甲”没有别的位置可放');
    expect(drops).toEqual([]);
  });

  test('with a finger: a tap on the grip, then the bar’s buttons, or a tap on the line', async () => {
    await show();
    fireEvent.click(screen.getByRole('button', { name: '移动“甲”' }));
    const bar = screen.getByRole('group', { name: '正在移动“甲”' });
    expect(bar.textContent).toContain('放进“乙”里面');
    fireEvent.click(screen.getByRole('button', { name: '下一个位置' }));
    expect(bar.textContent).toContain('放到“乙”之后');
    fireEvent.click(at('丙'));
    expect(bar.textContent).toContain('放进“丙”里面');
    fireEvent.click(screen.getByRole('button', { name: '放在这里' }));
    expect(drops).toMatchObject([{ node: { name: '甲' }, target: { name: '丙' }, where: 'inside' }]);
  });
});

import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { findInTree, getTreeLevel, levelSize, type TreeName } from '../../../../../contract/register/topology.ts';
import { call, callKey, useLive, useLiveState, useSoon } from '../../../api/index.ts';
import type { TreeSource } from '../../../parts/tree/index.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { itemOf, moreItem, numberOf, type Item, type Node } from './item.ts';

type Level = ReplyOf<typeof getTreeLevel>;
interface Range {
  readonly from: number;
  readonly to: number;
}
/** Without the live line. */
const REFRESH_MS = 60_000;
/** What is seen to change is asked anew soon; what only counts in the sums of lines above, later. */
const SOON_MS = 2000;
const LATER_MS = 15_000;
const first: Range = { from: 1, to: 1 };

const queryOf = (tree: TreeName, level: string, page: number) => {
  const input = { params: { tree }, query: { ...(level === '' ? {} : { under: level }), page, size: levelSize } };
  return {
    queryKey: callKey(getTreeLevel, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(getTreeLevel, input, { quiet: true, signal }),
  };
};

/** One of the trees as it is read: opened levels page by page; everything else waits. */
export function useTopologyTree(tree: TreeName) {
  const client = useQueryClient();
  // Which levels are open, and which pages of them are shown.
  const [opened, setOpened] = useState<ReadonlyMap<string, Range>>(new Map());
  const levels = useMemo(() => new Map([['', first], ...opened]), [opened]);
  const asked = useMemo(
    () =>
      [...levels].flatMap(([level, { from, to }]) =>
        Array.from({ length: to - from + 1 }, (_, index) => ({ level, page: from + index })),
      ),
    [levels],
  );
  const every = useLiveState().state === 'live' ? (false as const) : REFRESH_MS;
  const answers = useQueries({
    queries: asked.map(({ level, page }) => ({ ...queryOf(tree, level, page), refetchInterval: every })),
    combine: (list) => ({
      pages: list.map(({ data }) => data),
      failed: list.map(({ isError, data, isFetching }) => isError && data === undefined && !isFetching),
      isFetching: list.some(({ isFetching }) => isFetching),
      topError: list.find(({ error }, index) => error !== null && asked[index]?.level === '')?.error ?? null,
    }),
  });
  const linesOf = useMemo(
    () => readerOf(levels, asked, answers.pages, answers.failed),
    [levels, asked, answers.pages, answers.failed],
  );
  const top = useMemo(() => linesOf(''), [linesOf]);
  const source = useMemo<TreeSource<Item>>(
    () => ({
      roots: typeof top === 'string' ? [] : top,
      childrenOf: ({ node }) => (node ? linesOf(node.key) : []),
      mayHaveChildren: ({ node }) => node !== null && node.children > 0,
    }),
    [top, linesOf],
  );
  const change = (level: string, range: Range | null): void =>
    setOpened((before) => {
      const next = new Map(before);
      if (range === null) next.delete(level);
      else next.set(level, range);
      return next;
    });
  /** Every page of a level that failed; those that came stay as they are. */
  const retry = (level: string): void =>
    asked.forEach((one, index) => {
      if (one.level === level && answers.failed[index] === true)
        void client.refetchQueries({ queryKey: queryOf(tree, level, one.page).queryKey });
    });
  useTreeNews(
    useMemo(() => new Set(answers.pages.flatMap((page) => page?.data.map(({ key }) => key) ?? [])), [answers.pages]),
    () => void client.invalidateQueries({ queryKey: callKey(getTreeLevel) }),
  );
  const roots = source.roots.flatMap(({ node }) => node ?? []);
  return {
    source,
    roots,
    isFetching: answers.isFetching,
    open: useMemo(
      () => new Set([...levels.keys()].flatMap((level) => (level === '' ? [] : [numberOf(level)]))),
      [levels],
    ),
    isPending: top === 'loading',
    error: top === 'failed' ? answers.topError : null,
    setOpen: ({ node }: Item, open: boolean) => {
      if (node) change(node.key, open ? first : null);
    },
    more: ({ level, more }: Item) => {
      const range = levels.get(level) ?? first;
      if (more?.failed) retry(level);
      else if (more)
        change(level, more.step === 1 ? { ...range, to: range.to + 1 } : { ...range, from: range.from - 1 });
    },
    closeAll: () => setOpened(new Map()),
    refresh: (): Promise<void> => client.invalidateQueries({ queryKey: callKey(getTreeLevel) }),
    retry: ({ node }: Item) => {
      if (node) retry(node.key);
    },
    /**
     * Opens the way down to a node; resolves to its line when all of it is there, null: it has no place in this tree.
     */
    async reveal(key: string): Promise<number | null> {
      const {
        data: [place],
      } = await call(findInTree, { params: { tree }, query: { key } }, { quiet: true });
      if (!place) return null;
      const ways = place.path.map((step, index) => ({ level: place.path[index - 1]?.key ?? '', page: step.page }));
      await Promise.all(ways.map(({ level, page }) => client.fetchQuery(queryOf(tree, level, page))));
      setOpened((before) => {
        const next = new Map(before);
        for (const { level, page } of ways) {
          const range = next.get(level);
          if (!range || page < range.from || page > range.to) next.set(level, { from: page, to: page });
        }
        return next;
      });
      return numberOf(key);
    },
  };
}

/** Asks the tree anew when the live line tells of something in it. */
function useTreeNews(shown: ReadonlySet<string>, refresh: () => void): void {
  const soon = useSoon(refresh);
  useLive('devices', (message) => {
    if (message.type === 'stale' || message.type === 'register') soon(0);
    else if (message.type === 'devices')
      soon(message.devices.some(({ id }) => shown.has(`device:${id}`)) ? SOON_MS : LATER_MS);
  });
}

/**
 * The lines of what has been read: a level's pages in a row, the groups after the top, and lines that lead further. A
 * level fails when nothing of it came; else the line that leads to the missing pages does.
 */
function readerOf(
  levels: ReadonlyMap<string, Range>,
  asked: readonly { readonly level: string; readonly page: number }[],
  pages: readonly (Level | undefined)[],
  failed: readonly boolean[],
) {
  return (level: string): readonly Item[] | 'loading' | 'failed' => {
    const range = levels.get(level) ?? first;
    const own = asked.flatMap((one, index) =>
      one.level === level ? [{ at: one.page, page: pages[index], failed: failed[index] === true }] : [],
    );
    const told = own.flatMap(({ at, page }) => (page ? [{ at, ...page }] : []));
    const [any] = told;
    if (!any) return own.some((one) => one.failed) ? 'failed' : 'loading';
    const failedBefore = own.some((one) => one.failed && one.at < any.at);
    const failedAfter = own.some((one) => one.failed && one.at > any.at);
    const total = Math.max(...told.map(({ recordsTotal }) => recordsTotal));
    const before = ((failedBefore ? any.at : range.from) - 1) * levelSize;
    const after = total - (failedAfter ? any.at - 1 + told.length : range.to) * levelSize;
    const nodes: readonly Node[] = [
      ...new Map(told.flatMap(({ data }) => data).map((node) => [node.key, node])).values(),
    ];
    return [
      ...(before > 0 ? [moreItem(level, { step: -1, left: before, failed: failedBefore })] : []),
      ...nodes.map((node) => itemOf(node, level)),
      ...(after > 0 ? [moreItem(level, { step: 1, left: after, failed: failedAfter })] : []),
      ...any.groups.filter(({ children }) => children > 0).map((node) => itemOf(node, level)),
    ];
  };
}

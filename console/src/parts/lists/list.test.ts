import { expect, test, vi } from 'vitest';
import { everyRow, MOST_CHOSEN, runBatch } from './batch.ts';
import { readLook, shownOf } from './columns.ts';

test.each([
  [undefined, {}],
  [null, {}],
  ['x', {}],
  [{ columns: [] }, {}],
  [{ columns: ['a', 7, 'a'], density: 'huge' }, { columns: ['a'] }],
  [['a', 'b'], { columns: ['a', 'b'] }],
  [
    { columns: ['b'], density: 'compact' },
    { columns: ['b'], density: 'compact' },
  ],
  [{ widths: { a: 120.4, b: 5, c: 'wide', d: 9000 } }, { widths: { a: 120, b: 64, d: 800 } }],
  [{ widths: [] }, {}],
])('what was stored is read whatever it is: %j', (stored, look) => expect(readLook(stored)).toEqual(look));

const all = [{ key: 'name', always: true }, { key: 'area' }, { key: 'more', further: true }];
test.each([
  [undefined, ['name', 'area']],
  [
    ['more', 'name'],
    ['more', 'name'],
  ],
  [['area'], ['name', 'area']],
  [['gone'], ['name', 'area']],
])('columns chosen %j are shown as %j', (chosen, shown) =>
  expect(shownOf(all, chosen).map(({ key }) => key)).toEqual(shown),
);

const rows = (n: number): { id: number }[] => Array.from({ length: n }, (_, index) => ({ id: index + 1 }));

test('a row that fails stops no other; each outcome is told; few run at once', async () => {
  let running = 0;
  let most = 0;
  const told = new Map<number, unknown>();
  const left = await runBatch(
    rows(20),
    async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      if (id % 5 === 0) throw new Error(`no ${id}`);
    },
    (result) => told.set(result.row.id, result.error),
    new AbortController().signal,
  );
  expect(left).toEqual([]);
  expect(told.size).toBe(20);
  expect([...told].filter(([, error]) => error !== undefined).map(([id]) => id)).toEqual([5, 10, 15, 20]);
  expect(most).toBeLessThanOrEqual(4);
});

test('after a stop no further row is begun, and what is left is told', async () => {
  const stop = new AbortController();
  const run = vi.fn(({ id }: { id: number }) => {
    if (id === 3) stop.abort();
    return Promise.resolve();
  });
  const left = await runBatch(rows(50), run, () => undefined, stop.signal);
  expect(left.length + run.mock.calls.length).toBe(50);
  expect(run.mock.calls.length).toBeLessThan(12);
});

test('all that match are fetched page by page, up to the most that can be selected', async () => {
  const asked: number[] = [];
  expect(
    await everyRow((page) => {
      asked.push(page);
      return Promise.resolve(rows(page < 3 ? 1_000 : 12));
    }),
  ).toHaveLength(2_012);
  expect(asked).toEqual([1, 2, 3]);
  expect(await everyRow(() => Promise.resolve(rows(1_000)))).toHaveLength(MOST_CHOSEN);
});

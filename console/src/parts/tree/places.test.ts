import { describe, expect, test } from 'vitest';
import { findTyped, lastRowOf, rowsOf, type TreeRow, type TreeSource } from './model.ts';
import { dropOf, firstPlace, markOf, placeAt, placesFor, type MayDrop, type Place } from './places.ts';
import { arranged, renumbered } from './renumber.ts';

interface Node {
  id: number;
  parentId: number;
  orderby: number;
  name: string;
  children: Node[];
}
let nextId = 1;
const node = (name: string, ...children: Node[]): Node => {
  const one: Node = { id: nextId++, parentId: 0, orderby: 0, name, children };
  children.forEach((child, index) => {
    child.parentId = one.id;
    child.orderby = index + 1;
  });
  return one;
};
/** root ─ a(a1, a2(x)) ─ b ─ c(c1) */
function city() {
  nextId = 1;
  const root = node('root', node('a', node('a1'), node('a2', node('x'))), node('b'), node('c', node('c1')));
  const source: TreeSource<Node> = {
    roots: [root],
    childrenOf: (one) => one.children,
    mayHaveChildren: (one) => one.children.length > 0,
  };
  const all = (one: Node): Node[] => [one, ...one.children.flatMap(all)];
  const byName = new Map(all(root).map((one) => [one.name, one]));
  const open = (...names: string[]) => rowsOf(source, new Set(names.map((name) => byName.get(name)!.id)));
  return { source, byName, open };
}
const row = (rows: readonly TreeRow<Node>[], name: string) => rows.find((one) => one.node.name === name)!;
const said = (places: readonly Place<Node>[]) =>
  places.map(
    ({
      row: {
        node: { name },
      },
      where,
    }) => `${where} ${name}`,
  );
const free: MayDrop<Node> = ({ parent }) => (parent === undefined ? 'beside the root' : undefined);

describe('the lines', () => {
  test('every node whose ancestors are open, with level, place among siblings, and state', () => {
    const { open } = city();
    expect(
      open('root', 'a').map(({ node: { name }, level, position, size, state }) => [name, level, position, size, state]),
    ).toEqual([
      ['root', 1, 1, 1, 'open'],
      ['a', 2, 1, 3, 'open'],
      ['a1', 3, 1, 2, 'leaf'],
      ['a2', 3, 2, 2, 'closed'],
      ['b', 2, 2, 3, 'leaf'],
      ['c', 2, 3, 3, 'closed'],
    ]);
  });

  test('what is fetched or failed shows no children', () => {
    const { source } = city();
    const root = source.roots[0]!;
    for (const state of ['loading', 'failed'] as const)
      expect(rowsOf({ ...source, childrenOf: () => state }, new Set([root.id]))).toMatchObject([{ state }]);
  });

  test('letters find the next line that begins with them, the same letter again the one after', () => {
    const { open } = city();
    const rows = open('root', 'a', 'a2');
    const find = (from: string, typed: string) =>
      findTyped(rows, rows.indexOf(row(rows, from)), typed, ({ name }) => name)?.node.name;
    expect([
      find('root', 'a'),
      find('a', 'a'),
      find('a', 'a2'),
      find('a1', 'aa'),
      find('c', 'R'),
      find('b', 'zz'),
    ]).toEqual(['a', 'a1', 'a2', 'a2', 'root', undefined]);
  });
});

describe('the places of a move without dragging', () => {
  test('before a first child, inside what shows no children, after each node; none twice, none below itself, none that changes nothing', () => {
    const rows = city().open('root', 'a', 'a2');
    expect(said(placesFor(rows, row(rows, 'b'), free))).toEqual([
      'before a',
      'before a1',
      'inside a1',
      'after a1',
      'before x',
      'inside x',
      'after x',
      'after a2',
      'inside c',
      'after c',
    ]);
    expect(said(placesFor(rows, row(rows, 'a'), free))).toEqual(['inside b', 'after b', 'inside c', 'after c']);
  });

  test('only what the rule allows; the first place is the next one below', () => {
    const rows = city().open('root', 'a', 'c');
    const inA: MayDrop<Node> = ({ parent }) => (parent?.name === 'a' || parent?.name === 'c' ? undefined : 'no');
    const moved = row(rows, 'a1');
    const places = placesFor(rows, moved, inA);
    expect(said(places)).toEqual(['after a2', 'before c1', 'after c1']);
    expect(said([places[firstPlace(rows, moved, places)]!])).toEqual(['after a2']);
    expect(firstPlace(rows, row(rows, 'c1'), placesFor(rows, row(rows, 'c1'), inA))).toBe(2);
  });
});

describe('the place a pointer means', () => {
  const aimed = (
    moved: string,
    over: string,
    share: number,
    level = 9,
    mayDrop: MayDrop<Node> = free,
    open = ['root', 'a', 'a2'],
  ) => {
    const rows = city().open(...open);
    const place = placeAt(rows, row(rows, moved), row(rows, over), { share, level }, mayDrop);
    return place === null || typeof place === 'string' ? place : said([place])[0];
  };

  test('the outer quarters are before and after, the middle is inside', () => {
    expect([0.1, 0.5, 0.9].map((share) => aimed('x', 'b', share))).toEqual(['before b', 'inside b', 'after b']);
  });

  test('below an open node is before its first child; further left at a group’s end is after the group', () => {
    expect(aimed('b', 'a', 0.9)).toBe('before a1');
    expect([4, 3, 2, 1].map((level) => aimed('c', 'x', 0.9, level))).toEqual([
      'after x',
      'after a2',
      'after a',
      'after a',
    ]);
  });

  test('at an edge what is not allowed gives its room to what is; in the middle it is refused', () => {
    const onlyInside: MayDrop<Node> = ({ where }) => (where === 'inside' ? undefined : 'only inside');
    const onlyBeside: MayDrop<Node> = ({ where }) => (where === 'inside' ? 'never inside' : undefined);
    expect([0.1, 0.9].map((share) => aimed('x', 'b', share, 9, onlyInside))).toEqual(['inside b', 'inside b']);
    expect([0.2, 0.4, 0.6, 0.8].map((share) => aimed('x', 'b', share, 9, onlyBeside))).toEqual([
      'before b',
      'never inside',
      'never inside',
      'after b',
    ]);
    expect(aimed('x', 'b', 0.5, 9, () => 'nowhere')).toBe('nowhere');
  });

  test('over itself, its own descendants, or where it stands nothing would change', () => {
    expect([
      aimed('a', 'a', 0.5),
      aimed('a', 'x', 0.5),
      aimed('b', 'c', 0.1),
      aimed('c', 'b', 0.9),
      aimed('c', 'root', 0.5),
    ]).toEqual([null, null, null, null, null]);
  });

  test('the line is drawn below everything that lies in the node it follows, at that node’s level', () => {
    const rows = city().open('root', 'a', 'a2');
    const a = row(rows, 'a');
    expect(lastRowOf(rows, a).node.name).toBe('x');
    expect(markOf(rows, { row: a, where: 'after' })).toEqual({ id: row(rows, 'x').node.id, edge: 'after', level: 2 });
  });
});

describe('after a drop', () => {
  const dropped = (movedName: string, targetName: string, where: Place<Node>['where']) => {
    const { open, byName } = city();
    const rows = open('root', 'a', 'a2', 'c');
    const moved = row(rows, movedName);
    const drop = dropOf(moved, { row: row(rows, targetName), where });
    const parent = drop.parent!;
    const name = (id: number) => [...byName.values()].find((one) => one.id === id)?.name;
    return renumbered(parent.id, arranged(parent.children, drop), moved.node).map(({ id, parentId, orderby }) => [
      name(id),
      name(parentId),
      orderby,
    ]);
  };

  test.each<[string, string, string, Place<Node>['where'], unknown]>([
    [
      'siblings are numbered from 1 in order, only what changed is told',
      'c',
      'a',
      'before',
      [
        ['c', 'root', 1],
        ['a', 'root', 2],
        ['b', 'root', 3],
      ],
    ],
    [
      'a move among siblings leaves those beyond alone',
      'b',
      'a',
      'before',
      [
        ['b', 'root', 1],
        ['a', 'root', 2],
      ],
    ],
    ['into another parent: behind the last, the others keep their numbers', 'b', 'a', 'inside', [['b', 'a', 3]]],
    [
      'into the middle: those after it move on',
      'c1',
      'a2',
      'before',
      [
        ['c1', 'a', 2],
        ['a2', 'a', 3],
      ],
    ],
    ['into an empty parent: order 0', 'c1', 'b', 'inside', [['c1', 'b', 0]]],
    [
      'inside its own parent: behind the last',
      'a1',
      'a',
      'inside',
      [
        ['a2', 'a', 1],
        ['a1', 'a', 2],
      ],
    ],
  ])('%s', (_name, moved, target, where, expected) => {
    expect(dropped(moved, target, where)).toEqual(expected);
  });

  test('numbers that were never in order are put in order', () => {
    const nodes = [
      { id: 1, parentId: 5, orderby: 0 },
      { id: 2, parentId: 5, orderby: 7 },
      { id: 3, parentId: 5, orderby: 7 },
    ];
    expect(renumbered(5, [nodes[0]!, nodes[2]!, nodes[1]!], nodes[2]!)).toEqual([
      { id: 1, parentId: 5, orderby: 1 },
      { id: 3, parentId: 5, orderby: 2 },
      { id: 2, parentId: 5, orderby: 3 },
    ]);
  });
});

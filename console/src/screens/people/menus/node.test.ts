import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  emptyValues,
  problemsOf,
  root,
  ruleAgainst,
  typesBelow,
  valuesOf,
  type MenuType,
  type Node,
  type NodeValues,
} from './node.ts';

let nextId = 1;
const node = (values: Partial<Node>): Node => ({
  ...root,
  id: nextId++,
  parentId: 0,
  type: 'menu2',
  title: '标题',
  name: 'name',
  icon: 'cube',
  url: '/a',
  component: 'a/b',
  version: 3,
  orderby: 2,
  hasChildren: false,
  ...values,
});
const filled: NodeValues = { ...emptyValues, type: 'menu2', title: '标题', name: 'name', url: 'a/b', component: 'a/b' };

describe('the rules of a node (specified 5.4)', () => {
  test('everything that is missing is told at once, by the fields the type has', () => {
    const rules = (type: MenuType | null) =>
      Object.fromEntries(
        Object.entries(problemsOf({ ...emptyValues, type }, 5)).map(([field, problem]) => [field, problem.rule]),
      );
    const always = { title: 'rule.title.required', name: 'rule.name.required' };
    const page = { ...always, url: 'rule.url.required', component: 'rule.component.required' };
    expect(rules(null)).toEqual({ ...always, type: 'rule.type.required' });
    expect([rules('menu1'), rules('menu2'), rules('non-menu')]).toEqual([page, page, page]);
    expect(rules('menu2-sp')).toEqual(always);
    expect(rules('button')).toEqual({ ...always, permissionCode: 'rule.code.required' });
  });

  test.each<[keyof NodeValues, string, number, string]>([
    ['name', '路由', 5, 'rule.name.chinese'],
    ['name', 'user，add', 5, 'rule.name.chinese'],
    ['url', '/路灯', 5, 'rule.url.chinese'],
    ['component', 'lamp/监控', 5, 'rule.component.chinese'],
    ['url', 'lamp', 0, 'rule.url.slash'],
    ['title', 'x'.repeat(101), 5, 'rule.long'],
    ['name', ' ', 5, 'rule.name.required'],
  ])('%s “%s” below %i: %s', (field, text, parentId, rule) => {
    expect(problemsOf({ ...filled, [field]: text }, parentId)).toMatchObject({ [field]: { rule } });
  });

  test('a first-level path begins with a slash, others need not', () => {
    expect(problemsOf({ ...filled, url: 'lamp' }, 5)).toEqual({});
    expect(problemsOf({ ...filled, type: 'menu1', url: '/lamp' }, 0)).toEqual({});
  });

  test('is sent as the specification has it: id null for a new one, only what the type has', () => {
    expect(
      bodyOf(
        {
          ...filled,
          type: 'button',
          permissionCode: 'lamp.control',
          titles: { ...emptyValues.titles, 'fr-FR': ' Commander ' },
        },
        7,
        null,
      ),
    ).toEqual({
      id: null,
      parentId: 7,
      type: 'button',
      title: '标题',
      name: 'name',
      icon: null,
      url: null,
      component: null,
      permissionCode: 'lamp.control',
      language: null,
      titles: { 'fr-FR': 'Commander' },
    });
    const stored = node({ titles: { 'en-US': 'T' } });
    expect(bodyOf(valuesOf(stored), 0, stored)).toMatchObject({
      id: stored.id,
      version: 3,
      orderby: 2,
      url: '/a',
      component: 'a/b',
      titles: { 'en-US': 'T' },
    });
  });
});

describe('the rules of a drag (specified 5.5)', () => {
  const lamp = node({ type: 'menu1' });
  const asset = node({ type: 'menu1' });
  const monitor = node({ parentId: lamp.id });
  const group = node({ parentId: asset.id, type: 'menu2-sp' });
  const third = node({ parentId: group.id });
  const button = node({ parentId: monitor.id, type: 'button' });
  const drop = (moved: Node, target: Node, where: 'before' | 'inside' | 'after', parent: Node | undefined) =>
    ruleAgainst({ node: moved, target, where, parent });

  test.each<[string, Parameters<typeof drop>, ReturnType<typeof drop>]>([
    ['beside the root', [monitor, root, 'after', undefined], 'rule.drop.root'],
    ['a first-level node inside another', [lamp, asset, 'inside', asset], 'rule.drop.firstLevel'],
    ['a first-level node beside a node of another', [lamp, group, 'before', asset], 'rule.drop.firstLevel'],
    ['another node to the top level', [monitor, asset, 'before', root], 'rule.drop.topLevel'],
    ['another node inside the root', [monitor, root, 'inside', root], 'rule.drop.topLevel'],
    ['first-level nodes among themselves', [asset, lamp, 'before', root], undefined],
    ['a first-level node inside the root: to its end', [lamp, root, 'inside', root], undefined],
    ['into another section', [monitor, asset, 'inside', asset], undefined],
    ['a third level up', [third, asset, 'inside', asset], undefined],
    ['into a group', [monitor, group, 'inside', group], undefined],
    ['a page into a page', [third, monitor, 'inside', monitor], 'rule.drop.type'],
    ['a button into a group', [button, group, 'inside', group], 'rule.drop.type'],
    ['a button into another page', [button, third, 'inside', third], undefined],
  ])('%s', (_name, args, rule) => {
    expect(drop(...args)).toBe(rule);
  });

  test('what may be added below what', () => {
    expect([typesBelow(root), typesBelow(button)]).toEqual([['menu1', 'non-menu'], []]);
  });
});

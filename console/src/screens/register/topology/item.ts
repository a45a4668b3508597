import type { Static } from 'typebox';
import { hangings } from '../../../../../catalogue/topology.ts';
import { groupNames, type TreeName, type TreeNode } from '../../../../../contract/register/topology.ts';

export type Node = Static<typeof TreeNode>;
/** The way to further nodes of a long level; `failed`: they were asked for and did not come. */
interface More {
  readonly step: -1 | 1;
  readonly left: number;
  readonly failed: boolean;
}
/** A line of the tree: a node, or the way to further ones. */
export interface Item {
  readonly id: number;
  readonly node: Node | null;
  /** The level it stands in: the key of what it stands under, '' at the top. */ readonly level: string;
  readonly more?: More;
}

const kinds = ['device', 'loop', 'road'] as const;
/** Lines are known by numbers: one out of a node's key. */
export function numberOf(key: string): number {
  const [kind = '', rest = ''] = key.split(':');
  if (kind === 'group') return groupNames.findIndex((name) => name === rest) * 4 + 3;
  return Number(rest) * 4 + kinds.findIndex((name) => name === kind);
}
export const itemOf = (node: Node, level: string): Item => ({ id: numberOf(node.key), node, level });
/** The line that leads to the pages of a level before or after those that are shown. */
export const moreItem = (level: string, more: More): Item => ({
  id: -((level === '' ? 0 : numberOf(level) + 1) * 2 + (more.step === 1 ? 1 : 0)) - 1,
  node: null,
  level,
  more,
});

/** What a node is, in the words of the trees' rules: its family, or `loop`. */
export const kindOf = (node: Node): string => node.family ?? node.kind;
export const mayMove = (tree: TreeName, node: Node): boolean =>
  node.kind !== 'group' && hangings(tree, kindOf(node)).length > 0;
/** Whether a node may stand below another one, a group meaning nowhere. */
export function mayStand(tree: TreeName, node: Node, to: Node): boolean {
  if (node.key === to.key) return false;
  const ways = hangings(tree, kindOf(node));
  return to.kind === 'group'
    ? ways.length > 0 && ways.every(({ required }) => !required)
    : ways.some((way) => way.to === kindOf(to));
}
/** The kinds that can carry all of these. */
export const carriersOf = (tree: TreeName, nodes: readonly Node[]): string[] =>
  nodes
    .map((node) => hangings(tree, kindOf(node)).map(({ to }) => to))
    .reduce<string[] | null>((all, own) => (all === null ? own : all.filter((kind) => own.includes(kind))), null) ?? [];
export const mayStandAlone = (tree: TreeName, nodes: readonly Node[]): boolean =>
  nodes.every((node) => hangings(tree, kindOf(node)).every(({ required }) => !required));

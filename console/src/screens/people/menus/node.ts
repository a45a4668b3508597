import type { Static } from 'typebox';
import { languages, type Language } from '../../../../../catalogue/languages.ts';
import {
  chineseSigns,
  menuLimits,
  menuPageTypes,
  type menuTypes,
  menuTypesBelow,
  type MenuNode,
  type saveMenuNode,
} from '../../../../../contract/specified/menu-configuration.ts';
import type { BodyOf } from '../../../../../contract/route.ts';
import type { Drop } from '../../../parts/tree/index.ts';

export type Node = Static<typeof MenuNode>;
export type MenuType = (typeof menuTypes)[number];
export type OtherLanguage = Exclude<Language, 'zh-CN'>;
export const otherLanguages = languages.filter((language): language is OtherLanguage => language !== 'zh-CN');

/** The root of the tree: not stored, not draggable, only added to (specified 5.1). */
export const root: Node = {
  id: 0,
  parentId: -1,
  type: 'menu1',
  title: '',
  name: '',
  icon: 'menu',
  url: null,
  component: null,
  permissionCode: null,
  orderby: 0,
  language: null,
  titles: {},
  version: 0,
  hasChildren: true,
};
export const isRoot = ({ id }: Pick<Node, 'id'>): boolean => id === root.id;

/** Types that may stand below a node. */
export const typesBelow = (parent: Node): readonly MenuType[] => menuTypesBelow[isRoot(parent) ? 'root' : parent.type];
export const isPageType = (type: string | null): boolean => menuPageTypes.has(type ?? '');

/** The title in a language, without the i18n key: the site's own word for it, or else the Chinese one. */
export const titleIn = ({ title, titles }: Pick<Node, 'title' | 'titles'>, language: string): string =>
  (Object.hasOwn(titles, language) ? titles[language] : undefined) || title;

export type DropRule = 'rule.drop.root' | 'rule.drop.firstLevel' | 'rule.drop.topLevel' | 'rule.drop.type';

/** Which rule speaks against a drop (specified 5.5; the server refuses the same); undefined: none. */
export function ruleAgainst({ node, target, where, parent }: Drop<Node>): DropRule | undefined {
  if (parent === undefined || (isRoot(target) && where !== 'inside')) return 'rule.drop.root';
  if (parent.id !== node.parentId) {
    if (isRoot(parent)) return 'rule.drop.topLevel';
    if (node.parentId === root.id && parent.parentId === root.id) return 'rule.drop.firstLevel';
  }
  return typesBelow(parent).includes(node.type) ? undefined : 'rule.drop.type';
}

/** What the dialog holds. */
export interface NodeValues {
  type: MenuType | null;
  title: string;
  titles: Readonly<Record<OtherLanguage, string>>;
  icon: string;
  name: string;
  url: string;
  component: string;
  permissionCode: string | null;
  language: string;
}
export type NodeField = keyof NodeValues;
export const nodeFields = [
  'type',
  'title',
  'titles',
  'icon',
  'name',
  'url',
  'component',
  'permissionCode',
  'language',
] as const satisfies readonly NodeField[];

const noTitles = { 'zh-TW': '', 'en-US': '', 'fr-FR': '', 'ja-JP': '', 'ko-KR': '' } as const satisfies Record<
  OtherLanguage,
  string
>;
export const emptyValues: NodeValues = {
  type: null,
  title: '',
  titles: noTitles,
  icon: 'folder',
  name: '',
  url: '',
  component: '',
  permissionCode: null,
  language: '',
};

export const valuesOf = (node: Node): NodeValues => ({
  type: node.type,
  title: node.title,
  titles: {
    ...noTitles,
    ...Object.fromEntries(otherLanguages.map((language) => [language, node.titles[language] ?? ''])),
  },
  icon: node.icon ?? '',
  name: node.name,
  url: node.url ?? '',
  component: node.component ?? '',
  permissionCode: node.permissionCode,
  language: node.language ?? '',
});

/**
 * Which fields a type has (specified 5.3): a group has neither address nor screen nor code, a button has its code
 * alone.
 */
export function hasField(type: MenuType | null, field: NodeField): boolean {
  if (field === 'url' || field === 'component') return isPageType(type);
  if (field === 'permissionCode') return type === 'button' || isPageType(type);
  return field !== 'icon' || type !== 'button';
}

/** Fields that differ, of those that either type has. */
export const differing = (one: NodeValues, other: NodeValues): NodeField[] =>
  nodeFields.filter(
    (field) =>
      (hasField(one.type, field) || hasField(other.type, field)) &&
      JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  );

export type NodeRule =
  | 'rule.type.required'
  | 'rule.title.required'
  | 'rule.name.required'
  | 'rule.name.chinese'
  | 'rule.url.required'
  | 'rule.url.chinese'
  | 'rule.url.slash'
  | 'rule.component.required'
  | 'rule.component.chinese'
  | 'rule.code.required'
  | 'rule.long';
export interface NodeProblem {
  rule: NodeRule;
  limit?: number;
}

const tooLong = (text: string, limit: number): NodeProblem | undefined =>
  [...text.trim()].length > limit ? { rule: 'rule.long', limit } : undefined;

function textProblem(text: string, field: 'name' | 'url' | 'component'): NodeProblem | undefined {
  if (text.trim() === '') return { rule: `rule.${field}.required` };
  return chineseSigns.test(text) ? { rule: `rule.${field}.chinese` } : tooLong(text, menuLimits[field]);
}

/**
 * Everything wrong with what was typed (specified 5.4), every field at once; `titles` is the first of them that is too
 * long.
 */
export function problemsOf(values: NodeValues, parentId: number): Partial<Record<NodeField, NodeProblem>> {
  const { type } = values;
  const mustSlash = parentId === root.id || type === 'menu1';
  const all: Record<NodeField, NodeProblem | undefined> = {
    type: type === null ? { rule: 'rule.type.required' } : undefined,
    title: values.title.trim() === '' ? { rule: 'rule.title.required' } : tooLong(values.title, menuLimits.title),
    titles: otherLanguages
      .map((language) => tooLong(values.titles[language], menuLimits.title))
      .find((problem) => problem !== undefined),
    icon: tooLong(values.icon, menuLimits.icon),
    name: textProblem(values.name, 'name'),
    url:
      textProblem(values.url, 'url') ??
      (mustSlash && !values.url.trim().startsWith('/') ? { rule: 'rule.url.slash' } : undefined),
    component: textProblem(values.component, 'component'),
    permissionCode: type === 'button' && values.permissionCode === null ? { rule: 'rule.code.required' } : undefined,
    language: tooLong(values.language, menuLimits.language),
  };
  return Object.fromEntries(
    nodeFields.flatMap((field) => {
      const problem = all[field];
      return problem && hasField(type, field) ? [[field, problem]] : [];
    }),
  );
}

/** The node as the specification sends it: the same call for a new one (id null) and a changed one. */
export function bodyOf(values: NodeValues, parentId: number, stored: Node | null): BodyOf<typeof saveMenuNode> {
  const given = (field: 'url' | 'component' | 'permissionCode' | 'icon'): string | null =>
    hasField(values.type, field) ? values[field]?.trim() || null : null;
  return {
    id: stored?.id ?? null,
    parentId,
    type: values.type,
    title: values.title.trim(),
    name: values.name.trim(),
    icon: given('icon'),
    url: given('url'),
    component: given('component'),
    permissionCode: given('permissionCode'),
    language: values.language.trim() || null,
    titles: Object.fromEntries(
      otherLanguages.flatMap((language) =>
        values.titles[language].trim() === '' ? [] : [[language, values.titles[language].trim()]],
      ),
    ),
    ...(stored ? { version: stored.version, orderby: stored.orderby } : {}),
  };
}

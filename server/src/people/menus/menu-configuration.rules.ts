import { languages } from '../../../../catalogue/languages.ts';
import { permissions } from '../../../../contract/permissions.ts';
import {
  chineseSigns,
  menuLimits,
  menuPageTypes,
  menuTypes,
  menuTypesBelow,
} from '../../../../contract/specified/menu-configuration.ts';
import { refuse, refuseFields, type Refusal, type RefusalDetails } from '../../platform/http/index.ts';
import { hasCycle } from '../../platform/tree.ts';
import type { MenuFields } from './menu-configuration.store.ts';
import { titleIn, type MenuEntry, type MenuTree } from './menu-tree.ts';
import { menuTexts, type MenuTexts } from './texts.ts';

export type Problem = NonNullable<RefusalDetails['fields']>[number];

/** An entry as requested: `type` and texts are still unchecked. */
export type MenuDraft = Omit<MenuFields, 'type' | 'title' | 'name'> & {
  readonly type: string | null;
  readonly title: string | null;
  readonly name: string | null;
};

/** Pages that are always there: an entry of such a name would never be shown (specified 2.5). */
const staticNames: ReadonlySet<string> = new Set(['home', 'login', 'update-password', 'self-edit']);
const codes: ReadonlySet<string> = new Set(permissions);
const types: readonly string[] = menuTypes;

type TextKey = { [K in keyof MenuTexts]: MenuTexts[K] extends string ? K : never }[keyof MenuTexts];
const worded = (field: string, rule: string, text: TextKey): Problem => ({
  field,
  rule,
  say: (language) => menuTexts(language)[text],
});

/** Everything wrong with an entry in itself (specified 5.4), every field at once. */
export function draftProblems(draft: MenuDraft): Problem[] {
  const isPage = menuPageTypes.has(draft.type ?? '');
  return [
    ...(types.includes(draft.type ?? '')
      ? []
      : [worded('type', draft.type === null ? 'required' : 'enum', 'typeRequired')]),
    ...textProblems(draft.title, 'title', 'titleRequired'),
    ...textProblems(draft.name, 'name', 'nameRequired', 'nameChinese'),
    ...(isPage ? textProblems(draft.url, 'url', 'urlRequired', 'urlChinese') : []),
    ...(isPage && draft.url !== null && (draft.parentId === 0 || draft.type === 'menu1') && !draft.url.startsWith('/')
      ? [worded('url', 'pattern', 'urlSlash')]
      : []),
    ...(isPage ? textProblems(draft.component, 'component', 'componentRequired', 'componentChinese') : []),
    ...(['icon', 'language'] as const).flatMap((field) => tooLong(draft[field], field)),
    ...codeProblems(draft),
    ...Object.entries(draft.titles).flatMap(([language, title]) => [
      ...((languages as readonly string[]).includes(language)
        ? []
        : [{ field: `titles.${language}`, rule: 'enum' } as const]),
      ...tooLong(title, 'title', `titles.${language}`),
    ]),
  ];
}

function textProblems(
  text: string | null,
  field: 'title' | 'name' | 'url' | 'component',
  required: TextKey,
  withoutChinese?: TextKey,
): Problem[] {
  if (text === null) return [worded(field, 'required', required)];
  return [
    ...(withoutChinese && chineseSigns.test(text) ? [worded(field, 'pattern', withoutChinese)] : []),
    ...tooLong(text, field),
  ];
}

const tooLong = (text: string | null, limit: keyof typeof menuLimits, field: string = limit): Problem[] =>
  [...(text ?? '')].length > menuLimits[limit]
    ? [{ field, rule: 'maxLength', values: { limit: menuLimits[limit] } }]
    : [];

function codeProblems({ type, permissionCode }: MenuDraft): Problem[] {
  if (permissionCode === null) return type === 'button' ? [worded('permissionCode', 'required', 'codeRequired')] : [];
  return codes.has(permissionCode) ? [] : [worded('permissionCode', 'enum', 'codeUnknown')];
}

/**
 * Route names are found by their name alone, built-in screens among them: two of one name would be one page (specified
 * 5.8).
 */
export function nameProblems(draft: MenuDraft, tree: MenuTree, current: MenuEntry | undefined): Problem[] {
  if (draft.type === 'button' || draft.name === null || (current?.name === draft.name && current.type !== 'button'))
    return [];
  const taken =
    staticNames.has(draft.name) ||
    [...tree.entries.values()].some(
      ({ id, type, name }) => id !== current?.id && type !== 'button' && name === draft.name,
    );
  return taken ? [{ field: 'name', rule: 'taken' }] : [];
}

/** The refusal of a draft; an unknown permission code alone has a name of its own in the error catalogue. */
export function draftRefusal(problems: readonly Problem[], draft: MenuDraft): Refusal {
  const [only] = problems;
  const unknown = problems.length === 1 && only?.field === 'permissionCode' && only.rule === 'enum';
  return unknown
    ? refuse('unknownPermission', { code: draft.permissionCode ?? '' }, { fields: problems })
    : refuseFields(...problems);
}

type Placed = Pick<MenuEntry, 'type' | 'title' | 'titles'>;

/** Refuses an entry whose type does not fit below its parent (undefined: the root). */
export function refuseMisplaced(entry: Placed, parent: Placed | undefined): void {
  if (menuTypesBelow[parent?.type ?? 'root'].includes(entry.type)) return;
  throw refuse(
    'menuTypeMisplaced',
    {
      title: (language) => titleIn(entry, language),
      type: (language) => menuTexts(language).types[entry.type],
      parent: (language) => (parent ? titleIn(parent, language) : menuTexts(language).root),
    },
    { fields: [{ field: 'type', rule: 'invalid' }] },
  );
}

/** The parent an entry is put below (undefined: the root); refused when there is none of that id. */
export function parentIn(tree: MenuTree, parentId: number): MenuEntry | undefined {
  const parent = tree.entries.get(parentId);
  if (parentId !== 0 && !parent)
    throw refuse('menuParentMissing', {}, { fields: [{ field: 'parentId', rule: 'notFound' }] });
  return parent;
}

/**
 * Refuses what a drag may not do (specified 5.5): a first-level entry into another one, any other entry to the first
 * level.
 */
export function refuseBadDrop(entry: MenuEntry, parentId: number, tree: MenuTree): void {
  if (parentId === entry.parentId) return;
  const intoFirstLevel = parentId !== 0 && (tree.entries.get(parentId)?.parentId ?? 0) === 0;
  if (parentId === 0 || (entry.parentId === 0 && intoFirstLevel)) throw refuse('menuBadDrop');
}

/** Refuses a tree in which one of these entries stands below itself; `parentOf` tells the parents as they would be. */
export function refuseCycle(ids: readonly number[], parentOf: (id: number) => number): void {
  if (hasCycle(ids, parentOf)) throw refuse('menuCycle');
}

/** The way back: a page of the menu configuration with its code. Without one nobody could ever mend the menu. */
const opensConfiguration = ({ name, permissionCode, type }: MenuFields): boolean =>
  name === 'async-routes-config' && permissionCode === 'cscp.sr' && menuPageTypes.has(type);

/** Refuses a change after which no entry opens the menu configuration any more. */
export function refuseLockingOut(before: readonly MenuFields[], after: readonly MenuFields[]): void {
  if (before.some(opensConfiguration) && !after.some(opensConfiguration)) throw refuse('menuConfigurationStays');
}

import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { getMenuNodes, moveMenuNodes, saveMenuNode } from '../../../../contract/specified/menu-configuration.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseFields,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { lockRights } from './lock.ts';
import * as rules from './menu-configuration.rules.ts';
import * as store from './menu-configuration.store.ts';
import { menuTree, type MenuEntry, type MenuTree } from './menu-tree.ts';
import { menuTexts } from './texts.ts';

export interface MenuConfigurationParts {
  readonly db: Db;
  readonly bus: Bus;
}
export type MenuConfiguration = ReturnType<typeof createMenuConfiguration>;
type Change = RequestContext['change'];
type Tree = MenuTree<store.StoredEntry>;
type NodeBody = BodyOf<typeof saveMenuNode>;

/** The first role holds every entry, always (specified 4.9). */
const firstRoleId = 1;
const standardIcon = 'folder';

/** The menu tree that administrators keep (specified 5.1). Every change reaches open consoles. */
export function createMenuConfiguration({ db, bus }: MenuConfigurationParts) {
  /** One change of the tree at a time; open consoles hear of it after the commit. */
  async function changed<T>(
    caller: Caller,
    change: Change,
    action: string,
    work: (tx: Transaction, tree: Tree) => Promise<T>,
  ): Promise<T> {
    refuseOthers(caller);
    const done = await change({ action }, async (tx) => {
      await lockRights(tx);
      return work(tx, menuTree(await store.findEntries(tx)));
    });
    bus.publish('rights.changed', {});
    return done;
  }

  return {
    async list(caller: Caller, parentId: number): Promise<ReplyOf<typeof getMenuNodes>> {
      refuseOthers(caller);
      if (parentId !== 0 && !(await store.entryExists(db, parentId))) throw refuse('notFound');
      const rows = await store.findChildren(db, parentId);
      return {
        data: rows.map(({ sortOrder, titles, ...row }) => ({ ...row, titles: { ...titles }, orderby: sortOrder })),
        recordsTotal: rows.length,
      };
    },

    async save(caller: Caller, change: Change, body: NodeBody, language: Language) {
      const texts = menuTexts(language);
      const given = body.id ?? null;
      const id = await changed(caller, change, given === null ? 'menu.create' : 'menu.update', (tx, tree) =>
        given === null ? addEntry(tx, tree, body) : changeEntry(tx, tree, given, body, caller.sessionId),
      );
      return { success: true as const, msg: given === null ? texts.added : texts.updated, id };
    },

    /**
     * What the rules say of a form, for whom its shape is refused: everything at once. Of a node that is there only
     * what the form says.
     */
    async problems(caller: Caller, body: Sound<NodeBody>): Promise<readonly rules.Problem[]> {
      if (caller.level !== 0) return [];
      const tree = menuTree(await store.findEntries(db));
      const current = body.id == null ? undefined : tree.entries.get(body.id);
      const draft = draftOf(body, current);
      const found = [
        ...rules.draftProblems(draft),
        ...rules.nameProblems(draft, tree, current),
        ...(await problemsOf(() => void rules.parentIn(tree, draft.parentId))),
      ];
      return body.id == null ? found : found.filter(({ field }) => body[field as keyof NodeBody] != null);
    },

    /** The same of a drag. */
    async dropProblems(caller: Caller, nodes: Sound<BodyOf<typeof moveMenuNodes>>): Promise<readonly RuleProblem[]> {
      if (caller.level !== 0) return [];
      const tree = menuTree(await store.findEntries(db));
      return problemsOf(
        () => refuseTwice(nodes),
        ...nodes.flatMap((node) => {
          const entry = node.id === undefined ? undefined : tree.entries.get(node.id);
          return entry ? dropChecks(tree, [placeOf(entry, node)]) : [];
        }),
      );
    },

    async move(caller: Caller, change: Change, nodes: BodyOf<typeof moveMenuNodes>, language: Language) {
      await changed(caller, change, 'menu.move', (tx, tree) => moveEntries(tx, tree, nodes, caller.sessionId));
      return { success: true as const, msg: menuTexts(language).updated };
    },

    async remove(caller: Caller, change: Change, id: number, language: Language) {
      await changed(caller, change, 'menu.delete', async (tx, tree) => {
        if (!tree.entries.has(id)) throw refuse('notFound');
        const gone = new Set([id, ...tree.descendantsOf(id).map((entry) => entry.id)]);
        const all = [...tree.entries.values()];
        rules.refuseLockingOut(
          all,
          all.filter((entry) => !gone.has(entry.id)),
        );
        await store.deleteEntry(tx, id);
      });
      return { success: true as const, msg: menuTexts(language).deleted };
    },
  };
}

function refuseOthers(caller: Caller): void {
  if (caller.level !== 0) throw refuse('onlyAdministrators');
}

const clean = (text: string | null | undefined): string | null => text?.trim().normalize('NFC') || null;

/** What the body wants the entry to be: absent fields stay as they are, null and blank ones are emptied. */
function draftOf(body: Sound<NodeBody>, current: MenuEntry | undefined): rules.MenuDraft {
  const text = (given: string | null | undefined, stored: string | null | undefined) =>
    given === undefined ? (stored ?? null) : clean(given);
  const type = text(body.type, current?.type);
  // A group is no route and a button no page: neither has an address (specified 5.3).
  const hasAddress = type !== 'menu2-sp' && type !== 'button';
  const titles =
    body.titles === undefined
      ? (current?.titles ?? {})
      : Object.fromEntries(
          Object.entries(body.titles ?? {}).flatMap(([language, title]) => {
            const words = clean(title);
            return words === null || language === 'zh-CN' ? [] : [[language, words]];
          }),
        );
  return {
    type,
    titles,
    title: text(body.title, current?.title),
    name: text(body.name, current?.name),
    parentId: body.parentId === undefined ? (current?.parentId ?? 0) : (body.parentId ?? 0),
    icon: text(body.icon, current?.icon) ?? (type === 'button' ? null : standardIcon),
    url: hasAddress ? text(body.url, current?.url) : null,
    component: hasAddress ? text(body.component, current?.component) : null,
    permissionCode: text(body.permissionCode, current?.permissionCode),
    language: text(body.language, current?.language),
    sortOrder: body.orderby ?? current?.sortOrder ?? 0,
  };
}

/** The draft as an entry, or the refusal of everything wrong with it. */
function checked(draft: rules.MenuDraft, tree: MenuTree, current: MenuEntry | undefined): store.MenuFields {
  const problems = [...rules.draftProblems(draft), ...rules.nameProblems(draft, tree, current)];
  if (problems.length > 0) throw rules.draftRefusal(problems, draft);
  return draft as store.MenuFields;
}

async function addEntry(tx: Transaction, tree: MenuTree, body: NodeBody): Promise<number> {
  const draft = checked(draftOf(body, undefined), tree, undefined);
  const parent = rules.parentIn(tree, draft.parentId);
  rules.refuseMisplaced(draft, parent);
  const last = tree.childrenOf(draft.parentId).at(-1);
  const sortOrder = body.orderby ? body.orderby : last ? last.sortOrder + 1 : 0;
  const id = await store.insertEntry(tx, { ...draft, sortOrder });
  // A page's "view" button has the code of the page: it is granted with the page, otherwise a role with the page alone
  // would lose it at its next save.
  const isView = draft.type === 'button' && parent !== undefined && draft.permissionCode === parent.permissionCode;
  await store.grantEntry(tx, id, firstRoleId, isView ? parent.id : undefined);
  return id;
}

async function changeEntry(
  tx: Transaction,
  tree: Tree,
  id: number,
  body: NodeBody,
  sessionId: number,
): Promise<number> {
  const current = tree.entries.get(id);
  if (!current) throw unknownEntry(body);
  const draft = checked(draftOf(body, current), tree, current);
  const others = [...tree.entries.values()].filter((entry) => entry.id !== id);
  rules.refuseLockingOut([...others, current], [...others, draft]);
  if (draft.type !== current.type || draft.parentId !== current.parentId) refuseIllegal(tree, current, draft);
  if (body.version != null && isOutdated(current, body.version, sessionId)) throw refuse('changedMeanwhile');
  await store.updateEntry(tx, id, draft, sessionId);
  return id;
}

/**
 * Whether another session changed the entry since this version. Clients of the family send back every field they
 * received once, the version among them, though they edited or dragged the node since: their own changes are no
 * conflict.
 */
const isOutdated = (current: store.StoredEntry, version: number, sessionId: number): boolean =>
  version > current.version ||
  version < (current.changedSession === sessionId ? (current.changedSince ?? current.version) : current.version);

/** What is wrong in itself (400) comes before what does not exist (404). */
function unknownEntry(body: NodeBody) {
  const draft = draftOf(body, undefined);
  const problems = rules.draftProblems(draft).filter(({ field }) => body[field as keyof NodeBody] != null);
  return problems.length > 0 ? rules.draftRefusal(problems, draft) : refuse('notFound');
}

/** A new type or a new place: everything around it must still fit. */
function refuseIllegal(tree: MenuTree, current: MenuEntry, draft: store.MenuFields): void {
  const parent = rules.parentIn(tree, draft.parentId);
  rules.refuseCycle([current.id], (id) => (id === current.id ? draft.parentId : (tree.entries.get(id)?.parentId ?? 0)));
  rules.refuseBadDrop(current, draft.parentId, tree);
  rules.refuseMisplaced(draft, parent);
  if (draft.type !== current.type) tree.childrenOf(current.id).forEach((child) => rules.refuseMisplaced(child, draft));
}

type DroppedNode = Sound<BodyOf<typeof moveMenuNodes>>[number];
interface Place {
  readonly id: number;
  readonly entry: store.StoredEntry;
  readonly parentId: number;
  readonly sortOrder: number;
}
const placeOf = (entry: store.StoredEntry, { parentId, orderby }: DroppedNode): Place => ({
  id: entry.id,
  entry,
  parentId: parentId === undefined ? entry.parentId : (parentId ?? 0),
  sortOrder: orderby ?? entry.sortOrder,
});

function refuseTwice(nodes: readonly DroppedNode[]): void {
  const twice = nodes.findIndex(
    ({ id }, index) => id !== undefined && nodes.findIndex((node) => node.id === id) !== index,
  );
  if (twice >= 0) throw refuseFields({ field: `${twice}.id`, rule: 'uniqueItems' });
}

/** What a drag must not do, in the order in which it is refused. */
function dropChecks(tree: Tree, places: readonly Place[]): (() => void)[] {
  const moved = places.filter(({ entry, parentId }) => parentId !== entry.parentId);
  const parents = new Map(moved.map(({ id, parentId }) => [id, parentId]));
  return [
    ...moved.map(
      ({ parentId }) =>
        () =>
          void rules.parentIn(tree, parentId),
    ),
    () => rules.refuseCycle([...parents.keys()], (id) => parents.get(id) ?? tree.entries.get(id)?.parentId ?? 0),
    ...moved.flatMap(({ entry, parentId }) => [
      () => rules.refuseBadDrop(entry, parentId, tree),
      () => rules.refuseMisplaced(entry, tree.entries.get(parentId)),
    ]),
  ];
}

async function moveEntries(
  tx: Transaction,
  tree: Tree,
  nodes: BodyOf<typeof moveMenuNodes>,
  sessionId: number,
): Promise<void> {
  refuseTwice(nodes);
  const places = nodes.map((node) => {
    const entry = tree.entries.get(node.id);
    if (!entry) throw refuse('notFound');
    return placeOf(entry, node);
  });
  for (const check of dropChecks(tree, places)) check();
  const changed = places.filter(
    ({ entry, parentId, sortOrder }) => parentId !== entry.parentId || sortOrder !== entry.sortOrder,
  );
  if (changed.length > 0) await store.placeEntries(tx, changed, sessionId);
}

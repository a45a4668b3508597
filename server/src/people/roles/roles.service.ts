import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf, QueryOf } from '../../../../contract/route.ts';
import type {
  createRole,
  getRoleMenus,
  listRoles,
  saveRoleMenus,
  updateRole,
} from '../../../../contract/specified/roles.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller, type RequestContext, type Sound } from '../../platform/http/index.ts';
import { nameKey } from '../accounts/index.ts';
import { findEntries, lockRights } from '../menus/index.ts';
import { checkboxTree, powersOf } from './role-menus.ts';
import * as rules from './roles.rules.ts';
import { detailOf, newRoleOf, roleOf, type Problem, type RoleInput } from './roles.specified.ts';
import * as store from './roles.store.ts';
import { roleTexts, savedText } from './texts.ts';

export interface RolesParts {
  readonly db: Db;
  readonly bus: Bus;
}
export type Roles = ReturnType<typeof createRoles>;
type Change = RequestContext['change'];

const mostRows = 1000;

/** Roles, their hierarchy and what they hold (specified 4.1 to 4.10). Every change is in force on the next request. */
export function createRoles({ db, bus }: RolesParts) {
  /** One change of rights at a time; open consoles hear of it after the commit. */
  async function changed<T>(
    caller: Caller,
    change: Change,
    action: string,
    work: (tx: Transaction, rights: rules.Rights) => Promise<T>,
  ): Promise<T> {
    const done = await change({ action }, async (tx) => {
      await lockRights(tx);
      return work(tx, await readRights(tx, caller));
    });
    bus.publish('rights.changed', {});
    return done;
  }

  const formProblems = async (caller: Caller, input: RoleInput): Promise<Problem[]> => [
    ...input.problems,
    ...referenceProblems(await readRights(db, caller), input),
  ];

  async function page(query: QueryOf<typeof listRoles>) {
    const size = query.size ?? mostRows;
    const { rows, total } = await store.findPage(db, {
      nameKey: nameKey(query.name ?? ''),
      order: orderOf(query.sort),
      limit: size,
      offset: Math.max(0, (query.page ?? 1) - 1) * size,
    });
    return { rows, recordsTotal: total, recordsFiltered: total };
  }

  return {
    async list(caller: Caller, query: QueryOf<typeof listRoles>) {
      const { rows, ...counts } = await page(query);
      const [all, held] = await Promise.all([store.findRoles(db), store.findHeldRoles(db, caller.accountId)]);
      const roles = new Map(all.map((role) => [role.id, role]));
      return { data: rows.map((role) => detailOf(role, rules.isManageable(caller, roles, held, role))), ...counts };
    },

    async options(query: QueryOf<typeof listRoles>) {
      const { rows, ...counts } = await page(query);
      return { data: rows.map(({ id, name, icon }) => ({ id, name, icon })), ...counts };
    },

    async get(caller: Caller, id: number) {
      const [all, held] = await Promise.all([store.findRoles(db), store.findHeldRoles(db, caller.accountId)]);
      const roles = new Map(all.map((role) => [role.id, role]));
      const role = found(roles, id);
      return detailOf(role, rules.isManageable(caller, roles, held, role));
    },

    async countUsers(id: number): Promise<number> {
      found(new Map((await store.findRoles(db)).map((role) => [role.id, role])), id);
      return store.countUsers(db, id);
    },

    /** What the rules say of a form, for whom its shape is refused: everything at once. */
    problems: {
      ofNew: (caller: Caller, body: Sound<BodyOf<typeof createRole>>) => formProblems(caller, newRoleOf(body)),
      ofChange: (caller: Caller, body: Sound<BodyOf<typeof updateRole>>) => formProblems(caller, roleOf(body)),
      ofCopy: (name: string | undefined) => roleOf(name === undefined ? {} : { name }).problems,
      ofMenus: async (parentId: number | null | undefined): Promise<Problem[]> =>
        parentId && !(await store.findRoles(db)).some(({ id }) => id === parentId)
          ? [{ field: 'parentId', rule: 'notFound' }]
          : [],
    },

    async create(caller: Caller, change: Change, body: BodyOf<typeof createRole>, language: Language) {
      const input = newRoleOf(body);
      const id = await orTaken(200, () =>
        changed(caller, change, 'role.create', (tx, rights) => addRole(tx, caller, rights, input)),
      );
      return { code: 0, msg: roleTexts(language).created, id };
    },

    async copy(caller: Caller, change: Change, id: number, name: string) {
      return orTaken(400, () =>
        changed(caller, change, 'role.copy', async (tx, rights) => {
          refuseProblems(roleOf({ name }).problems);
          const source = found(rights.roles, id);
          const menus = [...(await store.findMenusOf(tx, id))];
          const parentId = caller.level === 0 || rights.heldRoles.includes(source.parentId) ? source.parentId : 0;
          const input = newRoleOf({ name, roleExtent: source.extent, icon: source.icon, parentId, menus });
          return { id: await addRole(tx, caller, rights, input), name: input.name ?? '' };
        }),
      );
    },

    async update(caller: Caller, change: Change, body: BodyOf<typeof updateRole>, language: Language) {
      const narrowed = await orTaken(200, () =>
        changed(caller, change, 'role.update', (tx, rights) =>
          changeRole(tx, caller, rights, { ...roleOf(body), id: body.id, version: body.version }),
        ),
      );
      return { code: 0, msg: savedText(language, narrowed), id: body.id };
    },

    /** Replaces what a role holds; absent `menus` stay, empty ones take everything. */
    async saveMenus(caller: Caller, change: Change, body: BodyOf<typeof saveRoleMenus>, language: Language) {
      const narrowed = await changed(caller, change, 'role.menus', (tx, rights) =>
        changeRole(tx, caller, rights, {
          ...roleOf(body.menus === undefined ? {} : { menus: body.menus }),
          id: body.roles,
          version: undefined,
        }),
      );
      return { success: true as const, msg: savedText(language, narrowed) };
    },

    async remove(caller: Caller, change: Change, id: number, language: Language) {
      if (id === rules.firstRoleId) throw refuse('builtInRole');
      await changed(caller, change, 'role.delete', async (tx, rights) => {
        const role = found(rights.roles, id);
        rules.refuseForeignRole(caller, rights, role);
        await store.lockRole(tx, id);
        const total = await store.countUsers(tx, id);
        if (total > 0) throw refuse('roleInUse', { total });
        await store.deleteRole(tx, role);
      });
      return { success: true as const, msg: roleTexts(language).deleted };
    },

    async menus(caller: Caller, body: BodyOf<typeof getRoleMenus>, language: Language) {
      const rights = await readRights(db, caller);
      const role = body.roles ? found(rights.roles, body.roles) : undefined;
      const parentId = body.parentId ?? role?.parentId ?? 0;
      if (parentId !== 0 && !rights.roles.has(parentId)) throw refuseFields({ field: 'parentId', rule: 'notFound' });
      const [granted, bound] = await Promise.all([
        role ? store.findMenusOf(db, role.id) : new Set<number>(),
        boundOf(db, parentId),
      ]);
      const grantable =
        bound === null ? rights.heldMenus : new Set([...rights.heldMenus].filter((menu) => bound.has(menu)));
      return { items: checkboxTree(rights.tree, { granted, grantable, language }) };
    },

    summaries: async () => ({ data: await store.summarise(db) }),

    async powers(caller: Caller, id: number, language: Language) {
      const rights = await readRights(db, caller);
      const role = found(rights.roles, id);
      const [granted, users] = await Promise.all([store.findMenusOf(db, id), store.countUsers(db, id)]);
      const named = (other: store.Role) => ({ id: other.id, name: other.name });
      const parent = rights.roles.get(role.parentId);
      return {
        ...named(role),
        powers: powersOf(rights.tree, granted, language),
        users,
        parent: parent ? named(parent) : null,
        children: [...rights.roles.values()].filter(({ parentId }) => parentId === id).map(named),
      };
    },
  };
}

/** Everything a decision about roles needs, a few hundred rows. */
async function readRights(db: Db | Transaction, caller: Caller): Promise<rules.Rights> {
  const [roles, entries, heldRoles] = [
    await store.findRoles(db),
    await findEntries(db),
    await store.findHeldRoles(db, caller.accountId),
  ];
  return rules.rightsOf({ roles, entries, menusOfHeld: await store.findMenusOfAll(db, heldRoles) });
}

/** What a parent role lets the roles below it hold; null: there is no bound. */
const boundOf = (db: Db | Transaction, parentId: number): Promise<ReadonlySet<number> | null> =>
  parentId === 0 ? Promise.resolve(null) : store.findMenusOf(db, parentId);

function found(roles: ReadonlyMap<number, store.Role>, id: number): store.Role {
  const role = roles.get(id);
  if (!role) throw refuse('notFound');
  return role;
}

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw refuseFields(...problems);
}

/** Ids in a body that do not exist: an error of the body (400), reported with all others. */
function referenceProblems(rights: rules.Rights, { parentId, menus }: RoleInput): Problem[] {
  return [
    ...(parentId && !rights.roles.has(parentId) ? [{ field: 'parentId', rule: 'notFound' } as const] : []),
    ...(menus?.some((id) => !rights.tree.entries.has(id)) ? [{ field: 'menus', rule: 'notFound' } as const] : []),
  ];
}

const fieldsOf = (name: string, icon: string, extent: string, parentId: number): store.RoleFields => ({
  name,
  nameKey: nameKey(name),
  icon,
  extent,
  parentId,
});

async function addRole(tx: Transaction, caller: Caller, rights: rules.Rights, input: RoleInput): Promise<number> {
  refuseProblems([...input.problems, ...referenceProblems(rights, input)]);
  const wanted = new Set(input.menus);
  // Problems with the parent are reported after those with the caller's own rights.
  const granted = rules.settledMenus(caller, rights, { current: new Set(), wanted, bound: null });
  const parentId = rules.parentOfNew(caller, rights, input.parentId ?? 0, granted);
  const settled = rules.settledMenus(caller, rights, {
    current: new Set(),
    wanted,
    bound: await boundOf(tx, parentId),
  });
  const id = await store.insertRole(
    tx,
    fieldsOf(input.name ?? '', input.icon ?? '', input.extent ?? '', parentId),
    caller,
  );
  await store.replaceMenus(tx, id, [...settled]);
  return id;
}

type RoleChange = RoleInput & { readonly id: number; readonly version: number | null | undefined };

/** Changes a role and what it holds; returns how many roles below lost something with it. */
async function changeRole(tx: Transaction, caller: Caller, rights: rules.Rights, input: RoleChange): Promise<number> {
  refuseProblems([...input.problems, ...referenceProblems(rights, input)]);
  const role = found(rights.roles, input.id);
  rules.refuseForeignRole(caller, rights, role);
  const parentId = input.parentId ?? role.parentId;
  rules.refuseBadParent(caller, rights, role, parentId);
  const settled = await menusAfter(tx, caller, rights, role, parentId, input.menus);
  if (input.version != null && input.version !== role.version) throw refuse('changedMeanwhile');
  await store.updateRole(
    tx,
    role.id,
    fieldsOf(input.name ?? role.name, input.icon ?? role.icon, input.extent ?? role.extent, parentId),
  );
  if (settled) await store.replaceMenus(tx, role.id, [...settled]);
  const lost = settled ? await store.narrowRoles(tx, rules.rolesBelow(rights.roles, role.id), [...settled]) : [];
  await store.markChanged(tx, [role.id, ...lost]);
  return lost.length;
}

/** What the role holds after the change; undefined when that stays as it is. */
async function menusAfter(
  tx: Transaction,
  caller: Caller,
  rights: rules.Rights,
  role: store.Role,
  parentId: number,
  menus: readonly number[] | undefined,
): Promise<Set<number> | undefined> {
  if (menus === undefined && parentId === role.parentId) return undefined;
  const current = await store.findMenusOf(tx, role.id);
  const settled = rules.settledMenus(caller, rights, {
    current,
    wanted: menus ? new Set(menus) : current,
    bound: await boundOf(tx, parentId),
  });
  if (role.id === rules.firstRoleId && settled.size < rights.tree.entries.size) throw refuse('firstRoleKeepsAll');
  return settled;
}

/** A taken name: the specified calls answer it with 200 and code 39, ours with 400. */
async function orTaken<T>(status: number, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === '23505')
      throw refuse(
        'taken',
        { what: (language) => roleTexts(language).nameTaken },
        { status, fields: [{ field: 'name', rule: 'taken' }] },
      );
    throw thrown;
  }
}

function orderOf(sort: string | undefined) {
  const order = store.orderOf(sort ?? 'id');
  if (!order) throw refuseFields({ field: 'sort', rule: 'enum' });
  return order;
}

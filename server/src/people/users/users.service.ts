import type { Language } from '../../../../catalogue/languages.ts';
import type { BodyOf, QueryOf } from '../../../../contract/route.ts';
import type {
  createUser,
  createUserDetails,
  listUsers,
  updateUser,
  updateUserDetails,
} from '../../../../contract/specified/users.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import {
  refuse,
  refuseFields,
  refuseWithout,
  type Caller,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { maskTelephones } from '../../platform/telephones.ts';
import {
  hashPassword,
  isManageable,
  passwordRuleText,
  passwordWeaknesses,
  type Accounts,
  type SignInAccount,
} from '../accounts/index.ts';
import { randomPassword } from '../installation/index.ts';
import { lockRights } from '../menus/index.ts';
import { deletePrivateViews } from '../saved-views/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { endSignInLinks, liftLocks, type CheckOwnPassword, type OpenPassword } from '../sign-in/index.ts';
import { checkOperatorPassword } from './operator-password.ts';
import { levelNames, userTexts } from './texts.ts';
import { orTaken, refuseBeyond, refuseLast, refuseProblems } from './users.refusals.ts';
import * as rules from './users.rules.ts';
import { detailOf, needed, rowOf, userOf, type Problem, type UserInput } from './users.specified.ts';
import * as store from './users.store.ts';

export interface UsersParts {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly openPassword: OpenPassword;
  readonly checkOwnPassword: CheckOwnPassword;
  readonly clock: Clock;
  readonly bus: Bus;
}
type Change = RequestContext['change'];
type Form = Awaited<ReturnType<typeof userOf>>;

const idleMs = 30 * 60_000;
const standardSize = 50;
const lowestLevel = 5;

/** Accounts as administrators manage them. */
export function createUsers(parts: UsersParts) {
  const { db, clock, bus, accounts, sessions } = parts;

  /**
   * Runs a change of one account, one at a time with changes of roles; what it ends is announced after the commit, and
   * open consoles hear of changed rights.
   */
  async function changed<T>(
    change: Change,
    action: string,
    work: (tx: Transaction, after: (announce: () => void) => void) => Promise<T>,
  ): Promise<T> {
    const { done, announcements } = await change({ action }, async (tx) => {
      const ended: (() => void)[] = [];
      await lockRights(tx);
      return { done: await work(tx, (announce) => ended.push(announce)), announcements: ended };
    });
    bus.publish('rights.changed', {});
    announcements.forEach((announce) => announce());
    return done;
  }

  /** The account, locked, if the caller's rank lets him change it. */
  async function managed(tx: Transaction, caller: Caller, id: number): Promise<store.LockedAccount> {
    const account = await store.lockAccount(tx, id);
    if (!account) throw refuse('notFound');
    rules.refuseRank(caller, account.level);
    return account;
  }

  /**
   * The same for what lets the caller act as that account (its password, its locks): an account that is no
   * administrator needs every code and work area of it.
   */
  async function held(tx: Transaction, caller: Caller, id: number): Promise<store.LockedAccount> {
    const account = await managed(tx, caller, id);
    rules.refuseBeyond(caller, await sessions.rightsOf(tx, id));
    return account;
  }

  async function create(caller: Caller, change: Change, action: string, form: Form) {
    refuseProblems(await newProblems(form));
    const { input } = form;
    const { username = '', level = lowestLevel, roleIds = [] } = input;
    rules.refuseLevel(caller, level);
    const password = randomPassword();
    const hash = await hashPassword(password);
    const id = await orTaken(() =>
      changed(change, action, async (tx) => {
        await refuseBeyond(tx, caller, roleIds);
        const made = await store.insertAccount(
          tx,
          { ...input, username, level },
          { hash, until: accounts.initialPasswordEnd() },
        );
        await store.replaceRoles(tx, made, roleIds);
        return made;
      }),
    );
    return { id, password };
  }

  /** Everything that is wrong with a form of a new account, and of one that is changed. */
  const newProblems = async ({ input, problems }: Form): Promise<Problem[]> => {
    const taken =
      input.username !== undefined && (await store.nameExists(db, input.username))
        ? [{ field: 'username', rule: 'taken' } as const]
        : [];
    return [...problems, ...taken, ...(await roleProblems(input.roleIds))];
  };
  const changeProblems = async ({ input, problems }: Form): Promise<Problem[]> => [
    ...problems,
    ...(await roleProblems(input.roleIds)),
  ];

  /**
   * Whose detail a form of the full screen changes, and what it says; the roles and the level of the own profile stay.
   */
  async function readDetail(
    caller: Caller,
    dto: NonNullable<Sound<BodyOf<typeof updateUserDetails>>['cscpUserDetailDTO']>,
  ) {
    const id = dto.id ?? dto.userId ?? caller.accountId;
    const isOwn = id === caller.accountId;
    const { roles, treeLevel, mobile, ...others } = dto;
    const stored = await store.findContact(db, id);
    // A caller that sees the masked number sends it back masked.
    const rest =
      mobile === undefined || (stored?.mobile != null && mobile?.trim() === maskTelephones(stored.mobile))
        ? others
        : { ...others, mobile };
    return { id, isOwn, stored, form: await userOf(isOwn ? rest : { ...rest, roles, treeLevel }, needed.change) };
  }

  const roleProblems = async (ids: readonly number[] | undefined): Promise<Problem[]> =>
    ids !== undefined && ids.length > 0 && (await store.countRoles(db, ids)) < ids.length
      ? [{ field: 'roles', rule: 'notFound' }]
      : [];

  /** Stores what a form changed of an account: level and roles by the rules, the rest as it is. */
  async function apply(
    tx: Transaction,
    caller: Caller,
    account: store.LockedAccount,
    input: UserInput,
    version: number | null | undefined,
  ): Promise<void> {
    const { level, roleIds } = input;
    if (level !== undefined && level !== account.level) {
      if (level > account.level) rules.refuseOwn(caller, account.id);
      rules.refuseLevel(caller, level);
      if (account.level === 0) await refuseLast(tx, account);
    }
    if (roleIds) {
      const held = await store.findRoleIds(tx, account.id);
      if (held.some((id) => !roleIds.includes(id))) await refuseLast(tx, account, roleIds);
      await refuseBeyond(
        tx,
        caller,
        roleIds.filter((id) => !held.includes(id)),
      );
    }
    if (version != null && version !== account.version) throw refuse('changedMeanwhile');
    await store.updateAccount(tx, account.id, input);
    if (roleIds) await store.replaceRoles(tx, account.id, roleIds);
  }

  /** Clients of the family encrypt an empty field too: what is empty when it is opened was not given. */
  const isGiven = (encrypted: string | null | undefined): boolean =>
    Boolean(encrypted?.trim()) && parts.openPassword(encrypted ?? '') !== '';

  /** The new password that an edit brings, by the rule; the own one needs the operator's password too. */
  async function newPasswordOf(
    id: number,
    encrypted: string | null | undefined,
  ): Promise<{ password?: string; problems: Problem[] }> {
    if (!encrypted || !isGiven(encrypted)) return { problems: [] };
    const account = await accounts.findById(id);
    const password = parts.openPassword(encrypted);
    if (account === undefined) return { problems: [] };
    if (password !== undefined && (await passwordWeaknesses(password, account.username)).length === 0)
      return { password, problems: [] };
    return { problems: [{ field: 'newPassword', rule: 'weakPassword', say: passwordRuleText }] };
  }

  async function storePassword(
    tx: Transaction,
    caller: Caller,
    account: SignInAccount,
    hash: string,
    after: (announce: () => void) => void,
  ): Promise<void> {
    await accounts.storePassword(tx, account, hash);
    await endSignInLinks(tx, account.id);
    after(await sessions.endAll(tx, account.id, account.id === caller.accountId ? caller.sessionId : undefined));
  }

  return {
    async list(caller: Caller, query: QueryOf<typeof listUsers>) {
      const filter = {
        username: query.username?.trim() || undefined,
        nickname: query.nickname?.trim() || undefined,
        level: query.treeLevel,
      };
      const order = store.orderOf(query.sort ?? 'user_id');
      if (!order) throw refuseFields({ field: 'sort', rule: 'enum' });
      const limit = query.size ?? standardSize;
      const now = clock.now();
      const [rows, { count, exact }] = await Promise.all([
        store.findPage(db, filter, {
          order,
          limit,
          offset: (Math.max(1, query.page ?? 1) - 1) * limit,
          now,
          idleSince: new Date(now.getTime() - idleMs),
        }),
        store.countAccounts(db, filter),
      ]);
      return {
        code: 0 as const,
        msg: '',
        data: rows.map((row) => rowOf(row, isManageable(caller, row.level))),
        recordsTotal: count,
        ...(exact ? {} : { recordsTotalExact: false }),
      };
    },

    levels: (language: Language) => ({ code: 0 as const, msg: '', data: levelNames(language) }),

    async exists(username: string, language: Language) {
      const taken = await store.nameExists(db, username);
      return { success: taken, msg: taken ? userTexts(language).nameTaken : userTexts(language).nameFree };
    },

    details: async (caller: Caller, id: number) => detailOf(caller, await accounts.detail(id)),

    /** What the rules say of a form, for whom its shape is refused: everything at once. */
    problems: {
      ofDialog: async (body: Sound<BodyOf<typeof createUser>>) => newProblems(await userOf(body, needed.dialog)),
      ofNewDetails: async (body: Sound<BodyOf<typeof createUserDetails>>) =>
        newProblems(await userOf(body, needed.newDetails)),
      ofChange: async ({ nickname, roles, treeLevel }: Sound<BodyOf<typeof updateUser>>) =>
        changeProblems(await userOf({ nickname, roles, treeLevel }, needed.change)),
      async ofDetails(
        caller: Caller,
        { cscpUserDetailDTO: dto, newPassword }: Sound<BodyOf<typeof updateUserDetails>>,
      ): Promise<Problem[]> {
        if (!dto) return [];
        const { id, isOwn, form } = await readDetail(caller, dto);
        return isOwn || caller.permissions.has('cscp.user.edit')
          ? [...(await changeProblems(form)), ...(await newPasswordOf(id, newPassword)).problems]
          : [];
      },
    },

    async createFromDialog(caller: Caller, change: Change, body: BodyOf<typeof createUser>) {
      return {
        code: 0 as const,
        msg: '',
        data: await create(caller, change, 'account.create', await userOf(body, needed.dialog)),
      };
    },

    async createFromDetails(caller: Caller, change: Change, body: BodyOf<typeof createUserDetails>) {
      const { id, password } = await create(caller, change, 'account.create', await userOf(body, needed.newDetails));
      return { ...detailOf(caller, await accounts.detail(id)), password };
    },

    /** The dialog's change: nickname, roles and level, nothing else. */
    async updateFromDialog(
      caller: Caller,
      change: Change,
      { id, version, nickname, roles, treeLevel }: BodyOf<typeof updateUser>,
    ) {
      const form = await userOf({ nickname, roles, treeLevel }, needed.change);
      refuseProblems(await changeProblems(form));
      const { input } = form;
      await orTaken(() =>
        changed(change, 'account.update', async (tx) =>
          apply(tx, caller, await managed(tx, caller, id), input, version),
        ),
      );
      return { code: 0 as const, msg: '' };
    },

    /** The full screen's change, and the own profile, whose roles, level and account name stay. */
    async updateDetails(
      caller: Caller,
      { change, address }: Pick<RequestContext, 'change' | 'address'>,
      body: BodyOf<typeof updateUserDetails>,
    ) {
      const { version } = body.cscpUserDetailDTO;
      const { id, isOwn, stored, form } = await readDetail(caller, body.cscpUserDetailDTO);
      if (!isOwn && !caller.permissions.has('cscp.user.edit')) throw refuseWithout('cscp.user.edit');
      const { input } = form;
      const { password, problems: weak } = await newPasswordOf(id, body.newPassword);
      const account = await accounts.findById(id);
      refuseProblems([...(await changeProblems(form)), ...weak]);
      if (!account) throw refuse('notFound');
      if (!isOwn) rules.refuseRank(caller, account.level);
      if (!isOwn || password !== undefined || isGiven(body.currentUserPwd))
        await checkOperatorPassword(parts.checkOwnPassword, caller, body.currentUserPwd, address);
      if (password !== undefined && (await accounts.isRepeated(account, password)))
        throw refuse('repeatedPassword', {}, { fields: [{ field: 'newPassword', rule: 'invalid' }] });
      const hash = password === undefined ? undefined : await hashPassword(password);
      await orTaken(() =>
        changed(change, isOwn ? 'account.profile' : 'account.update', async (tx, after) => {
          const locked = await store.lockAccount(tx, id);
          if (!locked) throw refuse('notFound');
          if (!isOwn) rules.refuseRank(caller, locked.level);
          // Before the edit, which may take rights from it. A new address is where a lost password may be sent one day.
          if (!isOwn && (hash !== undefined || (input.email !== undefined && input.email !== stored?.email)))
            rules.refuseBeyond(caller, await sessions.rightsOf(tx, id));
          await apply(tx, caller, locked, input, version);
          if (hash !== undefined) await storePassword(tx, caller, account, hash, after);
        }),
      );
      return detailOf(caller, await accounts.detail(id));
    },

    async remove(caller: Caller, change: Change, id: number) {
      if (id === rules.firstAccountId) throw refuse('builtInAccount');
      rules.refuseOwn(caller, id);
      await changed(change, 'account.delete', async (tx, after) => {
        const account = await managed(tx, caller, id);
        await refuseLast(tx, account);
        after(await sessions.endAll(tx, id));
        await liftLocks(tx, account.nameKey);
        await deletePrivateViews(tx, id);
        await store.deleteAccount(tx, id);
      });
      return { code: 0 as const, msg: '' };
    },

    /**
     * A new random password, which the answer carries once; sessions of the account end. No account resets itself: its
     * own password is changed, which requires the old one.
     */
    async reset(caller: Caller, change: Change, id: number) {
      if (id === caller.accountId) throw refuse('ownReset');
      const password = randomPassword();
      const hash = await hashPassword(password);
      await changed(change, 'account.reset', async (tx, after) => {
        const account = await held(tx, caller, id);
        await sessions.requireConfirmed(tx, caller.sessionId);
        await accounts.giveInitialPassword(tx, id, hash);
        await liftLocks(tx, account.nameKey);
        await endSignInLinks(tx, id);
        after(await sessions.endAll(tx, id));
      });
      return { code: 0 as const, msg: '', data: { id, password } };
    },

    async unlock(caller: Caller, change: Change, id: number): Promise<void> {
      await changed(change, 'account.unlock', async (tx) => liftLocks(tx, (await held(tx, caller, id)).nameKey));
    },

    async setDisabled(
      caller: Caller,
      change: Change,
      id: number,
      { disabled, version }: { disabled: boolean; version?: number },
    ) {
      if (disabled) rules.refuseOwn(caller, id);
      return changed(change, disabled ? 'account.disable' : 'account.enable', async (tx, after) => {
        const account = await managed(tx, caller, id);
        if (version !== undefined && version !== account.version) throw refuse('changedMeanwhile');
        if (disabled) {
          await refuseLast(tx, account);
          await endSignInLinks(tx, id);
          after(await sessions.endAll(tx, id));
        }
        return { id, disabled, version: await store.setDisabled(tx, id, disabled) };
      });
    },
  };
}

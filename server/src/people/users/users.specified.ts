import type { Static } from 'typebox';
import {
  emailPattern,
  longestAvatar,
  mobilePattern,
  userLimits,
  type RoleIds,
  type UserDetail,
  type UserRow,
} from '../../../../contract/specified/users.ts';
import type { Caller, RefusalDetails } from '../../platform/http/index.ts';
import { redrawPicture } from '../../platform/pictures.ts';
import { telephoneFor, type AccountDetail } from '../accounts/index.ts';
import type { ListedAccount } from './users.store.ts';

export type Problem = NonNullable<RefusalDetails['fields']>[number];

/** What a form says of an account, by our names: absent fields are undefined, emptied ones null. */
export interface UserInput {
  readonly username?: string;
  readonly nickname?: string | null;
  readonly familyName?: string | null;
  readonly givenName?: string | null;
  readonly mobile?: string | null;
  readonly email?: string | null;
  readonly avatar?: string | null;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly roleIds?: readonly number[];
  readonly level?: number;
}

type Text = string | null | undefined;
interface UserBody {
  readonly username?: Text;
  readonly nickname?: Text;
  readonly familyName?: Text;
  readonly name?: Text;
  readonly mobile?: Text;
  readonly email?: Text;
  readonly imgPath?: Text;
  readonly discTitle?: Text;
  readonly discDetail?: Text;
  readonly roles?: Static<typeof RoleIds> | undefined;
  readonly treeLevel?: number | null | undefined;
}
type Field = keyof UserBody;

/**
 * The fields without which there is no account: of the dialog, of the full screen when it creates and when it changes.
 */
export const needed = {
  dialog: ['username', 'roles', 'treeLevel'],
  newDetails: ['username', 'familyName', 'name', 'mobile', 'email', 'roles'],
  change: [],
} as const satisfies Record<string, readonly Field[]>;

const clean = (text: Text): Text => (typeof text === 'string' ? text.trim().normalize('NFC') || null : text);
const longestSide = 512;

/**
 * Reads a form with everything that is wrong in it at once. A field that is sent may not be emptied where it is needed.
 */
export async function userOf(
  body: UserBody,
  required: readonly Field[],
): Promise<{ input: UserInput; problems: Problem[] }> {
  const problems: Problem[] = [];
  const text = (field: (Field & keyof typeof userLimits) | 'mobile' | 'email', mayBeEmpty = false): Text => {
    const value = clean(body[field]);
    if (value === undefined && !required.includes(field)) return undefined;
    if (value == null) {
      if (!mayBeEmpty) problems.push({ field, rule: 'required' });
      return mayBeEmpty ? value : undefined;
    }
    problems.push(...textProblems(field, value));
    return value;
  };
  const input = {
    username: text('username') ?? undefined,
    nickname: text('nickname', true),
    familyName: text('familyName'),
    givenName: text('name'),
    mobile: text('mobile'),
    email: text('email'),
    title: text('discTitle', true),
    description: text('discDetail', true),
    avatar: await avatarOf(body.imgPath, problems),
    roleIds: rolesOf(body.roles, required.includes('roles'), problems),
    level: levelOf(body.treeLevel, required.includes('treeLevel'), problems),
  };
  return {
    input: Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as UserInput,
    problems,
  };
}

function textProblems(field: keyof typeof userLimits | 'mobile' | 'email', value: string): Problem[] {
  if (field === 'mobile') return new RegExp(mobilePattern).test(value) ? [] : [{ field, rule: 'format' }];
  if (field === 'email')
    return value.length <= 100 && new RegExp(emailPattern).test(value) ? [] : [{ field, rule: 'format' }];
  const { min, max } = userLimits[field];
  const length = [...value].length;
  if (length < min) return [{ field, rule: 'minLength', values: { limit: min } }];
  return length > max ? [{ field, rule: 'maxLength', values: { limit: max } }] : [];
}

function rolesOf(roles: UserBody['roles'], isNeeded: boolean, problems: Problem[]): number[] | undefined {
  if (roles === undefined && !isNeeded) return undefined;
  const parts = Array.isArray(roles)
    ? roles.map(String)
    : (roles ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
  if (parts.length === 0) problems.push({ field: 'roles', rule: 'required' });
  else if (parts.length > 100) problems.push({ field: 'roles', rule: 'maxItems', values: { limit: 100 } });
  else if (!parts.every((part) => /^[1-9]\d{0,14}$/.test(part))) problems.push({ field: 'roles', rule: 'type' });
  else return [...new Set(parts.map(Number))];
  return undefined;
}

function levelOf(level: UserBody['treeLevel'], isNeeded: boolean, problems: Problem[]): number | undefined {
  if (level == null && isNeeded) problems.push({ field: 'treeLevel', rule: 'required' });
  return level ?? undefined;
}

/** Encodes an avatar again: png, jpeg or gif by its bytes, at most 1,048,576 characters as received. */
async function avatarOf(source: Text, problems: Problem[]): Promise<Text> {
  if (source == null || source === '') return source === undefined ? undefined : null;
  if (source.length > longestAvatar)
    problems.push({ field: 'imgPath', rule: 'maxLength', values: { limit: longestAvatar } });
  else {
    const drawn = await redrawPicture(source, { longestSide });
    if (drawn !== undefined && drawn.length <= longestAvatar) return drawn;
    problems.push({ field: 'imgPath', rule: 'format' });
  }
  return undefined;
}

/** A row of the list, its roles as comma text. */
export const rowOf = (row: ListedAccount, manageable: boolean): Static<typeof UserRow> => ({
  id: row.id,
  username: row.username,
  nickname: row.nickname,
  roleNames: row.roleNames,
  roles: row.roleIds,
  treeLevel: row.level,
  createTime: row.createdAt.toISOString(),
  updateTime: row.updatedAt.toISOString(),
  registerTime: row.createdAt.toISOString(),
  lastLogin: row.lastLoginAt?.toISOString() ?? null,
  version: row.version,
  disabled: row.disabled,
  lockedUntil: row.lockedUntil?.toISOString() ?? null,
  passwordInitial: row.passwordInitial,
  sessions: row.sessions,
  manageable,
});

/** The detail of an account as the caller sees it; registration and last sign-in stand in two spellings each. */
export function detailOf(caller: Caller, { account, roles, organisationId }: AccountDetail): Static<typeof UserDetail> {
  const registered = account.created_at.toISOString();
  const lastLogin = account.last_login_at?.toISOString() ?? null;
  return {
    id: account.id,
    userId: account.id,
    did: organisationId,
    username: account.username,
    nickname: account.nickname,
    familyName: account.family_name,
    name: account.given_name,
    mobile: telephoneFor(caller, account.id, account.mobile),
    email: account.email,
    imgPath: account.avatar,
    discTitle: account.title,
    discDetail: account.description,
    treeLevel: account.level,
    roleIds: roles.length > 0 ? roles.map(({ id }) => id).join(',') : null,
    roleNames: roles.length > 0 ? roles.map(({ name }) => name).join(',') : null,
    createTime: registered,
    updateTime: lastLogin,
    registerTime: registered,
    lastLogin,
    version: account.version,
  };
}

import type { Static } from 'typebox';
import type { ListAddress } from '../../lists/use-list-address.ts';
import { userLimits, type UserDetail, type UserRow } from '../../../../../contract/specified/users.ts';

export type User = Static<typeof UserRow>;
export type Detail = Static<typeof UserDetail>;

/** What the dialog edits. */
export interface UserValues {
  username: string;
  nickname: string;
  treeLevel: number | null;
  roles: readonly number[];
}
export const emptyValues: UserValues = { username: '', nickname: '', treeLevel: null, roles: [] };

/** Comma text of role ids, as the server writes it. */
export const roleIdsOf = (text: string | null): number[] =>
  (text ?? '')
    .split(',')
    .map((part) => Number(part.trim()))
    .filter((id) => Number.isInteger(id) && id > 0);

/** The names of an account's roles for reading, or null. */
export const rolesOf = (user: User, separator: string): string | null =>
  user.roleNames
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .join(separator) || null;

export const valuesOf = (detail: Detail): UserValues => ({
  username: detail.username,
  nickname: detail.nickname ?? '',
  treeLevel: detail.treeLevel,
  roles: roleIdsOf(detail.roleIds),
});

/** Length in code points after trimming and NFC, as the server counts (specified 3.4). */
export const lengthOf = (text: string): number => [...text.trim().normalize('NFC')].length;

export type UserRule =
  | 'rule.username.required'
  | 'rule.username.length'
  | 'rule.nickname.length'
  | 'rule.treeLevel.required'
  | 'rule.roles.required';
export type UserProblems = Partial<Record<keyof UserValues, UserRule>>;

/**
 * Everything the dialog refuses at once (specified 3.1); the name of an existing account is not judged: it cannot be
 * changed.
 */
export function problemsOf(values: UserValues, isNew: boolean): UserProblems {
  const problems: UserProblems = {};
  const { username, nickname } = userLimits;
  const length = lengthOf(values.username);
  if (isNew && length === 0) problems.username = 'rule.username.required';
  else if (isNew && (length < username.min || length > username.max)) problems.username = 'rule.username.length';
  if (lengthOf(values.nickname) > nickname.max) problems.nickname = 'rule.nickname.length';
  if (values.treeLevel === null) problems.treeLevel = 'rule.treeLevel.required';
  if (values.roles.length === 0) problems.roles = 'rule.roles.required';
  return problems;
}

const sameRoles = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id) => b.includes(id));
const text = (value: string): string | null => value.trim() || null;

/**
 * The fields that differ, as they travel; an untouched role that the operator could not grant is not sent, so not
 * refused.
 */
export function changesOf(
  values: UserValues,
  before: UserValues,
): { nickname?: string | null; treeLevel?: number; roles?: number[] } {
  return {
    ...(text(values.nickname) === text(before.nickname) ? {} : { nickname: text(values.nickname) }),
    ...(values.treeLevel === before.treeLevel || values.treeLevel === null ? {} : { treeLevel: values.treeLevel }),
    ...(sameRoles(values.roles, before.roles) ? {} : { roles: [...values.roles] }),
  };
}

export const isChanged = (values: UserValues, before: UserValues): boolean =>
  values.username.trim() !== before.username ||
  Object.keys(changesOf(values, before)).length > 0 ||
  values.treeLevel !== before.treeLevel;

export type UserState = 'disabled' | 'locked' | 'initial' | 'normal';

/** What is particular about an account now; `normal` when nothing is. */
export function statesOf(user: User, now: number): UserState[] {
  const states: UserState[] = [];
  if (user.disabled) states.push('disabled');
  if (user.lockedUntil !== null && Date.parse(user.lockedUntil) > now) states.push('locked');
  if (user.passwordInitial) states.push('initial');
  return states.length > 0 ? states : ['normal'];
}

/** What the address asks for, as the call takes it: the text goes into both names, an unreadable level is none. */
export function queryOf(address: Pick<ListAddress, 'filters' | 'sort' | 'page' | 'size'>) {
  const { q, treeLevel } = address.filters;
  return {
    ...(q === undefined ? {} : { username: q, nickname: q }),
    ...(treeLevel !== undefined && /^[0-5]$/.test(treeLevel) ? { treeLevel: Number(treeLevel) } : {}),
    sort: address.sort ?? 'user_id',
    page: address.page,
    size: address.size,
  };
}

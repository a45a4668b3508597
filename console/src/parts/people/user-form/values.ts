import type { Static } from 'typebox';
import type { BodyOf } from '../../../../../contract/route.ts';
import {
  emailPattern,
  mobilePattern,
  userLimits,
  type createUserDetails,
  type UserDetail,
} from '../../../../../contract/specified/users.ts';
import { lengthOf, roleIdsOf } from '../users/user.ts';

export type Detail = Static<typeof UserDetail>;
/** An account as a form starts from it; the own profile is told without a version. */
export type Stored = Omit<Detail, 'did' | 'version'> & { version?: number };
/**
 * A new account; somebody else's; the operator's own, whose level and roles stay and which needs no password (specified
 * 3.7).
 */
export type Mode = 'create' | 'edit' | 'own';

export interface Values {
  imgPath: string | null;
  username: string;
  familyName: string;
  name: string;
  mobile: string;
  email: string;
  treeLevel: number | null;
  roles: readonly number[];
  discTitle: string;
  discDetail: string;
  currentUserPwd: string;
  newPassword: string;
}
export type Field = keyof Values;

/** Fields in the order of the page, so that the first problem gets the focus. */
export const fieldOrder: readonly Field[] = [
  'imgPath',
  'username',
  'treeLevel',
  'roles',
  'familyName',
  'name',
  'mobile',
  'email',
  'discTitle',
  'discDetail',
  'currentUserPwd',
  'newPassword',
];
/** What is stored, and so compared when two operators changed the same account. */
export const storedFields = [
  'imgPath',
  'familyName',
  'name',
  'mobile',
  'email',
  'treeLevel',
  'roles',
  'discTitle',
  'discDetail',
] as const satisfies readonly Field[];
export type StoredField = (typeof storedFields)[number];

/** A new account: level 5, as the fixed call takes it when none is told (specified 3.2). */
export const emptyValues: Values = {
  imgPath: null,
  username: '',
  familyName: '',
  name: '',
  mobile: '',
  email: '',
  treeLevel: 5,
  roles: [],
  discTitle: '',
  discDetail: '',
  currentUserPwd: '',
  newPassword: '',
};

export const valuesOf = (detail: Stored): Values => ({
  imgPath: detail.imgPath || null,
  username: detail.username,
  familyName: detail.familyName ?? '',
  name: detail.name ?? '',
  mobile: detail.mobile ?? '',
  email: detail.email ?? '',
  treeLevel: detail.treeLevel,
  roles: roleIdsOf(detail.roleIds),
  discTitle: detail.discTitle ?? '',
  discDetail: detail.discDetail ?? '',
  currentUserPwd: '',
  newPassword: '',
});

/** What is wrong with a field: a rule of ours, or the server's own sentence. */
export type Problem =
  | { rule: 'required' | 'mobile' | 'email' | 'roles' | 'treeLevel' | 'taken' | 'checkFailed' | 'wrongPassword' }
  | { rule: 'length'; min: number; max: number }
  | { message: string };
export type Problems = Readonly<Partial<Record<Field, Problem>>>;

/** Length rules count code points after trimming and NFC (specified 3.4). */
function textProblem(value: string, { min, max }: { min: number; max: number }, optional = false): Problem | undefined {
  const length = lengthOf(value);
  if (length === 0) return optional ? undefined : { rule: 'required' };
  return length < min || length > max ? { rule: 'length', min, max } : undefined;
}

const maskedMobile = /^\d{3}\*{4}\d{4}$/;

function patternProblem(value: string, pattern: string, rule: 'mobile' | 'email'): Problem | undefined {
  if (value.trim() === '') return { rule: 'required' };
  return new RegExp(pattern).test(value.trim()) ? undefined : { rule };
}

/** Everything the full screen refuses before it asks the server (specified 3.3). A password is never trimmed. */
export function problemsOf(values: Values, mode: Mode): Problems {
  const found: Record<Field, Problem | undefined> = {
    imgPath: undefined,
    username: mode === 'create' ? textProblem(values.username, userLimits.username) : undefined,
    treeLevel: values.treeLevel === null ? { rule: 'treeLevel' } : undefined,
    roles: mode !== 'own' && values.roles.length === 0 ? { rule: 'roles' } : undefined,
    familyName: textProblem(values.familyName, userLimits.familyName),
    name: textProblem(values.name, userLimits.name),
    // Whoever sees the number masked leaves it as it is: the server keeps the stored one.
    mobile:
      maskedMobile.test(values.mobile) && mode !== 'create'
        ? undefined
        : patternProblem(values.mobile, mobilePattern, 'mobile'),
    email: patternProblem(values.email, emailPattern, 'email'),
    discTitle: textProblem(values.discTitle, userLimits.discTitle, true),
    discDetail: textProblem(values.discDetail, userLimits.discDetail, true),
    currentUserPwd: mode === 'edit' && values.currentUserPwd === '' ? { rule: 'required' } : undefined,
    newPassword: undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined)) as Problems;
}

const clean = (text: string): string | null => text.trim().normalize('NFC') || null;

/** The stored fields as they travel. */
function wireOf(values: Values) {
  return {
    imgPath: values.imgPath,
    familyName: clean(values.familyName),
    name: clean(values.name),
    mobile: clean(values.mobile),
    email: clean(values.email),
    discTitle: clean(values.discTitle),
    discDetail: clean(values.discDetail),
    treeLevel: values.treeLevel,
    roles: values.roles.toSorted((a, b) => a - b),
  };
}

type Wire = ReturnType<typeof wireOf>;

export const bodyOf = (values: Values): BodyOf<typeof createUserDetails> => ({
  ...wireOf(values),
  username: clean(values.username) ?? '',
});

/**
 * Only what differs: an avatar is not sent again, and a role that the operator could not grant is not refused while
 * nobody touched it.
 */
export function changesOf(values: Values, before: Values): Partial<Wire> {
  const [now, then] = [wireOf(values), wireOf(before)];
  return Object.fromEntries(
    storedFields
      .filter((field) => String(now[field] ?? '') !== String(then[field] ?? ''))
      .map((field) => [field, now[field]]),
  );
}

export const isChanged = (values: Values, before: Values): boolean =>
  Object.keys(changesOf(values, before)).length > 0 ||
  values.username.trim() !== before.username.trim() ||
  values.currentUserPwd !== '' ||
  values.newPassword !== '';

/** Fields that this operator and the other one left different; each with whether this one touched it. */
export const differencesOf = (
  mine: Values,
  theirs: Values,
  before: Values,
): { field: StoredField; mineByDefault: boolean }[] => {
  const own = changesOf(mine, before);
  return Object.keys(changesOf(mine, theirs)).map((field) => ({
    field: field as StoredField,
    mineByDefault: field in own,
  }));
};

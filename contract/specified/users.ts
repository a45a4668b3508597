import { Type } from 'typebox';
import { Id, IdParams, Nullable, Page, Size, Version, bodyWithPictures, byBody, specified } from '../route.ts';

/** Accounts of the console (specified 3.1 to 3.14). Encrypted values are base64 RSA ciphertexts. */

/** A list of role ids or comma-separated text: clients of the family send either. */
export const RoleIds = Type.Union([Type.Array(Id, { maxItems: 100 }), Type.String({ maxLength: 2000 }), Type.Null()]);

/** 0 administrator, 1 to 5 A to E. */
export const TreeLevel = Type.Integer({ minimum: 0, maximum: 5 });

/** The length of an avatar as a data address, characters (specified 3.10). */
export const longestAvatar = 1_048_576;

/** Rules of names and texts, in code points after trimming and NFC (specified 3.3, 3.4). */
export const userLimits = {
  username: { min: 2, max: 10 },
  nickname: { min: 0, max: 20 },
  familyName: { min: 1, max: 2 },
  name: { min: 1, max: 3 },
  discTitle: { min: 2, max: 10 },
  discDetail: { min: 2, max: 18 },
} as const;

/** Mainland mobile numbers: 11 digits, second digit 3 to 9. */
export const mobilePattern = '^1[3-9]\\d{9}$';
/** Simple e-mail with a suffix of 2 to 6 letters. */
export const emailPattern = '^[A-Za-z0-9_.+-]+@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,6}$';

export const UserRow = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  nickname: Nullable(Type.String()),
  roleNames: Nullable(Type.String()),
  roles: Nullable(Type.String()),
  treeLevel: Type.Integer(),
  createTime: Type.String(),
  updateTime: Nullable(Type.String()),
  registerTime: Type.String(),
  lastLogin: Nullable(Type.String()),
  /** Beyond the specification: further columns of the list, and what the caller may do. */
  version: Type.Integer(),
  disabled: Type.Boolean(),
  lockedUntil: Nullable(Type.String()),
  passwordInitial: Type.Boolean(),
  sessions: Type.Integer(),
  /** Whether the caller's rank lets it change this account. */
  manageable: Type.Boolean(),
});

export const UserDetail = Type.Object({
  id: Type.Integer(),
  userId: Type.Integer(),
  did: Nullable(Type.Integer()),
  username: Type.String(),
  nickname: Nullable(Type.String()),
  familyName: Nullable(Type.String()),
  name: Nullable(Type.String()),
  mobile: Nullable(Type.String()),
  email: Nullable(Type.String()),
  imgPath: Nullable(Type.String()),
  discTitle: Nullable(Type.String()),
  discDetail: Nullable(Type.String()),
  treeLevel: Type.Integer(),
  roleIds: Nullable(Type.String()),
  roleNames: Nullable(Type.String()),
  createTime: Type.String(),
  updateTime: Nullable(Type.String()),
  registerTime: Type.String(),
  lastLogin: Nullable(Type.String()),
  version: Type.Integer(),
});

const Done = Type.Object({ code: Type.Literal(0), msg: Type.String() });
const GivenPassword = Type.Object({
  code: Type.Literal(0),
  msg: Type.String(),
  data: Type.Object({ id: Type.Integer(), password: Type.String() }),
});
const Text = Type.String({ maxLength: 10_000 });

export const listUsers = specified({
  method: 'GET',
  path: '/api/tbUsers',
  tag: 'users',
  access: 'cscp.user.query',
  summary:
    'Accounts by name or nickname and level, pages from 1 (0 is also the first). Sort: user_id, username, nickname, treeLevel, createTime, updateTime, lastLogin.',
  query: Type.Object({
    /** Both carry the same text of the search field; either may be absent. */
    username: Type.Optional(Type.String({ maxLength: 200 })),
    nickname: Type.Optional(Type.String({ maxLength: 200 })),
    treeLevel: Type.Optional(TreeLevel),
    sort: Type.Optional(Type.String({ maxLength: 60 })),
    page: Type.Optional(Page),
    size: Type.Optional(Size()),
  }),
  reply: Type.Object({
    code: Type.Literal(0),
    msg: Type.String(),
    data: Type.Array(UserRow),
    recordsTotal: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
  }),
});

export const createUser = specified({
  method: 'POST',
  path: '/api/tbUsers',
  tag: 'users',
  access: 'cscp.user.add',
  action: 'account.create',
  summary: 'Creates an account from the dialog; the answer carries its initial password once.',
  // The rules check required fields, together with everything else.
  body: Type.Object({
    username: Type.Optional(Nullable(Text)),
    nickname: Type.Optional(Nullable(Text)),
    roles: Type.Optional(RoleIds),
    treeLevel: Type.Optional(Nullable(TreeLevel)),
  }),
  reply: GivenPassword,
});

export const updateUser = specified({
  method: 'PUT',
  path: '/api/tbUsers',
  refuses: ['notFound'],
  tag: 'users',
  access: 'cscp.user.edit',
  action: 'account.update',
  summary: 'Changes nickname, roles and level of an account; an outdated `version` is 409.',
  body: Type.Object({
    id: Id,
    nickname: Type.Optional(Nullable(Text)),
    roles: Type.Optional(RoleIds),
    treeLevel: Type.Optional(TreeLevel),
    version: Type.Optional(Version),
  }),
  reply: Done,
});

export const deleteUser = specified({
  method: 'DELETE',
  path: '/api/tbUsers/:id',
  aliases: ['/api/system/cscpUsers/:id'],
  tag: 'users',
  access: 'cscp.user.del',
  action: 'account.delete',
  summary: 'Deletes an account and ends its sessions.',
  params: IdParams,
  reply: Done,
});

export const resetUserPassword = specified({
  method: 'PUT',
  path: '/api/tbUsers/replacement/:id',
  tag: 'users',
  access: 'cscp.user.edit',
  action: 'account.reset',
  summary: 'Gives an account a new random initial password, which the answer carries once, and ends its sessions.',
  params: IdParams,
  reply: GivenPassword,
});

export const getLevels = specified({
  method: 'GET',
  path: '/api/tbUsers/getSelect',
  tag: 'users',
  access: 'session',
  summary: 'The account levels: a map of number to name in the caller’s language.',
  reply: Type.Object({ code: Type.Literal(0), msg: Type.String(), data: Type.Record(Type.String(), Type.String()) }),
});

export const userExists = specified({
  method: 'GET',
  path: '/api/system/cscpUserExistByUsername',
  tag: 'users',
  access: 'cscp.user.add',
  summary: 'Whether an account name is taken (success true).',
  query: Type.Object({ username: Type.String({ maxLength: 200 }) }),
  reply: Type.Object({ success: Type.Boolean(), msg: Type.String() }),
});

export const getUserDetails = specified({
  method: 'GET',
  path: '/api/system/cscpUserDetailsByUserId',
  refuses: ['notFound'],
  tag: 'users',
  access: ['cscp.user.query', 'cscp.user.edit'],
  summary: 'The bare detail of one account.',
  query: Type.Object({ userId: Id }),
  reply: UserDetail,
});

/**
 * Fields of the full screen. `roles` is a list or comma-separated text. Absent fields stay; null or "" empties a field
 * where the rules allow it.
 */
const detailFields = {
  familyName: Type.Optional(Nullable(Text)),
  name: Type.Optional(Nullable(Text)),
  mobile: Type.Optional(Nullable(Text)),
  email: Type.Optional(Nullable(Text)),
  imgPath: Type.Optional(Nullable(Type.String({ maxLength: bodyWithPictures }))),
  discTitle: Type.Optional(Nullable(Text)),
  discDetail: Type.Optional(Nullable(Text)),
  roles: Type.Optional(RoleIds),
  treeLevel: Type.Optional(Nullable(TreeLevel)),
  nickname: Type.Optional(Nullable(Text)),
} as const;

export const createUserDetails = specified({
  method: 'POST',
  path: '/api/cscpUserPids',
  limits: { bytes: bodyWithPictures },
  aliases: ['/api/system/cscpUserDetails'],
  tag: 'users',
  access: 'cscp.user.add',
  action: 'account.create',
  status: 201,
  summary: 'Creates an account from the full screen; default level 5. The answer carries its initial password once.',
  body: Type.Object({ username: Type.Optional(Nullable(Text)), ...detailFields }),
  reply: Type.Object({ ...UserDetail.properties, password: Type.String() }),
});

/** Whether a detail is the caller's own: it has the caller's id, or no id. */
function isOwnDetail(detail: unknown, accountId: number | undefined): boolean {
  const { id, userId } =
    typeof detail === 'object' && detail !== null
      ? (detail as { id?: number | string | null; userId?: number | string | null })
      : {};
  return String(id ?? userId ?? accountId) === String(accountId);
}

/**
 * Changing another account requires cscp.user.edit, a lower rank of that account and the operator's own password. The
 * own profile requires none of them.
 */
export const updateUserDetails = specified({
  method: 'PUT',
  path: '/api/system/cscpUserDetails',
  refuses: ['notFound', 'tooManyTries'],
  limits: { bytes: bodyWithPictures },
  tag: 'users',
  access: 'session',
  action: byBody('account.update', (body, accountId) =>
    isOwnDetail(body['cscpUserDetailDTO'], accountId) ? 'account.profile' : 'account.update',
  ),
  summary: 'Changes the detail of an account, or the own profile.',
  body: Type.Object({
    cscpUserDetailDTO: Type.Object({
      id: Type.Optional(Nullable(Id)),
      userId: Type.Optional(Nullable(Id)),
      ...detailFields,
      version: Type.Optional(Nullable(Version)),
    }),
    currentUserPwd: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    newPassword: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  }),
  reply: UserDetail,
});

import { Type } from 'typebox';
import { Id, IdParams, Nullable, Timestamp, Version, byBody, listOf, route } from '../route.ts';

/** What an administrator does with accounts beyond the specified calls. Ranks hold as there (specified 3.8). */

export const unlockAccount = route({
  method: 'POST',
  path: '/api/v1/accounts/:id/unlock',
  tag: 'accounts',
  access: 'cscp.user.edit',
  action: 'account.unlock',
  status: 204,
  summary: 'Lifts every lock of an account and forgets its failed tries.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

export const setAccountDisabled = route({
  method: 'PUT',
  path: '/api/v1/accounts/:id/disabled',
  tag: 'accounts',
  access: 'cscp.user.edit',
  action: byBody('account.access', ({ disabled }) => (disabled === false ? 'account.enable' : 'account.disable')),
  summary: 'Disables an account, which ends its sessions, or enables it.',
  params: IdParams,
  body: Type.Object({ disabled: Type.Boolean(), version: Type.Optional(Version) }),
  reply: Type.Object({ id: Type.Integer(), disabled: Type.Boolean(), version: Type.Integer() }),
});

export const AccountSession = Type.Object({
  id: Type.Integer(),
  address: Type.String(),
  userAgent: Nullable(Type.String()),
  createdAt: Timestamp,
  lastActiveAt: Timestamp,
  expiresAt: Timestamp,
  remember: Type.Boolean(),
  /** The session of this very request. */ own: Type.Boolean(),
  /** The administrator who looks through this account's eyes. */ previewBy: Nullable(Type.String()),
});

export const listAccountSessions = route({
  method: 'GET',
  path: '/api/v1/accounts/:id/sessions',
  tag: 'accounts',
  access: ['cscp.user.query', 'cscp.user.edit'],
  summary: 'The open sessions of an account, the most recently active first.',
  params: IdParams,
  reply: listOf(AccountSession),
});

export const endAccountSession = route({
  method: 'DELETE',
  path: '/api/v1/accounts/:id/sessions/:sessionId',
  tag: 'accounts',
  access: 'cscp.user.edit',
  action: 'account.endSession',
  status: 204,
  summary: 'Ends one session of an account.',
  params: Type.Object({ id: Id, sessionId: Id }),
  reply: Type.Null(),
  replyKind: 'empty',
});

export const endAccountSessions = route({
  method: 'DELETE',
  path: '/api/v1/accounts/:id/sessions',
  tag: 'accounts',
  access: 'cscp.user.edit',
  action: 'account.endSessions',
  status: 204,
  summary: 'Ends every session of an account, but the caller’s own.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

/**
 * A session that sees what another account sees and can change nothing (specified 3.15): for administrators, never of a
 * higher rank; it ends when nothing was heard of its tab for two minutes, with the administrator's session, or by
 * logout. Both names are in the log.
 */
export const beginPreview = route({
  method: 'POST',
  path: '/api/v1/accounts/:id/preview',
  tag: 'accounts',
  access: 'account.preview',
  action: 'account.preview',
  status: 201,
  summary: 'Begins a read-only preview as this account.',
  params: IdParams,
  reply: Type.Object({ token: Type.String(), username: Type.String(), displayName: Type.String() }),
});

import { Type } from 'typebox';
import { Id, IdParams, Nullable, Timestamp, Version, byBody, listOf, route } from '../route.ts';

/** What an administrator may do with accounts beyond the specified calls. Ranks apply as there (specified 3.8). */

export const unlockAccount = route({
  method: 'POST',
  path: '/api/v1/accounts/:id/unlock',
  tag: 'accounts',
  access: 'cscp.user.edit',
  action: 'account.unlock',
  status: 204,
  summary: 'Lifts every lock of an account and clears its failed tries.',
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
  /** The session of this request. */
  own: Type.Boolean(),
  /** The administrator who previews as this account. */
  previewBy: Nullable(Type.String()),
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
  summary: 'Ends every session of an account, except the caller’s own.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

/**
 * A session that reads as another account and changes nothing (specified 3.15). Only administrators begin one, never
 * for a higher rank. It ends two minutes after the last sign of its tab, with the administrator's session, or by
 * logout. The log has both names.
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

import { Type } from 'typebox';
import { route } from '../route.ts';

/** The signed-in account itself: who it is, what the site warns of, its preferences, its sign-in links. */

export const getMe = route({
  method: 'GET',
  path: '/api/v1/me',
  tag: 'me',
  access: 'session',
  summary: 'The signed-in account, its permission codes and the warnings its header shows.',
  reply: Type.Object({
    accountId: Type.Integer(),
    username: Type.String(),
    displayName: Type.String(),
    level: Type.Integer(),
    permissions: Type.Array(Type.String()),
    /** demo, captchaOff, demoInNetwork …: administrators only. */
    warnings: Type.Array(Type.String()),
    /**
     * How many work areas the account sees; 0: it belongs to no project, so that its empty lists say nothing about what
     * is registered.
     */
    workAreas: Type.Integer(),
    /** IANA zone of the work area in force, else of the first one the account sees; absent when it sees none. */
    timeZone: Type.Optional(Type.String()),
    /** Who looks through this account's eyes, read-only; absent in an ordinary session. */
    previewBy: Type.Optional(Type.String()),
  }),
});

/** Free JSON kept for the console: appearance, columns per table. At most 32 KB. */
export const Preferences = Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9.:/-]{0,99}$' }), Type.Unknown());

export const getPreferences = route({
  method: 'GET',
  path: '/api/v1/me/preferences',
  tag: 'me',
  access: 'session',
  summary: 'The preferences of the account.',
  reply: Preferences,
});

/** Not written to the operation log: appearance and columns, saved with every touch. */
export const putPreferences = route({
  method: 'PUT',
  path: '/api/v1/me/preferences',
  tag: 'me',
  access: 'session',
  logged: false,
  summary: 'Replaces the preferences of the account.',
  body: Preferences,
  reply: Preferences,
});

/** So that two windows of one account do not undo each other's changes. Not logged for the same reason. */
export const patchPreferences = route({
  method: 'PATCH',
  path: '/api/v1/me/preferences',
  tag: 'me',
  access: 'session',
  logged: false,
  summary: 'Changes named preferences and leaves the others; null removes one.',
  body: Preferences,
  reply: Preferences,
});

/**
 * What gives power over other accounts (a reset of a password) asks for the own password again when it was given more
 * than 30 minutes ago: 403 `confirmNeeded`. A wrong one is 400, the fifth in a session ends it (401); the locks of the
 * sign-in hold (429 while locked).
 */
export const confirmPassword = route({
  method: 'POST',
  path: '/api/v1/me/confirm',
  tag: 'me',
  access: 'session',
  action: 'session.confirm',
  status: 204,
  summary: 'Confirms this session by the own password (encrypted like at the sign-in) for 30 minutes.',
  body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 2000 }) }),
  reply: Type.Null(),
  replyKind: 'empty',
});

export const createSignInLink = route({
  method: 'POST',
  path: '/api/v1/sign-in-links',
  tag: 'me',
  access: 'session',
  action: 'signInLink.create',
  status: 201,
  summary: 'A single-use code, good for 60 seconds, that signs this account in elsewhere: "Bearer%<code>".',
  reply: Type.Object({ token: Type.String(), expiresAt: Type.String() }),
});

/** Its log is the login log. */
export const exchangeSignInLink = route({
  method: 'POST',
  path: '/api/v1/sign-in-links/exchange',
  tag: 'me',
  access: 'public',
  logged: false,
  summary: 'Exchanges a sign-in link for a session. `peek` only tells whose it is.',
  body: Type.Object({ token: Type.String({ minLength: 8, maxLength: 200 }), peek: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ name: Type.String(), username: Type.String(), token: Type.Optional(Type.String()) }),
});

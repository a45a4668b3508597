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
    /** demo, captchaOff, demoInNetwork …; only administrators get them. */
    warnings: Type.Array(Type.String()),
    /**
     * Number of work areas that the account sees. 0: it belongs to no project, and its empty lists say nothing about
     * the register.
     */
    workAreas: Type.Integer(),
    /** IANA zone of the work area in force, or of the first one that the account sees; absent: it sees none. */
    timeZone: Type.Optional(Type.String()),
    /** The administrator who previews as this account; absent in an ordinary session. */
    previewBy: Type.Optional(Type.String()),
  }),
});

/** Free JSON of the console: appearance, columns of tables. At most 32 KB. */
export const Preferences = Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9.:/-]{0,99}$' }), Type.Unknown());

export const getPreferences = route({
  method: 'GET',
  path: '/api/v1/me/preferences',
  tag: 'me',
  access: 'session',
  summary: 'The preferences of the account.',
  reply: Preferences,
});

/** Not logged: the console saves appearance and columns with every touch. */
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

/** Two windows of one account do not undo each other's changes. Not logged, like `putPreferences`. */
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
 * Calls that give power over other accounts (a password reset) require the caller's own password again if it was last
 * given more than 30 minutes ago: 403 `confirmNeeded`. A wrong password is 400; the fifth in a session ends the session
 * (401). The locks of the sign-in apply (429 while locked).
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

/** The login log records it. */
export const exchangeSignInLink = route({
  method: 'POST',
  path: '/api/v1/sign-in-links/exchange',
  tag: 'me',
  access: 'public',
  logged: false,
  summary: 'Exchanges a sign-in link for a session. `peek` only answers whose link it is.',
  body: Type.Object({ token: Type.String({ minLength: 8, maxLength: 200 }), peek: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ name: Type.String(), username: Type.String(), token: Type.Optional(Type.String()) }),
});

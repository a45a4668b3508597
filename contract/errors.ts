/**
 * The error catalogue. `code` is stable, unique and never zero (clients of the family read it); `key` names the text in
 * `server/src/platform/http/locales` (title; `detail` may carry `{placeholders}`); `status` is the HTTP status.
 * Add a line; never renumber one.
 */
export const errors = {
  invalidInput: { code: 1001, status: 400 },
  malformedBody: { code: 1002, status: 400 },
  notSignedIn: { code: 1101, status: 401 },
  sessionEnded: { code: 1102, status: 401 },
  missingPermission: { code: 1201, status: 403 },
  foreignWorkArea: { code: 1202, status: 403 },
  foreignOrigin: { code: 1203, status: 403 },
  noMenu: { code: 1204, status: 403 },
  notFound: { code: 1301, status: 404 },
  unknownPath: { code: 1302, status: 404 },
  methodNotAllowed: { code: 1303, status: 405 },
  changedMeanwhile: { code: 1401, status: 409 },
  tooLarge: { code: 1402, status: 413 },
  unsupportedMediaType: { code: 1403, status: 415 },
  tooManyTries: { code: 1501, status: 429 },
  internal: { code: 1901, status: 500 },
  notReady: { code: 1902, status: 503 },
  unknownUser: { code: 2001, status: 400 },
  wrongPassword: { code: 2002, status: 401 },
  accountLocked: { code: 2003, status: 401 },
  wrongCaptcha: { code: 2004, status: 500 },
  accountDisabled: { code: 2005, status: 403 },
  initialPasswordExpired: { code: 2006, status: 403 },
  wrongOldPassword: { code: 2007, status: 400 },
  weakPassword: { code: 2008, status: 400 },
  repeatedPassword: { code: 2009, status: 400 },
  wrongOperatorPassword: { code: 2010, status: 400 },
  badSignInLink: { code: 2011, status: 400 },
  taken: { code: 39, status: 400 },
  inUse: { code: 3001, status: 400 },
  stillUsed: { code: 3002, status: 400 },
  unknownFamily: { code: 4001, status: 400 },
  unknownCommand: { code: 4002, status: 400 },
  commandEndTooLate: { code: 4003, status: 400 },
  noDevices: { code: 4004, status: 400 },
  tooManyDevices: { code: 4005, status: 400 },
  sendsNothing: { code: 4006, status: 400 },
  unknownRecord: { code: 4007, status: 404 },
} as const satisfies Record<string, { code: number; status: number }>;

export type ErrorName = keyof typeof errors;

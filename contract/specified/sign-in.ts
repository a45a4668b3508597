import { Type } from 'typebox';
import { IdOrNone, IdParams, Nullable, specified } from '../route.ts';

/** Sign-in, sessions and password change (specified 1.1 to 1.16). Encrypted values are base64 RSA ciphertexts. */

/** A number or its text; clients of the family also send null for 0. */
const Flag = Type.Union([Type.Literal(0), Type.Literal(1), Type.Null()]);

/**
 * With CAPTCHA=off the response header `X-Captcha: off`, here and at the public key, says that the code is not checked;
 * our console then fetches and shows no captcha.
 */
export const getCaptcha = specified({
  method: 'GET',
  path: '/api/catpcha/digitalCaptcha',
  tag: 'sign-in',
  access: 'public',
  summary: 'A captcha picture: an object whose only key is the captcha key and whose value is the image source.',
  reply: Type.Record(Type.String(), Type.String()),
});

export const getPublicKey = specified({
  method: 'GET',
  path: '/api/system/publicKey',
  tag: 'sign-in',
  access: 'public',
  summary: 'The RSA key (base64 SPKI) that encrypts every password in transit.',
  reply: Type.Object({ publicKey: Type.String() }),
});

/**
 * Captcha key and code travel in the headers biyiCaptchaKey / biyiCaptcha or captchaKey / captchaCode. The login log
 * records the call.
 */
export const login = specified({
  method: 'POST',
  path: '/api/system/login',
  refuses: ['wrongPassword', 'accountDisabled'],
  tag: 'sign-in',
  access: 'public',
  logged: false,
  summary: 'Signs in. The token also comes back in the response header Authorization.',
  body: Type.Object({
    username: Type.String({ minLength: 1, maxLength: 200 }),
    password: Type.String({ minLength: 1, maxLength: 2000 }),
    rememberme: Type.Optional(Flag),
  }),
  reply: Type.Object({
    token: Type.String(),
    /** 0 fine, 1 initial password, 2 older than 3 months; when not 0, token is "". */
    passwordStatus: Type.Integer(),
    attempts: Type.Optional(Type.Integer()),
    lockoutTime: Type.Optional(Type.Integer()),
  }),
});

export const refreshToken = specified({
  method: 'GET',
  path: '/api/system/refreshToken',
  tag: 'sign-in',
  access: 'session',
  logged: false,
  summary:
    'Rotates the session token. The old one stays valid for 60 seconds; a second call within them gets the same new token.',
  query: Type.Object({ rememberme: Type.Optional(Flag) }),
  reply: Type.Object({ token: Type.String() }),
});

/** Logged only if a session ends, because anyone may call it. */
export const logout = specified({
  method: 'POST',
  path: '/api/system/logout',
  tag: 'sign-in',
  access: 'public',
  logged: false,
  inPreview: true,
  summary:
    'Ends the session of the token, and with it the tokens before and after a rotation. Without a token it changes nothing.',
  reply: Type.Object({ success: Type.Boolean() }),
});

export const getPasswordRule = specified({
  method: 'GET',
  path: '/api/system/cscpUserPasswordRule',
  tag: 'sign-in',
  access: 'public',
  summary: 'The password rule as plain text in the caller’s language.',
  reply: Type.String(),
  replyKind: 'text',
});

/** The handler writes the log row: both outcomes are 200, and without a session the row names the account. */
export const changePassword = specified({
  method: 'PUT',
  path: '/api/system/cscpUserPassword',
  tag: 'sign-in',
  access: 'public',
  logged: false,
  summary: 'Changes a password; 200 for both outcomes, token absent on failure.',
  body: Type.Object({
    userId: Type.Optional(Nullable(IdOrNone)),
    userName: Type.Optional(Type.String({ maxLength: 200 })),
    oldPassword: Type.String({ maxLength: 2000 }),
    newPassword: Type.String({ maxLength: 2000 }),
  }),
  reply: Type.Object({ token: Type.Optional(Type.String()), msg: Type.String() }),
});

export const getLoginAppearance = specified({
  method: 'GET',
  path: '/api/sysLoginDisposes/:id',
  tag: 'sign-in',
  access: 'public',
  summary:
    'Branding of the sign-in page and the browser tab; 1 is the one for the requested host name, or else the general one.',
  params: IdParams,
  reply: Type.Object({
    code: Type.Literal(0),
    data: Type.Object({
      name: Type.String(),
      logo: Type.Union([Type.String(), Type.Null()]),
      title: Type.String(),
      ico: Type.Union([Type.String(), Type.Null()]),
      /** Beyond the specification: this appearance is the company's own. */
      company: Type.Optional(Type.Literal(true)),
    }),
  }),
});

import { Type } from 'typebox';
import { IdParams, Nullable, Version, bodyWithPictures, listOf, route } from '../route.ts';

/** What the sign-in page and the browser tab show, for the whole site and per host name. */

/** Limits: characters of texts and of a picture's data address; the longest side of stored pictures in pixels. */
export const appearanceLimits = {
  name: 60,
  title: 60,
  host: 253,
  picture: 1_048_576,
  logoSide: 480,
  iconSide: 96,
} as const;
/** A host name or address, optionally with a port. */
export const hostPattern = String.raw`^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](:\d{1,5})?$`;

const Picture = Type.String({
  maxLength: appearanceLimits.picture,
  description: 'png, jpeg or gif as data address; stored re-encoded',
});
const fields = {
  /** The host name that it is for; null: every other host. Only one row has null. */
  host: Nullable(Type.String({ minLength: 1, maxLength: appearanceLimits.host, pattern: hostPattern })),
  /** At most one is marked as the company's own. */
  company: Type.Boolean(),
  name: Type.String({ minLength: 1, maxLength: appearanceLimits.name }),
  title: Type.String({ minLength: 1, maxLength: appearanceLimits.title }),
  logo: Nullable(Picture),
  icon: Nullable(Picture),
} as const;

export const LoginAppearance = Type.Object({ id: Type.Integer(), version: Type.Integer(), ...fields });

export const listLoginAppearances = route({
  method: 'GET',
  path: '/api/v1/login-appearances',
  tag: 'login appearance',
  access: 'site.appearance',
  summary: 'Every appearance: the general one first, then by host name.',
  reply: listOf(LoginAppearance),
});

export const createLoginAppearance = route({
  method: 'POST',
  path: '/api/v1/login-appearances',
  limits: { bytes: bodyWithPictures },
  tag: 'login appearance',
  access: 'site.appearance',
  action: 'appearance.create',
  status: 201,
  summary: 'Adds an appearance for a host name.',
  body: Type.Object(fields),
  reply: LoginAppearance,
});

export const updateLoginAppearance = route({
  method: 'PUT',
  path: '/api/v1/login-appearances/:id',
  limits: { bytes: bodyWithPictures },
  tag: 'login appearance',
  access: 'site.appearance',
  action: 'appearance.update',
  summary: 'Changes an appearance; 1 is the general one and always exists. An outdated `version` is 409.',
  params: IdParams,
  body: Type.Object({
    host: Type.Optional(fields.host),
    company: Type.Optional(fields.company),
    name: Type.Optional(fields.name),
    title: Type.Optional(fields.title),
    logo: Type.Optional(fields.logo),
    icon: Type.Optional(fields.icon),
    version: Type.Optional(Version),
  }),
  reply: LoginAppearance,
});

export const deleteLoginAppearance = route({
  method: 'DELETE',
  path: '/api/v1/login-appearances/:id',
  tag: 'login appearance',
  access: 'site.appearance',
  action: 'appearance.delete',
  status: 204,
  summary: 'Deletes the appearance of a host name; the general one returns to the defaults.',
  params: IdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});

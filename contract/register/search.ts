import { Type } from 'typebox';
import { Nullable, route } from '../route.ts';

/**
 * The global search: poles, devices and roads by code, name, pinyin and initials. The console finds its pages itself.
 */

export const searchKinds = ['pole', 'device', 'road'] as const;
export type SearchKind = (typeof searchKinds)[number];

const Found = Type.Object({
  id: Type.Integer(),
  /** The family of a pole or device. */
  family: Nullable(Type.String()),
  code: Type.String(),
  name: Nullable(Type.String()),
  /** The road of a device, the work area of a road. */
  place: Nullable(Type.String()),
});

export const search = route({
  method: 'GET',
  path: '/api/v1/search',
  tag: 'search',
  access: 'session',
  areaScoped: true,
  summary:
    'Up to eight things of each kind the caller may see, best first: code, then beginning of the code, then any part of code, name, pinyin, initials. Every word of the text has to match.',
  query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 60 }) }),
  reply: Type.Object({
    groups: Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal('pole'), Type.Literal('device'), Type.Literal('road')]),
        items: Type.Array(Found),
      }),
    ),
  }),
});

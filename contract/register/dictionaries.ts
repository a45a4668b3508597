import { Type } from 'typebox';
import { listOf, route } from '../route.ts';

/**
 * Dictionaries as everybody reads them: values with what they are called. They are kept as records (`dictionary`,
 * `dictionary-item`).
 */

export const listDictionaries = route({
  method: 'GET',
  path: '/api/v1/dictionaries',
  tag: 'records',
  access: 'session',
  summary:
    'Every dictionary with its values in order, called in the caller’s language; disabled values are named but no longer offered.',
  query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: listOf(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      /** It stands for an option set of the catalogue. */
      builtIn: Type.Boolean(),
      /** Own values may be added to it. */
      open: Type.Boolean(),
      items: Type.Array(Type.Object({ value: Type.String(), label: Type.String(), enabled: Type.Boolean() })),
    }),
  ),
});

import { Type } from 'typebox';
import { listOf, route } from '../route.ts';

/**
 * Dictionaries with their values and labels, for every account. They are edited as records (`dictionary`,
 * `dictionary-item`).
 */

export const listDictionaries = route({
  method: 'GET',
  path: '/api/v1/dictionaries',
  tag: 'records',
  access: 'session',
  summary:
    'Every dictionary with its values in order, labelled in the caller’s language; disabled values have a label but are no longer offered.',
  query: Type.Object({ code: Type.Optional(Type.String({ maxLength: 64 })) }),
  reply: listOf(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      /** An option set of the catalogue. */
      builtIn: Type.Boolean(),
      /** Values may be added to it. */
      open: Type.Boolean(),
      items: Type.Array(Type.Object({ value: Type.String(), label: Type.String(), enabled: Type.Boolean() })),
    }),
  ),
});

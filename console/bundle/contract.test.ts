// @vitest-environment node
import { expect, test } from 'vitest';
import { withoutSchemas } from './contract.ts';

test('schemas leave the contract, names and the calls around them stay', () => {
  const code = [
    "import { Type, type Static } from 'typebox';",
    "export const states = ['on', 'off'] as const;",
    'export const State = Type.Enum(states);',
    'export type Lamp = Static<typeof Lamp>;',
    'export const Lamp = Type.Object({ state: Type.Optional(Type.String()) });',
    "export const readLamp = route({ path: '/lamps/:id', answer: listOf(Type.Array(Lamp), 3) });",
  ].join('\n');
  expect(withoutSchemas(code).split('\n')).toEqual([
    "import { Type, type Static } from 'typebox';",
    "export const states = ['on', 'off'] as const;",
    'export const State = Type;',
    'export type Lamp = Static<typeof Lamp>;',
    'export const Lamp = Type;',
    "export const readLamp = route({ path: '/lamps/:id', answer: listOf(Type, 3) });",
  ]);
});

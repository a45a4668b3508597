import { describe, expect, it } from 'vitest';
import { jsonOf, namesOf } from './names-of.ts';

describe('values', () => {
  it('are written as JSON with shorter names first, whatever they hold', () => {
    expect(
      jsonOf({
        powerFactor: 0.958,
        level: 60,
        relay: true,
        power: 1e-7,
        note: 'a "b"\n💡',
        current: -0,
        energy: 1e21,
        current2: null,
      }),
    ).toBe(
      String.raw`{"note":"a \"b\"\n💡","level":60,"power":1e-7,"relay":true,"energy":1e+21,"current":0,"current2":null,"powerFactor":0.958}`,
    );
    expect(jsonOf({})).toBe('{}');
  });

  it('have one number for the same names in any order, and another for others', () => {
    const number = (...names: string[]) => namesOf(Object.fromEntries(names.map((name) => [name, 1]))).number;
    expect(number('level', 'power')).toBe(number('power', 'level'));
    expect(new Set([number('level'), number('power'), number('level', 'power'), number()]).size).toBe(4);
    expect(Number.isSafeInteger(number('level')) && number('level') > 0).toBe(true);
  });
});

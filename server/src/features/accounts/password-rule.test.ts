import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { passwordRuleText, passwordWeaknesses } from './password-rule.ts';

describe('the password rule', () => {
  test.each([
    ['Lantern#7', 'admin', []],
    ['Lantern7', 'admin', []],
    ['lantern#7', 'admin', []],
    ['灯光照亮街道Ab1', 'admin', []],
    ['lantern77', 'admin', ['kinds']],
    ['LANTERN77', 'admin', ['kinds']],
    ['Lan#7', 'admin', ['length']],
    ['Lantern#7Lantern#7abc', 'admin', ['length']],
    ['Lantern#7Lantern#7ab', 'admin', []],
    ['xQwErz#1', 'admin', ['keyboard']],
    ['xReWqz#1', 'admin', ['keyboard']],
    ['Road1234#', 'admin', ['keyboard']],
    ['Road4321#', 'admin', ['keyboard']],
    ['Road0987#', 'admin', ['keyboard']],
    ['RoadASDF#', 'admin', ['keyboard']],
    ['Road!@#$a1', 'admin', ['keyboard']],
    ['Road123#qwe', 'admin', []],
    ['xADMIN#77', 'admin', ['name']],
    ['xＡdmin#77', 'admin', ['name']],
    ['1234', 'x', ['length', 'kinds', 'keyboard']],
  ])('%s of account %s: %j', (password, username, weaknesses) => {
    expect(passwordWeaknesses(password, username)).toEqual(weaknesses);
  });

  test('is told in every language, in its own words', () => {
    const texts = languages.map(passwordRuleText);
    expect(new Set(texts).size).toBe(languages.length);
    for (const text of texts) expect(text).toMatch(/8[^0-9]{1,6}20/);
  });
});

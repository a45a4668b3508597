import { describe, expect, test } from 'vitest';
import { languages } from '../../../../catalogue/languages.ts';
import { passwordRuleText, passwordWeaknesses } from './password-rule.ts';

describe('the password rule', () => {
  test.each([
    ['Lampion#7', 'admin', []],
    ['Lampion7', 'admin', []],
    ['lampion#7', 'admin', []],
    ['灯光照亮街道Ab1', 'admin', []],
    ['lampion77', 'admin', ['kinds']],
    ['LAMPION77', 'admin', ['kinds']],
    ['Lan#7', 'admin', ['length']],
    ['Lantern#7Lantern#7abc', 'admin', ['length']],
    ['Lantern#7Lantern#7ab', 'admin', []],
    ['xQwErz#1', 'admin', ['keyboard']],
    ['xReWqz#1', 'admin', ['keyboard']],
    ['Roud1234#', 'admin', ['keyboard']],
    ['Roud4321#', 'admin', ['keyboard']],
    ['Roud0987#', 'admin', ['keyboard']],
    ['RoadASDF#', 'admin', ['keyboard']],
    ['Road!@#$a1', 'admin', ['keyboard']],
    ['Road123#qwe', 'admin', []],
    ['xADMIN#77', 'admin', ['name']],
    ['xＡdmin#77', 'admin', ['name']],
    ['1234', 'x', ['length', 'kinds', 'keyboard', 'common']],
    ['Password1!', 'x', ['common']],
    ['P@ssw0rd123', 'x', ['common']],
    ['pA$$W0RD2026!', 'x', ['common']],
    ['#1Passw0rd', 'x', ['common']],
    ['Ｐassword1!', 'x', ['common']],
    ['Aa123456!', 'x', ['keyboard', 'common']],
    ['!!Summer2024', 'x', ['common']],
    ['Woaini1314!', 'x', ['common']],
    ['#Nihao2026', 'x', ['common']],
    ['W3lc0me!!', 'x', ['common']],
    ['I10v3y0u!', 'x', ['common']],
    ['Tru$tno1#9', 'x', ['common']],
    ['4bc123_ABC', 'x', []],
    ['Summer#Pole2024', 'x', []],
  ])('%s of account %s: %j', async (password, username, weaknesses) => {
    expect(await passwordWeaknesses(password, username)).toEqual(weaknesses);
  });

  test('is told in every language, in its own words', () => {
    const texts = languages.map(passwordRuleText);
    expect(new Set(texts).size).toBe(languages.length);
    for (const text of texts) expect(text).toMatch(/8[^0-9]{1,6}20/);
  });
});

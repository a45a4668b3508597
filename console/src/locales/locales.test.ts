import { describe, expect, test } from 'vitest';
import { pseudo } from './pseudo.ts';

type Texts = Record<string, unknown>;
const files = import.meta.glob<{ default: Texts }>('./{zh-CN,zh-TW,en-US,fr-FR,ja-JP,ko-KR}/*.json', { eager: true });
const languages = ['zh-TW', 'en-US', 'fr-FR', 'ja-JP', 'ko-KR'];
const areas = Object.keys(files).filter((path) => path.startsWith('./zh-CN/')).map((path) => path.slice('./zh-CN/'.length, -'.json'.length));
const textsOf = (language: string, area: string): Texts => files[`./${language}/${area}.json`]?.default ?? {};

/** Written alike in several languages for good reason: units, proper names, words that are the same in both. */
const alike: Record<string, readonly string[]> = {
  'avatar.cancel': ['zh-TW'],
  'imports.cancel': ['zh-TW'],
  'imports.columns.sheet': ['zh-TW'],
  'imports.outcome.new': ['zh-TW'],
  'imports.outcome.update': ['zh-TW'],
  'imports.written.new': ['zh-TW'],
  'imports.written.update': ['zh-TW'],
  'lamp.control.minutes': ['fr-FR'],
  'lamp.control.minuteUnit': ['fr-FR'],
  'lamp.filter.road': ['ja-JP'],
  'user-form.field.roles': ['zh-TW'],
  'users.field.roles': ['zh-TW'],
  'users.state.normal': ['zh-TW'],
  'users.state.disabled': ['zh-TW'],
  'users.action.add': ['zh-TW'],
  'users.action.disable': ['zh-TW'],
  'users.dialog.cancel': ['zh-TW'],
  'users.confirm.delete.roles': ['zh-TW'],
};

const placeholders = (text: unknown): string[] => (String(text).match(/\{\{[^}]*\}\}/g) ?? []).sort();
const hasWords = (text: string): boolean => /\p{L}{2,}/u.test(text.replace(/\{\{[^}]*\}\}/g, ''));

test('every area has all six languages', () => {
  expect(areas.length).toBeGreaterThan(0);
  for (const area of areas) for (const language of languages) expect(files, `${language}/${area}`).toHaveProperty([`./${language}/${area}.json`]);
});

describe.each(areas)('%s', (area) => {
  const source = textsOf('zh-CN', area);

  test.each(languages)('%s has the source’s keys and placeholders', (language) => {
    const texts = textsOf(language, area);
    expect(Object.keys(texts).sort()).toEqual(Object.keys(source).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(typeof text, key).toBe('string');
      expect(placeholders(text), key).toEqual(placeholders(source[key]));
    }
  });

  test.each(languages)('%s is translated: nothing equals the Chinese or the English text', (language) => {
    const english = language === 'en-US' ? {} : textsOf('en-US', area);
    const same = Object.entries(textsOf(language, area)).filter(([key, text]) =>
      typeof text === 'string' && hasWords(text) && (text === source[key] || text === english[key]) && !(alike[`${area}.${key}`] ?? []).includes(language));
    expect(same.map(([key, text]) => `${key}: ${String(text)}`)).toEqual([]);
  });
});

test('the pseudo-language keeps placeholders and marks everything else', () => {
  expect(pseudo('Close “{{title}}”')).toMatch(/^\[Çĺóšé “\{\{title\}\}”~+\]$/i);
});

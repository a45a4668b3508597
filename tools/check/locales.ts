import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { languages, type Language } from '../../catalogue/languages.ts';

type Texts = ReadonlyMap<string, string>;

/** Values that may stand in several languages: proper names and units in all, shared words in the language named. */
interface Allowed {
  readonly all: readonly string[];
  readonly byLanguage: Readonly<Partial<Record<Language, readonly string[]>>>;
}

/** What is wrong with the language files below `root`, one line each: sets, keys, placeholders, untranslated values. */
export function localeProblems(root: string): string[] {
  const allowed = JSON.parse(readFileSync(join(root, 'tools/check/locales-allowed.json'), 'utf8')) as Allowed;
  const sets = findSets(root);
  const problems: string[] = [];
  for (const [name, files] of sets) {
    const texts = new Map<Language, Texts>();
    for (const [language, file] of files) texts.set(language, readTexts(join(root, file)));
    problems.push(...setProblems(name, texts, allowed));
  }
  return problems;
}

/** Language files by the folder they stand in: one file a language in each `locales` and `texts`. */
function findSets(root: string): Map<string, Map<Language, string>> {
  const sets = new Map<string, Map<Language, string>>();
  for (const language of languages) {
    const files = globSync(`{catalogue,protocols,console,server,simulator}/**/{locales,texts}/${language}.json`, {
      cwd: root,
    });
    for (const file of files.toSorted()) {
      const name = `${dirname(file)}/*.json`;
      sets.set(name, (sets.get(name) ?? new Map<Language, string>()).set(language, file));
    }
  }
  return sets;
}

/** The texts of a file by their path. */
function readTexts(file: string): Texts {
  const found = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') found.set(path, value);
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key);
  };
  walk(JSON.parse(readFileSync(file, 'utf8')), '');
  return found;
}

function setProblems(name: string, texts: ReadonlyMap<Language, Texts>, allowed: Allowed): string[] {
  const source = texts.get('zh-CN');
  const english = texts.get('en-US');
  const missing = languages.filter((language) => !texts.has(language));
  if (!source || !english || missing.length > 0) return [`${name}: no file for ${missing.join(', ')}`];
  const problems: string[] = [];
  for (const [language, own] of texts) {
    const at = (key: string) => `${name} ${language} "${key}"`;
    for (const key of source.keys()) if (!own.has(key)) problems.push(`${at(key)} is missing`);
    for (const [key, text] of own) {
      const original = source.get(key);
      if (original === undefined) problems.push(`${at(key)} is not in zh-CN`);
      else if (placeholders(original) !== placeholders(text))
        problems.push(
          `${at(key)} has other placeholders than zh-CN: ${placeholders(text)} instead of ${placeholders(original)}`,
        );
      if (language === 'fr-FR' && torn.test(text))
        problems.push(`${at(key)} has a space that may break before : ; ? ! » % or after «; there it is U+00A0`);
      const synonym = otherWords[language].exec(text)?.[0];
      if (synonym !== undefined)
        problems.push(
          `${at(key)} says "${synonym}" for what is called "${oneWord[language]}" everywhere else: ${text}`,
        );
      if (text.trim() === '' && original?.trim() !== '') problems.push(`${at(key)} is empty`);
      for (const other of besides(language)) {
        if (text === texts.get(other)?.get(key) && isForeign(text, language, allowed))
          problems.push(`${at(key)} equals ${other}: ${text}`);
      }
    }
    if (name.startsWith(menu))
      problems.push(...twice(own, source).map((text) => `${name} ${language} has two pages called “${text}”`));
  }
  return problems;
}

const menu = 'console/src/frame/menu/';

/** Of the menu's words those of pages: a button stands on one. */
const pagesOf = (texts: Texts): [string, string][] => [...texts].filter(([key]) => !key.startsWith('button/'));

/** Pages that zh-CN tells apart and this language does not: neither could the menu, the tabs or the search. */
const twice = (texts: Texts, source: Texts): string[] =>
  pagesOf(texts)
    .filter(([key, text]) =>
      pagesOf(texts).some(([other, theirs]) => other < key && theirs === text && source.get(other) !== source.get(key)),
    )
    .map(([, text]) => text);

/** With which languages one is compared: with the two that texts are written from, and with those before it. */
const besides = (language: Language): readonly Language[] =>
  languages.filter(
    (other, index) =>
      other !== language && (other === 'zh-CN' || other === 'en-US' || index < languages.indexOf(language)),
  );

/** What an account works in has one word in each language, and these are the others that were used for it. */
const oneWord: Readonly<Record<Language, string>> = {
  'zh-CN': '项目',
  'zh-TW': '專案',
  'en-US': 'project',
  'fr-FR': 'projet',
  'ja-JP': 'プロジェクト',
  'ko-KR': '프로젝트',
};
const otherWords: Readonly<Record<Language, RegExp>> = {
  'zh-CN': /作业区(?!域)|工作区(?!域)|工区/,
  'zh-TW': /作業區(?!域)|工作區(?!域)|工區/,
  'en-US': /\bwork(?:ing)? areas?\b/i,
  'fr-FR': /\bzones? (?:de travail|d[’']intervention)\b|\btoutes les zones\b/i,
  'ja-JP': /作業(?:エリア|区)|工区/,
  'ko-KR': /작업 ?구역|작업 ?지역/,
};

/** In French a sign never stands at the beginning of a line. */
const torn = /(?<=\S) [:;?!»%]|« /;

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{?\s*[\w.]+\s*\}?\}|<\/?\w+\/?>/g)]
    .map(([found]) => found)
    .toSorted()
    .join(' ');

/**
 * Whether a text that also stands in another language is untranslated, rather than a sign, a unit or an allowed word.
 */
function isForeign(text: string, language: Language, allowed: Allowed): boolean {
  const words = text.replaceAll(/\{\{?\s*[\w.]+\s*\}?\}/g, '').replaceAll(/^[^\p{L}\p{N}°]+|[^\p{L}\p{N}]+$/gu, '');
  return (
    /\p{L}/u.test(words) &&
    !allowed.all.includes(text) &&
    !allowed.all.includes(words) &&
    !(allowed.byLanguage[language] ?? []).includes(text)
  );
}

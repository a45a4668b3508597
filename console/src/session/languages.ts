import { local } from './storage.ts';

/**
 * The six languages. `locale` is the stored form (specified 1.14: zh_CN), `tag` the one for `lang` and Accept-Language,
 * `name` how its own speakers call it (never translated).
 */
export const languages = [
  { locale: 'zh_CN', tag: 'zh-CN', name: '简体中文' },
  { locale: 'zh_TW', tag: 'zh-TW', name: '繁體中文' },
  { locale: 'en_US', tag: 'en-US', name: 'English' },
  { locale: 'fr_FR', tag: 'fr-FR', name: 'Français' },
  { locale: 'ja_JP', tag: 'ja-JP', name: '日本語' },
  { locale: 'ko_KR', tag: 'ko-KR', name: '한국어' },
] as const;

export type Locale = (typeof languages)[number]['locale'];
export type LanguageTag = (typeof languages)[number]['tag'];

const LOCALE_KEY = 'locale';
const isLocale = (value: string | null): value is Locale => languages.some((language) => language.locale === value);

/** The chosen language, or undefined while nobody has chosen one (an unknown stored value counts as none). */
export function storedLocale(): Locale | undefined {
  const value = local.get(LOCALE_KEY);
  return isLocale(value) ? value : undefined;
}

/** The language in force: the stored one, else zh_CN. */
export const currentLocale = (): Locale => storedLocale() ?? 'zh_CN';

/** The language in force as BCP 47: what `<html lang>` and Accept-Language carry. */
export const currentTag = (): LanguageTag => currentLocale().replace('_', '-') as LanguageTag;

/** Remembers a choice; the caller reloads the page, as specified, after asking about unsaved input. */
export function chooseLocale(locale: Locale): void {
  local.set(LOCALE_KEY, locale);
}

/**
 * Specified 1.14: a browser whose time string lacks the word for China gets English on the sign-in page; only while
 * nothing is stored. Stored at once, so that the console behind it speaks the same language.
 */
export function applyTimeStringRule(timeString: string = new Date().toString()): void {
  if (storedLocale() === undefined && !timeString.includes('中国')) chooseLocale('en_US');
}

export const isLocaleKey = (key: string): boolean => key === LOCALE_KEY;

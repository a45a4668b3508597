import enUS from './en-US.json' with { type: 'json' };
import frFR from './fr-FR.json' with { type: 'json' };
import jaJP from './ja-JP.json' with { type: 'json' };
import koKR from './ko-KR.json' with { type: 'json' };
import zhCN from './zh-CN.json' with { type: 'json' };
import zhTW from './zh-TW.json' with { type: 'json' };
import type { Language } from '../languages.ts';
import { makeNames, type Names } from '../names.ts';

/**
 * All texts of the catalogue, in all languages. The console loads one language at a time
 * (`console/src/locales/catalogue-names.ts`).
 */
export const texts = {
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'en-US': enUS,
  'fr-FR': frFR,
  'ja-JP': jaJP,
  'ko-KR': koKR,
} as const;

const made = new Map<Language, Names>();
/** The catalogue's names in one language. */
export function namesIn(language: Language): Names {
  const names = made.get(language) ?? makeNames(texts[language]);
  made.set(language, names);
  return names;
}

import type { Language } from '../../../../catalogue/languages.ts';
import enUS from './locales/en-US.ts';
import frFR from './locales/fr-FR.ts';
import jaJP from './locales/ja-JP.ts';
import koKR from './locales/ko-KR.ts';
import zhCN from './locales/zh-CN.ts';
import zhTW from './locales/zh-TW.ts';

/** The texts of this subject; `{n}` is a number. */
export interface SignInTexts {
  readonly days: string;
  readonly hours: string;
  readonly minutes: string;
  readonly seconds: string;
  /** What stands between the parts of a duration. */
  readonly between: string;
  readonly passwordChanged: string;
}

const all: Readonly<Record<Language, SignInTexts>> = { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': enUS, 'fr-FR': frFR, 'ja-JP': jaJP, 'ko-KR': koKR };

export const signInTexts = (language: Language): SignInTexts => all[language];

/** A lock time in days, hours, minutes and seconds; parts that are zero are left out. */
export function durationText(language: Language, seconds: number): string {
  const texts = signInTexts(language);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), texts.days], [Math.floor(seconds / 3600) % 24, texts.hours],
    [Math.floor(seconds / 60) % 60, texts.minutes], [seconds % 60, texts.seconds],
  ];
  const filled = parts.filter(([count]) => count > 0).map(([count, text]) => text.replace('{n}', String(count)));
  return filled.length > 0 ? filled.join(texts.between) : texts.seconds.replace('{n}', '0');
}

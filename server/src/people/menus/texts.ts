import type { Language } from '../../../../catalogue/languages.ts';
import enUS from './locales/en-US.ts';
import frFR from './locales/fr-FR.ts';
import jaJP from './locales/ja-JP.ts';
import koKR from './locales/ko-KR.ts';
import zhCN from './locales/zh-CN.ts';
import zhTW from './locales/zh-TW.ts';
import type { MenuType } from './menu-tree.ts';

/** What the menu configuration says; the Chinese words of the rules are fixed (specified 5.4, 5.9). */
export interface MenuTexts {
  readonly root: string;
  readonly types: Readonly<Record<MenuType, string>>;
  readonly added: string;
  readonly updated: string;
  readonly deleted: string;
  readonly typeRequired: string;
  readonly titleRequired: string;
  readonly nameRequired: string;
  readonly nameChinese: string;
  readonly urlRequired: string;
  readonly urlChinese: string;
  readonly urlSlash: string;
  readonly componentRequired: string;
  readonly componentChinese: string;
  readonly codeRequired: string;
  readonly codeUnknown: string;
}

const all: Readonly<Record<Language, MenuTexts>> = { 'zh-CN': zhCN, 'zh-TW': zhTW, 'en-US': enUS, 'fr-FR': frFR, 'ja-JP': jaJP, 'ko-KR': koKR };

export const menuTexts = (language: Language): MenuTexts => all[language];

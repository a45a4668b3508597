import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';
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

const all: Readonly<Record<Language, MenuTexts>> = written;

export const menuTexts = (language: Language): MenuTexts => all[language];

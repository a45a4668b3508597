import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

interface UserTexts {
  /** Level 0; the others are letters in every language. */
  readonly administrator: string;
  readonly nameTaken: string;
  readonly nameFree: string;
}

const texts: Readonly<Record<Language, UserTexts>> = written;

export const userTexts = (language: Language): UserTexts => texts[language];

/** The account levels by number: administrator, then A to E. */
export const levelNames = (language: Language): Record<string, string> => ({
  0: userTexts(language).administrator,
  1: 'A',
  2: 'B',
  3: 'C',
  4: 'D',
  5: 'E',
});

import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** Rules of rows made by hand. */
export type RowRule = 'sideTwice' | 'poleTwice' | 'otherRoad' | 'notInRow';

/** What each of them says. */
export const rowTexts: Readonly<Record<Language, Readonly<Record<RowRule, string>>>> = written;

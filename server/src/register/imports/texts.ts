import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';
import type { ImportRule } from './row.ts';

interface Texts {
  readonly rules: Readonly<Record<ImportRule, string>>;
  /** The second sheet of a template. */
  readonly optionSheet: string;
  readonly dataSheet: string;
  readonly template: string;
  readonly failed: string;
  /** Between a field and what is wrong with it. */
  readonly colon: string;
}

/** Texts of imports in the six languages; rules of fields have theirs in the catalogue. */
export const importTexts: Readonly<Record<Language, Texts>> = written;

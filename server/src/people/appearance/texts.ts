import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** What the product is called while no branding is set. */
export const defaultName = (language: Language): string => written[language].name;

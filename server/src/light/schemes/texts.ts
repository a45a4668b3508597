import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** Words of the files of a scheme. */
export const schemeTexts: Readonly<Record<Language, (typeof written)['zh-CN']>> = written;

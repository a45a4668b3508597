import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** Words of the file of a night. */
export const nightTexts: Readonly<Record<Language, (typeof written)['zh-CN']>> = written;

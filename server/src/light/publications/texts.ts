import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** Words of the files of publications and their lamps. */
export const publicationTexts: Readonly<Record<Language, (typeof written)['zh-CN']>> = written;

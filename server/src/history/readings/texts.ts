import type { Language } from '../../../../catalogue/languages.ts';
import type { qualities } from '../../../../contract/history/history.ts';
import { written } from './texts/index.ts';

interface HistoryTexts {
  readonly title: string;
  readonly time: string;
  readonly code: string;
  readonly name: string;
  readonly readings: string;
  readonly quality: string;
  /** After the name of a quantity. */
  readonly least: string;
  readonly greatest: string;
  readonly qualities: Readonly<Record<(typeof qualities)[number], string>>;
}

/** Words of a file of the history. */
export const historyTexts: Readonly<Record<Language, HistoryTexts>> = written;

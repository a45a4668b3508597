import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

interface Texts {
  readonly title: string;
  readonly families: string;
  readonly workAreas: string;
  readonly roads: string;
  readonly ages: string;
  readonly vendors: string;
  readonly states: string;
  readonly controllers: string;
  readonly count: string;
  readonly share: string;
  readonly none: string;
  readonly others: string;
  readonly silent: string;
  readonly isOnline: string;
  /** `{from}`, `{to}`: whole years. */
  readonly years: string;
  readonly over: string;
  readonly under: string;
  readonly future: string;
  readonly code: string;
  readonly name: string;
  readonly lamps: string;
  readonly loops: string;
  readonly closed: string;
  readonly online: string;
  readonly known: string;
  readonly rate: string;
  /** Of the workbook of what ends. */
  readonly expiries: Readonly<Record<'warrantyUntil' | 'simExpiry' | 'days', string>>;
}

/** Words of the workbook in the six languages; families, states and options have theirs in the catalogue. */
export const statisticsTexts: Readonly<Record<Language, Texts>> = written;

import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** The texts of this subject; `{n}` is a number. */
export interface RoleTexts {
  readonly created: string;
  readonly saved: string;
  readonly deleted: string;
  /** Added where roles below lost entries with the changed one. */
  readonly narrowed: string;
  readonly nameTaken: string;
  /** What stands between the names of a list. */
  readonly between: string;
}

const all: Readonly<Record<Language, RoleTexts>> = written;

export const roleTexts = (language: Language): RoleTexts => all[language];

/** What is answered when a role was saved, and how many roles below it lost something by it. */
export const savedText = (language: Language, narrowed: number): string =>
  narrowed === 0
    ? all[language].saved
    : `${all[language].saved} ${all[language].narrowed.replace('{n}', String(narrowed))}`;

import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** What work groups say; the Chinese success texts are fixed (specified 6.7). */
export interface WorkGroupTexts {
  readonly created: string;
  readonly updated: string;
  readonly deleted: string;
  readonly nameRequired: string;
  readonly nameLength: string;
  readonly descriptionRequired: string;
  readonly descriptionLength: string;
  readonly membersRequired: string;
  readonly memberUnknown: string;
  readonly projectRequired: string;
  readonly projectUnknown: string;
  readonly organisationUnknown: string;
}

const all: Readonly<Record<Language, WorkGroupTexts>> = written;

export const workGroupTexts = (language: Language): WorkGroupTexts => all[language];

import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';

/** What organisations say; the Chinese success texts are fixed (specified 7.7). */
export interface OrganisationTexts {
  readonly deleted: string;
  readonly moved: string;
  readonly nameRequired: string;
  readonly nameLength: string;
  readonly descriptionLength: string;
  readonly personUnknown: string;
  readonly groupUnknown: string;
  readonly otherOrganisation: string;
}

const all: Readonly<Record<Language, OrganisationTexts>> = written;

export const organisationTexts = (language: Language): OrganisationTexts => all[language];

import type { Language } from '../../../../catalogue/languages.ts';
import { written } from './texts/index.ts';
import type { connectionKinds } from '../../../../contract/episodes.ts';
import type { ConnectionReason } from './outages.ts';

interface Texts {
  readonly title: string;
  readonly columns: Readonly<
    Record<
      | 'code'
      | 'name'
      | 'family'
      | 'area'
      | 'road'
      | 'kind'
      | 'reason'
      | 'began'
      | 'ended'
      | 'seconds'
      | 'times'
      | 'via'
      | 'address',
      string
    >
  >;
  readonly kinds: Readonly<Record<(typeof connectionKinds)[number], string>>;
  readonly reasons: Readonly<Record<ConnectionReason, string>>;
}

/** Words of the workbook in the six languages; families have theirs in the catalogue. */
export const connectionTexts: Readonly<Record<Language, Texts>> = written;

import type { Language } from '../../../../catalogue/languages.ts';
import type { ErrorName } from '../../../../contract/errors.ts';
import { written } from './texts/index.ts';
import type { RuleName, TextValues } from './refuse.ts';

/** What the HTTP floor says to people: one file a language. */
export interface HttpTexts {
  /** `title` names the refusal; `detail`, where there is one, may carry placeholders. */
  readonly errors: Readonly<Record<ErrorName, { readonly title: string; readonly detail?: string }>>;
  readonly rules: Readonly<Record<RuleName, string>>;
}

const all: Readonly<Record<Language, HttpTexts>> = written;

export const texts = (language: Language): HttpTexts => all[language];

/** Puts values into the `{placeholders}` of a text. */
export function fill(language: Language, text: string, values: TextValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? whole : typeof value === 'function' ? value(language) : String(value);
  });
}

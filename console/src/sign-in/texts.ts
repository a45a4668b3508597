import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type source from './texts/zh-CN.json';
import type { LanguageTag } from '../session/index.ts';

export type TextKey = keyof typeof source;
/** The texts that have a singular of their own. */
type Counted = { [Key in TextKey]: Key extends `${infer Base extends TextKey}.one` ? Base : never }[TextKey];

export interface Texts {
  (key: TextKey, values?: Readonly<Record<string, string>>): string;
  /** A text with a number, in the language's singular or plural. */
  counted(key: Counted, count: number): string;
  readonly tag: LanguageTag;
}

const files = import.meta.glob<Record<TextKey, string>>('./texts/*.json', { import: 'default' });

const fill = (text: string, values: Readonly<Record<string, string>> = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

export function textsOf(tag: LanguageTag, table: Readonly<Record<TextKey, string>>): Texts {
  const plural = new Intl.PluralRules(tag);
  return Object.assign((key: TextKey, values?: Readonly<Record<string, string>>) => fill(table[key], values), {
    tag,
    counted: (key: Counted, count: number) =>
      fill(table[plural.select(count) === 'one' ? (`${key}.one` as const) : key], { count: String(count) }),
  });
}

/** Loads one language; the others stay on the server. */
export async function loadTexts(tag: LanguageTag): Promise<Texts> {
  const load = files[`./texts/${tag}.json`];
  if (load === undefined) throw new Error(`no texts for ${tag}`);
  return textsOf(tag, await load());
}

export const TextsContext = createContext<Texts | undefined>(undefined);

export function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (texts === undefined) throw new Error('texts are not loaded');
  return texts;
}

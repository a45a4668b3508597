import { use, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { makeNames, withLabels, type CatalogueTexts, type Names } from '../../../catalogue/names.ts';
import { quantities, wordsOf } from '../../../catalogue/quantities/index.ts';
import { pseudo } from './pseudo.ts';
import { useOptionLabels } from './dictionaries.ts';

const files = import.meta.glob<{ default: CatalogueTexts }>('../../../catalogue/locales/*.json');
const loading = new Map<string, Promise<Names>>();

async function load(language: string): Promise<Names> {
  const file = files[`../../../catalogue/locales/${language === 'en-XA' ? 'en-US' : language}.json`];
  if (!file) throw new Error(`the catalogue has no texts in ${language}`);
  const texts = (await file()).default;
  return makeNames(language === 'en-XA' ? accented(texts) : texts);
}

/** The same tree with every text in the pseudo-language. */
const accented = <T>(tree: T): T =>
  Object.fromEntries(
    Object.entries(tree as object).map(([key, text]) => [
      key,
      typeof text === 'string'
        ? pseudo(text.replace(/\{(\w+)\}/g, '{{$1}}')).replace(/\{\{(\w+)\}\}/g, '{$1}')
        : accented(text),
    ]),
  ) as T;

/** The catalogue's names in a language, fetched once. */
export function namesFor(language: string): Promise<Names> {
  const names = loading.get(language) ?? load(language);
  loading.set(language, names);
  // A language file that did not arrive is asked for again next time.
  names.catch(() => loading.delete(language));
  return names;
}

/**
 * Names of families, fields, options, quantities … in the language in force, options as the dictionaries say; suspends
 * until they are there.
 */
export function useNames(): Names {
  const { i18n } = useTranslation('parts');
  const names = use(namesFor(i18n.language));
  const labels = useOptionLabels();
  // The pseudo-language shows what is not translated; the dictionaries have no words in it.
  return useMemo(
    () => (labels.size === 0 || i18n.language === 'en-XA' ? names : withLabels(names, labels)),
    [names, labels, i18n.language],
  );
}

/**
 * What a flag or a choice that a device reports is called; of a quantity that the catalogue does not know, as it is.
 */
export function stateWord(names: Names, key: string, value: boolean | string): string {
  const quantity = quantities.get(key);
  if (typeof value === 'boolean')
    return names.option(quantity?.kind === 'boolean' ? wordsOf(quantity) : 'boolean', String(value));
  return quantity?.kind === 'enum' && quantity.options.includes(value) ? names.option(wordsOf(quantity), value) : value;
}

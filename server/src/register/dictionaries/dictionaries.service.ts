import {
  labelOrder,
  languages,
  namesIn,
  optionSets,
  recordOf,
  withLabels,
  type Language,
  type Names,
  type OptionSet,
} from '../../../../catalogue/index.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { listDictionaries } from '../../../../contract/register/dictionaries.ts';
import type { Db } from '../../platform/db/index.ts';
import * as store from './dictionaries.store.ts';

const inEveryLanguage = (say: (names: Names) => string): store.Labels =>
  Object.fromEntries(languages.map((language) => [language, say(namesIn(language))])) as Record<Language, string>;

/** A set is called like the field it belongs to; where two fields have one name, whose field it is stands before it. */
function nameOf(set: OptionSet, names: Names): string {
  const own = names.field(set.field, set.owner);
  const shared = [...optionSets.values()].some(
    (other) => other.code !== set.code && names.field(other.field, other.owner) === own,
  );
  return shared ? `${recordOf(set.owner) ? names.record(set.owner) : names.family(set.owner)} · ${own}` : own;
}

const seedOf = (set: OptionSet): store.Seed => ({
  code: set.code,
  labels: inEveryLanguage((names) => nameOf(set, names)),
  items: set.options.map((value, index) => ({
    value,
    order: (index + 1) * 10,
    labels: inEveryLanguage((names) => names.option(set.code, value)),
  })),
});

/** Brings the catalogue's option sets into the dictionaries; at every start, before anything is served. */
export async function prepareDictionaries(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await store.lockBuiltIn(tx);
    await store.putBuiltIn(tx, [...optionSets.values()].map(seedOf));
  });
}

const called = (labels: store.Labels, language: Language): string =>
  labelOrder(language)
    .map((one) => labels[one])
    .find((label) => label !== null && label !== '') ?? '';

/** Dictionaries in a language: a few hundred rows, read anew each time, so that every process says the same. */
export function createDictionaries({ db }: { readonly db: Db }) {
  return {
    async list(language: Language, code?: string): Promise<ReplyOf<typeof listDictionaries>> {
      const [dictionaries, items] = await Promise.all([store.findDictionaries(db), store.findItems(db)]);
      const data = dictionaries
        .filter((one) => code === undefined || one.code === code)
        .map((one) => ({
          code: one.code,
          name: called(one.labels, language),
          builtIn: one.builtIn,
          open: optionSets.get(one.code)?.open ?? true,
          items: items
            .filter((item) => item.dictionary === one.code)
            .map((item) => ({ value: item.value, label: called(item.labels, language), enabled: item.enabled })),
        }));
      return { data, recordsTotal: data.length };
    },

    /** The catalogue's names in a language, options called as the dictionaries say: for lists, exports, messages. */
    namesIn: (language: Language): Promise<Names> => namesFrom(db, language),
  };
}
export type Dictionaries = ReturnType<typeof createDictionaries>;

/** The catalogue's names in a language, options called as the dictionaries say. */
export async function namesFrom(db: Db, language: Language): Promise<Names> {
  const labels = new Map<string, Map<string, string>>();
  for (const item of await store.findItems(db)) {
    const set = labels.get(item.dictionary) ?? new Map<string, string>();
    labels.set(item.dictionary, set.set(item.value, called(item.labels, language)));
  }
  return withLabels(namesIn(language), labels);
}

/**
 * What people may write for an option, by set: the value and its six labels, each with the value. Disabled ones are
 * left out.
 */
export async function optionWords(db: Db): Promise<ReadonlyMap<string, readonly (readonly [string, string])[]>> {
  const items = (await store.findItems(db)).filter((item) => item.enabled);
  return new Map(
    [...Map.groupBy(items, (item) => item.dictionary)].map(([set, of]) => [
      set,
      of.flatMap((item) =>
        [item.value, ...Object.values(item.labels)].flatMap((word) => (word ? [[word, item.value] as const] : [])),
      ),
    ]),
  );
}

/** The values each open set offers now, by set: the catalogue's and the administrators', without the disabled ones. */
export async function openOptions(db: Db): Promise<ReadonlyMap<string, readonly string[]>> {
  const items = await store.findItems(db);
  return new Map(
    [...optionSets.values()]
      .filter((set) => set.open)
      .map((set) => [
        set.code,
        items.filter((item) => item.dictionary === set.code && item.enabled).map((item) => item.value),
      ]),
  );
}

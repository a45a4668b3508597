import { families } from './families/index.ts';
import { records } from './records/index.ts';

/** An option set of the catalogue as a dictionary, which exists from the start. */
export interface OptionSet {
  readonly code: string;
  /** Administrators may add values and disable any. In a closed set they change only labels and order. */
  readonly open: boolean;
  readonly options: readonly string[];
  /** The field whose name the dictionary has. */
  readonly field: string;
  readonly owner: string;
}

// Sentences, colours and filters of the program depend on these words, so they are no dictionaries.
const fixedSets: ReadonlySet<string> = new Set(['status', 'family']);

function collect(): ReadonlyMap<string, OptionSet> {
  const sets = new Map<string, OptionSet>();
  for (const owner of [...families, ...records]) {
    for (const field of owner.fields) {
      if (field.kind !== 'select' || fixedSets.has(field.optionSet)) continue;
      const before = sets.get(field.optionSet);
      sets.set(field.optionSet, {
        code: field.optionSet,
        field: before?.field ?? field.key,
        owner: before?.owner ?? owner.key,
        // A set is open only if every field that uses it is.
        open: (before?.open ?? true) && field.open === true,
        options: [...new Set([...(before?.options ?? []), ...field.options])],
      });
    }
  }
  return sets;
}

/** Every option set that is offered as a dictionary, by its code. */
export const optionSets: ReadonlyMap<string, OptionSet> = collect();

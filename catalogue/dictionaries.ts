import { families } from './families/index.ts';
import { records } from './records/index.ts';

/** An option set of the catalogue as administrators see it: a dictionary that is there from the start. */
export interface OptionSet {
  readonly code: string;
  /** Own values may be added and any value disabled; else only its words and order are theirs. */
  readonly open: boolean;
  readonly options: readonly string[];
  /** The field that gives it its name. */
  readonly field: string;
  readonly owner: string;
}

// The program's own sentences, colours and filters speak of these words: they stay as they are.
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
        // One field that depends on its values closes the set for all.
        open: (before?.open ?? true) && field.open === true,
        options: [...new Set([...(before?.options ?? []), ...field.options])],
      });
    }
  }
  return sets;
}

/** Every option set that is offered as a dictionary, by its code. */
export const optionSets: ReadonlyMap<string, OptionSet> = collect();

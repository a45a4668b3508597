import {
  families,
  optionSets,
  type Field,
  type MasterRecord,
  type Problem,
  type Values,
} from '../../../../catalogue/index.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse } from '../../platform/http/index.ts';
import * as store from './dictionaries.store.ts';

const setOf = (code: string) => optionSets.get(code);

/**
 * What the declaration cannot say of a dictionary's value: the program depends on closed sets, so their values stay as
 * they are.
 */
export async function dictionaryProblems(
  tx: Db | Transaction,
  record: MasterRecord,
  values: Values,
  id: number | null,
): Promise<Problem[]> {
  if (record.key !== 'dictionary-item') return [];
  if (id === null) {
    const dictionary =
      typeof values['dictId'] === 'number' ? await store.findDictionary(tx, values['dictId']) : undefined;
    const set = dictionary && setOf(dictionary.dict_code);
    return set && !set.open ? [{ field: 'dictId', rule: 'dictionaryClosed' }] : [];
  }
  const item = await store.findItem(tx, id);
  const set = item && setOf(item.dict_code);
  return set && !set.open && values['status'] === 'disabled' ? [{ field: 'status', rule: 'dictionaryClosed' }] : [];
}

/** What is there from the start is not deleted: the catalogue would only bring it back. */
export async function refuseBuiltIn(tx: Transaction, record: MasterRecord, id: number): Promise<void> {
  const row =
    record.key === 'dictionary-item'
      ? await store.findItem(tx, id)
      : record.key === 'dictionary'
        ? await store.findDictionary(tx, id)
        : undefined;
  if (row?.built_in === true) throw refuse('builtInEntry');
}

/** Devices that hold a dictionary's value. */
export async function dictionaryUses(
  db: Db | Transaction,
  record: MasterRecord,
  id: number,
): Promise<{ what: string; count: number }[]> {
  if (record.key !== 'dictionary-item') return [];
  const item = await store.findItem(db, id);
  if (!item) return [];
  const fields = families.flatMap((family) =>
    family.fields
      .filter((field) => field.kind === 'select' && field.optionSet === item.dict_code && field.column === undefined)
      .map((field) => ({ family: family.key, key: field.key })),
  );
  const count = await store.countHolders(db, fields, item.item_value);
  return count > 0 ? [{ what: 'device', count }] : [];
}

/** Which of the changed choices out of open sets no dictionary offers (any more). */
export async function openOptionProblems(
  tx: Db | Transaction,
  fields: readonly Field[],
  values: Values,
  changed: ReadonlySet<string>,
): Promise<Problem[]> {
  const asked = fields.flatMap((field) =>
    field.kind === 'select' && field.open === true && changed.has(field.key) && typeof values[field.key] === 'string'
      ? [{ field, value: values[field.key] as string }]
      : [],
  );
  if (asked.length === 0) return [];
  const items = new Map((await store.findItems(tx)).map((item) => [`${item.dictionary} ${item.value}`, item.enabled]));
  return asked.flatMap(({ field, value }): Problem[] =>
    (items.get(`${field.optionSet} ${value}`) ?? field.options.includes(value))
      ? []
      : [{ field: field.key, rule: 'option' }],
  );
}

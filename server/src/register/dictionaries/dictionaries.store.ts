import { sql } from 'kysely';
import { labelFields, type Language } from '../../../../catalogue/index.ts';
import { takeLock, type Db, type Transaction } from '../../platform/db/index.ts';

export type Labels = Readonly<Record<Language, string | null>>;
export interface StoredDictionary {
  readonly id: number;
  readonly code: string;
  readonly builtIn: boolean;
  readonly labels: Labels;
}
export interface StoredItem {
  readonly dictionary: string;
  readonly value: string;
  readonly enabled: boolean;
  readonly labels: Labels;
}

const labelsJson = (alias: string) =>
  sql`jsonb_build_object(${sql.join(Object.entries(labelFields).map(([language, { column }]) => sql`${language}::text, ${sql.ref(`${alias}.${column}`)}`))})`;

/** Every dictionary, by code. */
export async function findDictionaries(db: Db | Transaction): Promise<StoredDictionary[]> {
  const { rows } =
    await sql<StoredDictionary>`SELECT d.id, d.dict_code AS code, d.built_in AS "builtIn", ${labelsJson('d')} AS labels
      FROM dictionary d ORDER BY d.dict_code COLLATE natural_order`.execute(db);
  return rows;
}

/** Every value of every dictionary, in the order it is offered. */
export async function findItems(db: Db | Transaction): Promise<StoredItem[]> {
  const { rows } =
    await sql<StoredItem>`SELECT d.dict_code AS dictionary, i.item_value AS value, i.status = 'enabled' AS enabled,
      ${labelsJson('i')} AS labels
    FROM dictionary_item i JOIN dictionary d ON d.id = i.dictionary_id
      ORDER BY d.id, i.sort_order NULLS LAST, i.id`.execute(db);
  return rows;
}

export interface Seed {
  readonly code: string;
  readonly labels: Labels;
  readonly items: readonly { readonly value: string; readonly order: number; readonly labels: Labels }[];
}

const columns = sql.join(Object.values(labelFields).map(({ column }) => sql.ref(column)));
const given = (alias: string) =>
  sql.join(Object.keys(labelFields).map((language) => sql`${sql.ref(`${alias}.labels`)} ->> ${language}`));
const fresh = sql.join(
  Object.values(labelFields).map(({ column }) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
);

/** Two processes that start at once write one after the other. */
export const lockBuiltIn = (tx: Transaction) => takeLock(tx, 'dictionaries');

/**
 * Writes the catalogue's own sets: what nobody changed follows its texts, what somebody changed stays, what is declared
 * no more goes.
 */
export async function putBuiltIn(tx: Transaction, seeds: readonly Seed[]): Promise<void> {
  const sets = JSON.stringify(seeds.map(({ code, labels }) => ({ code, labels })));
  const items = JSON.stringify(seeds.flatMap(({ code, items: own }) => own.map((item) => ({ ...item, code }))));
  await sql`INSERT INTO dictionary (dict_code, built_in, ${columns}) SELECT x.code, true, ${given('x')}
    FROM jsonb_to_recordset(${sets}::jsonb) AS x(code text, labels jsonb)
    ON CONFLICT (lower(normalize(dict_code, NFKC))) DO UPDATE SET ${fresh}, built_in = true
      WHERE dictionary.version = 1`.execute(tx);
  await sql`INSERT INTO dictionary_item (dictionary_id, item_value, sort_order, built_in, ${columns})
    SELECT d.id, x.value, x."order", true, ${given('x')}
      FROM jsonb_to_recordset(${items}::jsonb) AS x(code text, value text, "order" int, labels jsonb)
    JOIN dictionary d ON lower(normalize(d.dict_code, NFKC)) = lower(normalize(x.code, NFKC))
    ON CONFLICT (dictionary_id, lower(normalize(item_value, NFKC))) DO UPDATE
      SET ${fresh}, sort_order = excluded.sort_order, built_in = true WHERE dictionary_item.version = 1`.execute(tx);
  await sql`DELETE FROM dictionary_item i USING dictionary d WHERE d.id = i.dictionary_id AND i.built_in
    AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${items}::jsonb) AS x(code text, value text)
      WHERE x.code = d.dict_code AND x.value = i.item_value)`.execute(tx);
}

/** The dictionary of an id, if there is one. */
export const findDictionary = (tx: Db | Transaction, id: number) =>
  tx.selectFrom('dictionary').select(['dict_code', 'built_in']).where('id', '=', id).executeTakeFirst();

/** One value with the dictionary it belongs to. */
export const findItem = (tx: Db | Transaction, id: number) =>
  tx
    .selectFrom('dictionary_item as i')
    .innerJoin('dictionary as d', 'd.id', 'i.dictionary_id')
    .select(['d.dict_code', 'i.item_value', 'i.built_in'])
    .where('i.id', '=', id)
    .executeTakeFirst();

/** How many devices hold a value in one of these fields (family and wire name). */
export async function countHolders(
  tx: Db | Transaction,
  fields: readonly { family: string; key: string }[],
  value: string,
): Promise<number> {
  if (fields.length === 0) return 0;
  const holds = sql.join(
    fields.map(({ family, key }) => sql`(family = ${family} AND props @> ${JSON.stringify({ [key]: value })}::jsonb)`),
    sql` OR `,
  );
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM device WHERE ${holds}`.execute(tx);
  return rows[0]?.n ?? 0;
}

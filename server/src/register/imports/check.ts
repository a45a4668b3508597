import { isLamp, type Family } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { searchWords } from '../../platform/search-words.ts';
import { readTable } from '../../platform/table-file/index.ts';
import { optionWords } from '../dictionaries/index.ts';
import { findByCodes, type Devices } from '../devices/index.ts';
import * as store from './imports.store.ts';
import { codeKey, judge, resolve, staged, type ImportScope, type JudgedRow, type ResolvedRow } from './judge.ts';
import { useOf } from './coordinates.ts';
import { createLookup } from './lookups.ts';
import { nearest, questionsOf, type PlaceQuestion } from './place.ts';
import { rowReader, type ReadRow } from './row.ts';
import { analyse } from './write.ts';

export interface CheckParts {
  readonly db: Db;
  readonly devices: Pick<Devices, 'prepared'>;
}
export interface CheckWork {
  readonly id: number;
  readonly family: Family;
  readonly bytes: Uint8Array;
  readonly one: store.StoredImport;
  /** The account that imports, with what it may see. */
  readonly scope: ImportScope & { readonly accountId: number };
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
}

const batchRows = 250;
/** A city is not wider. */
const farMetres = 50_000;
/** Below so many positions no middle can be told. */
const fewPositions = 5;
const mostWords = 200;

/**
 * Looks at every row of a file and keeps the outcome beside the register; nothing of the register is written. Memory
 * does not grow with the file's rows.
 */
export async function checkFile(
  { db, devices }: CheckParts,
  { id, family, bytes, one, scope, progress, signal }: CheckWork,
): Promise<store.Counts> {
  await store.clearRows(db, id);
  const read = rowReader(family, one.plan, await optionWords(db));
  const lookup = createLookup(db);
  const strange = new Map<string, Map<string, number>>();
  let batch: ReadRow[] = [];
  let done = 0;
  let isHeading = true;
  /** Rows that are judged are staged while the next are read and judged. */
  let staging: Promise<void> = Promise.resolve();
  const flush = async () => {
    signal.throwIfAborted();
    await lookup.load(batch.flatMap((row) => row.wanted));
    const judged = await judgeBatch(batch.map((row) => resolve(row, lookup, family, one.plan, scope)));
    await staging;
    staging = store.stage(db, id, judged);
    // A failure is told by the next who waits for it.
    staging.catch(() => undefined);
    done += batch.length;
    batch = [];
    progress(done);
  };
  const judgeBatch = async (rows: readonly ResolvedRow[]): Promise<JudgedRow[]> => {
    const known = await findByCodes(
      db,
      family.key,
      scope,
      rows.flatMap(({ given }) =>
        typeof given['workId'] === 'number' && typeof given['equipmentCode'] === 'string'
          ? [{ area: given['workId'], key: codeKey(given['equipmentCode']) }]
          : [],
      ),
    );
    const byCode = new Map(known.map((device) => [`${device.work_area_id} ${codeKey(device.equipment_code)}`, device]));
    return Promise.all(
      rows.map(async (row) => {
        const current = byCode.get(
          `${String(row.given['workId'])} ${codeKey(String(row.given['equipmentCode'] ?? ''))}`,
        );
        const { values, ...judged } = judge(family, one.plan, row, current);
        return withSearchWords(
          staged(family, judged, await devices.prepared(family, values)),
          current?.equipment_name ?? null,
        );
      }),
    );
  };
  try {
    for await (const { number, cells } of readTable(bytes, one.format)) {
      if (isHeading) {
        isHeading = false;
        continue;
      }
      const row = read(number, cells);
      for (const { field, word } of row.strange) count(strange, field, word);
      batch.push(row);
      if (batch.length >= batchRows) await flush();
    }
    await flush();
  } finally {
    // Whatever ends the reading: nothing is written any more when a check is over.
    await Promise.allSettled([staging]);
  }
  await staging;
  await analyse(db);
  await store.refuseRepeated(db, id);
  if (!one.plan.acceptFar) await refuseStrays(db, id);
  if (isLamp(family.key)) await store.refuseFullPoles(db, id);
  await store.refuseCycles(db, id, family);
  const words = Object.fromEntries(
    [...strange].map(([field, of]) => [
      field,
      [...of]
        .map(([word, rows]) => ({ word, rows }))
        .toSorted((a, b) => b.rows - a.rows)
        .slice(0, mostWords),
    ]),
  );
  return store.endCheck(db, id, words, await placeQuestions(db, id, one.plan.system, scope.workAreas));
}

/** Whether the file as a whole lies where its system is used and the register is. */
async function placeQuestions(
  db: Db,
  id: number,
  system: string,
  areas: ImportScope['workAreas'],
): Promise<PlaceQuestion[]> {
  const middle = await store.middle(db, id);
  if (!middle) return [];
  const area = useOf(system)?.area;
  const outside = area ? await store.countOutside(db, id, area) : 0;
  return questionsOf(
    system,
    middle,
    { rows: middle.count, outside },
    nearest(middle, await store.registerPlaces(db, areas)),
  );
}

/** A row is found by the global search as soon as it is written. */
async function withSearchWords(row: JudgedRow, nameBefore: string | null): Promise<JudgedRow> {
  const { equipment_code: code, equipment_name: name } = row.columns;
  if (code === undefined && name === undefined) return row;
  const called = name === undefined ? nameBefore : name;
  return {
    ...row,
    columns: { ...row.columns, search_words: await searchWords(row.code, typeof called === 'string' ? called : null) },
  };
}

async function refuseStrays(db: Db, id: number): Promise<void> {
  const middle = await store.middle(db, id);
  if (middle && middle.count >= fewPositions) await store.refuseFar(db, id, middle, farMetres);
}

function count(words: Map<string, Map<string, number>>, field: string, word: string): void {
  const of = words.get(field) ?? new Map<string, number>();
  words.set(field, of);
  // A column of free text mapped to options by mistake must not fill the memory.
  if (of.has(word) || of.size < mostWords * 5) of.set(word, (of.get(word) ?? 0) + 1);
}

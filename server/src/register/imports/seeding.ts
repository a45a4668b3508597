import { familyOf } from '../../../../catalogue/index.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { checkFile, type CheckParts } from './check.ts';
import * as store from './imports.store.ts';
import { columnsOf, fingerprintOf, inspected } from './look.ts';
import { suggestPlan } from './plan.ts';
import { writeRows } from './write.ts';

export interface ImportSeed {
  readonly family: string;
  readonly fileName: string;
  readonly bytes: Buffer;
  readonly accountId: number;
  /** Code of the work area that every row goes to. */
  readonly workArea: string;
  readonly at: Date;
  /** Whether the rows without a problem are written too; else the import waits for somebody to apply it. */
  readonly applied: boolean;
}

/**
 * Uploads and checks a file, and applies it where that is wanted, by the rules of every import: rows with problems stay
 * outside. Returns the id of the import.
 */
export async function addImport(
  tx: Transaction,
  { devices, files }: Pick<CheckParts, 'devices'> & { readonly files: Pick<Files, 'put'> },
  { family: key, fileName, bytes, accountId, workArea, at, applied }: ImportSeed,
): Promise<number> {
  const family = familyOf(key);
  if (!family) throw new Error(`no family ${key}`);
  const look = await inspected(bytes);
  const id = await store.insertImport(tx, {
    accountId,
    workAreaId: null,
    family: key,
    file: await files.put(bytes),
    fileName,
    fileBytes: bytes.length,
    format: look.format,
    columns: columnsOf(look),
    fingerprint: fingerprintOf(key, look.headings),
    plan: suggestPlan(family, look.headings, look.rows, workArea),
    isRemembered: false,
    at,
  });
  const one = await store.findImport(tx, id);
  if (!one) throw new Error(`the import ${id} was not written`);
  await checkFile(
    { db: tx, devices },
    {
      id,
      family,
      bytes,
      one,
      scope: { accountId, workAreas: 'all', workAreaId: null },
      progress: () => undefined,
      signal: AbortSignal.timeout(60_000),
    },
  );
  if (applied) await writeRows(tx, id, key, 'valid', at);
  return id;
}

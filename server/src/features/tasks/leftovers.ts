import type { Db } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { isKept } from './tasks.store.ts';

/** So long ended tasks and their files are kept. */
export const keptMs = 7 * 86_400_000;

/** Takes away files that no task has any more. */
export async function removeUnkept({ db, files }: { readonly db: Db; readonly files: Files }, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) if (!(await isKept(db, name))) await files.remove(name);
}

import type { Transaction } from '../../platform/db/index.ts';
import { contentHashOf } from './files.ts';
import type { Kind } from './kinds.ts';
import { insertItem, insertVersion } from './versioned.store.ts';

/** A scheme or template that is there from the start, with its first version. Returns the id of the version. */
export async function addWithVersion<Content, Closed extends string, OfRow, OfContent>(
  tx: Transaction,
  kind: Kind<Content, Closed, OfRow, OfContent>,
  {
    content,
    by,
    ...item
  }: {
    readonly workAreaId: number;
    readonly code: string;
    readonly name: string;
    readonly content: Content;
    readonly by: string;
    readonly at: Date;
  },
): Promise<number> {
  const id = await insertItem(tx, kind, item);
  return insertVersion(tx, kind, id, {
    number: 1,
    content,
    contentHash: contentHashOf(content),
    note: null,
    basedOn: null,
    by,
    at: item.at,
  });
}

import type { Transaction } from '../../platform/db/index.ts';
import { contentHashOf } from './files.ts';
import type { Kind } from './kinds.ts';
import { findOne, insertItem, insertVersion, updateItem } from './versioned.store.ts';

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

/**
 * The next version of a scheme or template, frozen at `at` and followed by no lamp yet; `changed` makes its content of
 * the newest one. Returns its number; undefined: there is no such row.
 */
export async function addNextVersion<Content, Closed extends string, OfRow, OfContent>(
  tx: Transaction,
  kind: Kind<Content, Closed, OfRow, OfContent>,
  id: number,
  {
    changed,
    note,
    by,
    at,
  }: {
    readonly changed: (content: Content) => Content;
    readonly note: string;
    readonly by: string;
    readonly at: Date;
  },
): Promise<number | undefined> {
  const found = await findOne<Content>(tx, kind, { accountId: 0, workAreas: 'all', workAreaId: null }, id, at);
  if (!found?.content || found.number === null) return undefined;
  const content = changed(found.content);
  const number = found.number + 1;
  await insertVersion(tx, kind, id, {
    number,
    content,
    contentHash: contentHashOf(content),
    note,
    basedOn: found.number,
    by,
    at,
  });
  await updateItem(tx, kind, id, at, {});
  return number;
}

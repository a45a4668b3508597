import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { shortHash } from './files.ts';
import type { Kind } from './kinds.ts';
import type { VersionedParts } from './versioned.service.ts';
import * as store from './versioned.store.ts';

const noLamps = { following: 0, unreported: 0, diverged: 0 } as const;

/** Lists, items and versions as the calls answer them, with the lamps that the caller sees. */
export function createReading<Content, Closed extends string, OfRow, OfContent>(
  kind: Kind<Content, Closed, OfRow, OfContent>,
  { db, clock }: Pick<VersionedParts, 'db' | 'clock'>,
) {
  function stateOf({ closedAt, number, used }: store.StoredItem): 'draft' | 'frozen' | 'inUse' | Closed {
    if (closedAt !== null) return kind.closed;
    return number === null ? 'draft' : used ? 'inUse' : 'frozen';
  }
  function rowOf(caller: Caller, row: store.StoredItem, counts: readonly store.LampCount[]) {
    const own = counts.filter(({ item }) => item === row.id);
    const sum = (key: keyof typeof noLamps) => own.reduce((all, count) => all + count[key], 0);
    const mayEdit = caller.permissions.has(kind.permission) && (row.workAreaId !== null || caller.level === 0);
    return {
      id: row.id,
      code: row.code,
      name: row.name,
      workAreaId: row.workAreaId,
      workAreaName: row.workAreaName,
      state: stateOf(row),
      version: row.version,
      draft:
        row.draftBy === null || row.draftAt === null
          ? null
          : { by: row.draftBy, at: row.draftAt.toISOString(), basedOn: row.draftBasedOn },
      newest:
        row.number === null || row.contentHash === null || row.frozenBy === null || row.frozenAt === null
          ? null
          : {
              number: row.number,
              hash: shortHash(row.contentHash),
              by: row.frozenBy,
              at: row.frozenAt.toISOString(),
            },
      lamps: {
        following: sum('following'),
        unreported: sum('unreported'),
        diverged: sum('diverged'),
        byVersion: own.flatMap(({ number, following }) => (following > 0 ? [{ number, following }] : [])),
      },
      editable: mayEdit && caller.previewBy === undefined,
      deletable: row.number === null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      ...kind.ofRow(row),
    };
  }
  function versionRow(version: store.StoredVersion, counts: readonly store.LampCount[]) {
    const { number, contentHash, note, basedOn, by, at } = version;
    const { following, unreported, diverged } = counts.find((count) => count.number === number) ?? noLamps;
    const hash = shortHash(contentHash);
    return { number, hash, note, basedOn, by, at: at.toISOString(), following, unreported, diverged };
  }

  /** The row if the caller sees it. */
  async function found(from: Db | Transaction, caller: Caller, id: number) {
    const row = await store.findOne<Content>(from, kind, caller, id, clock.now());
    if (!row) throw refuse('notFound');
    if (!row.visible) throw refuse('foreignWorkArea');
    return row;
  }

  /** A page of the list, with the lamps of every version. */
  async function page(caller: Caller, query: store.ListQuery) {
    const now = clock.now();
    const { rows, total } = await store.findPage(db, kind, caller, query, now);
    const ids = rows.map(({ id }) => id);
    const counts = ids.length === 0 ? [] : await store.countLamps(db, kind, caller, ids, now);
    return { data: rows.map((row) => rowOf(caller, row, counts)), recordsTotal: total, counts };
  }

  return {
    found,

    page,

    async list(caller: Caller, query: store.ListQuery) {
      const { data, recordsTotal } = await page(caller, query);
      return { data, recordsTotal };
    },

    async get(caller: Caller, id: number) {
      const row = await found(db, caller, id);
      const counts = await store.countLamps(db, kind, caller, [id], clock.now());
      return { ...rowOf(caller, row, counts), content: row.content, ...kind.ofContent(row.content) };
    },

    async versions(caller: Caller, id: number) {
      await found(db, caller, id);
      const [rows, counts] = await Promise.all([
        store.findVersions(db, kind, id),
        store.countLamps(db, kind, caller, [id], clock.now()),
      ]);
      return { data: rows.map((row) => versionRow(row, counts)), recordsTotal: rows.length };
    },

    async version(caller: Caller, id: number, number: number) {
      await found(db, caller, id);
      const row = await store.findVersion<Content>(db, kind, id, number);
      if (!row) throw refuse('notFound');
      const counts = await store.countLamps(db, kind, caller, [id], clock.now());
      const { contentHash, content } = row;
      return { ...versionRow(row, counts), contentHash, content, ...kind.ofContent(content) };
    },
  };
}

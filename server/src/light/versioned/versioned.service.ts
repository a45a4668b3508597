import { code as codeField } from '../../../../catalogue/fields/code.ts';
import { readField } from '../../../../catalogue/fields/index.ts';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { threeWay } from '../../../../catalogue/lighting/plan/canonical.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuse, refuseProblems, type Caller, type RequestContext } from '../../platform/http/index.ts';
import { translateTaken } from '../../register/devices/index.ts';
import { below, contentHashOf, fileProblems, fileSchema, isFile, shortHash, type VersionFile } from './files.ts';
import type { Kind } from './kinds.ts';
import { createReading } from './reading.ts';
import * as store from './versioned.store.ts';

export interface VersionedParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
}
type Ctx = Pick<RequestContext, 'caller' | 'change'>;
/** Of the row of the operation log: hashes of what a draft or the newest version contained, and contains. */
type Facts = Record<string, unknown>;
const short = (contentHash: string | null) => (contentHash === null ? null : shortHash(contentHash));
const hashOfContent = (content: unknown) => (content === null ? null : shortHash(contentHashOf(content)));
interface Names {
  readonly code?: string | undefined;
  readonly name?: string | undefined;
}
interface NewItem extends Names {
  readonly workAreaId?: number | null | undefined;
}
interface NewImport extends NewItem {
  readonly file?: object | undefined;
}

const ofCode = codeField('code', { required: true, maxLength: planLimits.planCode.max });

/** What is wrong with a code and a name in themselves. */
function nameProblems({ code, name }: Names): Problem[] {
  const read = code === undefined ? undefined : readField(ofCode, code);
  const isShort = name !== undefined && [...name.trim()].length < planLimits.planName.min;
  return [
    ...(read && 'fault' in read ? [{ field: 'code', ...read.fault }] : []),
    ...(isShort ? [{ field: 'name', rule: 'minLength', params: { min: planLimits.planName.min } } as const] : []),
  ];
}
const cleanCode = (code: string): string => {
  const read = readField(ofCode, code);
  return 'value' in read && typeof read.value === 'string' ? read.value : code;
};
const throwProblems = (problems: readonly Problem[]): void => {
  if (problems.length > 0) throw refuseProblems(problems);
};

/**
 * Drafts that people edit, and the immutable versions that they are frozen into: the mechanism of schemes and of
 * templates.
 */
export function createVersioned<Content, Closed extends string, OfRow, OfContent>(
  kind: Kind<Content, Closed, OfRow, OfContent>,
  parts: VersionedParts,
) {
  const { db, bus, clock } = parts;
  const reading = createReading(kind, parts);
  const { subject } = kind;

  const isForeign = ({ workAreas, workAreaId }: Caller, area: number): boolean =>
    (workAreas !== 'all' && !workAreas.includes(area)) || (workAreaId !== null && workAreaId !== area);
  const refuseArea = (caller: Caller, area: number | null): void => {
    if (area === null && caller.level !== 0) throw refuse('onlyAdministrators');
    if (area !== null && isForeign(caller, area)) throw refuse('foreignWorkArea');
  };
  /** The row, held until the transaction ends, if the caller may change it and read it at this version. */
  async function held(tx: Transaction, caller: Caller, id: number, version?: number) {
    await store.lockOne(tx, kind, id);
    const row = await reading.found(tx, caller, id);
    refuseArea(caller, row.workAreaId);
    if (version !== undefined && version !== row.version) throw refuse('changedMeanwhile');
    return row;
  }
  /** `work` adds to the facts what it finds out. */
  async function changed<T>(
    { change }: Ctx,
    verb: string,
    params: object,
    work: (tx: Transaction, facts: Facts) => Promise<T>,
  ) {
    const facts: Facts = {};
    const done = await change({ action: `${subject}.${verb}`, params, facts }, (tx) => work(tx, facts));
    bus.publish('plans.changed', {});
    return done;
  }
  /** What the register says against a new row: an area that does not exist, a code that another row has. */
  async function areaProblems(caller: Caller, { workAreaId = null, code }: NewItem): Promise<Problem[]> {
    if (workAreaId !== null && isForeign(caller, workAreaId)) return [];
    if (workAreaId !== null && !(await store.areaExists(db, workAreaId)))
      return [{ field: 'workAreaId', rule: 'notFound' }];
    const taken = code !== undefined && (await store.isCodeTaken(db, kind, workAreaId, cleanCode(code), null));
    return taken ? [{ field: 'code', rule: 'taken' }] : [];
  }
  const newProblems = async (caller: Caller, body: NewItem): Promise<Problem[]> => [
    ...nameProblems(body),
    ...(await areaProblems(caller, body)),
  ];
  const namesOf = (row: { readonly code: string; readonly name: string }, { code, name }: Names) => ({
    code: code === undefined ? row.code : cleanCode(code),
    name: name === undefined ? row.name : name.trim(),
  });
  /** Code and name of an import: as asked, else as the file says. */
  function importNames({ code, name, file }: NewImport): Names {
    const { code: ofFile, name: called }: { readonly code?: unknown; readonly name?: unknown } = file ?? {};
    return {
      code: code ?? (typeof ofFile === 'string' ? ofFile : undefined),
      name: name ?? (typeof called === 'string' ? called : undefined),
    };
  }
  async function importProblems(caller: Caller, body: NewImport): Promise<Problem[]> {
    const ofFile = body.file === undefined ? [] : fileProblems(kind, body.file);
    const own = await newProblems(caller, { workAreaId: body.workAreaId, ...importNames(body) });
    const toldOfFile = new Set(ofFile.map(({ field }) => field));
    return [...ofFile, ...own.filter(({ field }) => !toldOfFile.has(`file.${field}`))];
  }
  const written = (caller: Caller, id: number) => reading.get({ ...caller, workAreaId: null }, id);
  const draftOf = (content: Content, by: string, at: Date) => ({
    draft: JSON.stringify(content),
    draft_by: by,
    draft_at: at,
  });

  return {
    ...reading,
    schema: (): Record<string, unknown> => fileSchema(kind),

    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: {
      ofNew: newProblems,
      async ofNames(caller: Caller, id: number | undefined, body: Names): Promise<Problem[]> {
        const row = id === undefined ? undefined : await store.findOne(db, kind, caller, id, clock.now());
        const { code } = body;
        const isTaken =
          row?.visible === true &&
          code !== undefined &&
          (await store.isCodeTaken(db, kind, row.workAreaId, cleanCode(code), row.id));
        return [...nameProblems(body), ...(isTaken ? [{ field: 'code', rule: 'taken' } as const] : [])];
      },
      ofContent: (content: unknown): Problem[] =>
        content === undefined ? [] : below('content', kind.problems(content)),
      ofImport: importProblems,
    },

    async create(ctx: Ctx, body: Required<NewItem> & { readonly code: string; readonly name: string }) {
      throwProblems(nameProblems(body));
      const workAreaId = body.workAreaId ?? null;
      refuseArea(ctx.caller, workAreaId);
      throwProblems(await areaProblems(ctx.caller, body));
      const names = namesOf(body, body);
      const id = await translateTaken('code', () =>
        changed(ctx, 'create', { ...names, workAreaId }, (tx) =>
          store.insertItem(tx, kind, { ...names, workAreaId, at: clock.now() }),
        ),
      );
      return written(ctx.caller, id);
    },

    async rename(ctx: Ctx, id: number, { version, ...body }: Names & { readonly version: number }) {
      throwProblems(nameProblems(body));
      await translateTaken('code', () =>
        changed(ctx, 'rename', { id, ...body }, async (tx, facts) => {
          const row = await held(tx, ctx.caller, id, version);
          Object.assign(facts, { before: { code: row.code, name: row.name } });
          await store.updateItem(tx, kind, id, clock.now(), namesOf(row, body));
        }),
      );
      return written(ctx.caller, id);
    },

    async remove(ctx: Ctx, id: number): Promise<void> {
      await changed(ctx, 'delete', { id }, async (tx, facts) => {
        const row = await held(tx, ctx.caller, id);
        if (row.number !== null) throw refuse('hasVersions');
        Object.assign(facts, { code: row.code, hashBefore: hashOfContent(row.content), hashAfter: null });
        await store.deleteItem(tx, kind, id);
      });
    },

    async save(ctx: Ctx, id: number, { version, content }: { readonly version: number; readonly content: unknown }) {
      if (!kind.isContent(content)) throw refuseProblems(below('content', kind.problems(content)));
      await changed(ctx, 'draft', { id, version, contentHash: contentHashOf(content) }, async (tx, facts) => {
        const row = await held(tx, ctx.caller, id);
        const hashes = { hashBefore: hashOfContent(row.content), hashAfter: hashOfContent(content) };
        Object.assign(facts, { code: row.code, ...hashes });
        if (row.version !== version)
          throw refuse('changedMeanwhile', {}, { body: { difference: await differenceOf(tx, row, version, content) } });
        const at = clock.now();
        await store.updateItem(tx, kind, id, at, {
          ...draftOf(content, ctx.caller.username, at),
          draft_based_on: row.draftBy === null ? row.number : row.draftBasedOn,
        });
      });
      return written(ctx.caller, id);
    },

    async discard(ctx: Ctx, id: number, version: number) {
      await changed(ctx, 'discard', { id, version }, async (tx, facts) => {
        const row = await held(tx, ctx.caller, id, version);
        if (row.draftBy === null) throw refuse('noDraft');
        const hashes = { hashBefore: hashOfContent(row.content), hashAfter: short(row.contentHash) };
        Object.assign(facts, { code: row.code, ...hashes });
        await store.updateItem(tx, kind, id, clock.now(), noDraft);
      });
      return written(ctx.caller, id);
    },

    async freeze(ctx: Ctx, id: number, { version, note }: { readonly version: number; readonly note?: string | null }) {
      const number = await changed(ctx, 'freeze', { id, version, note }, async (tx, facts) => {
        const row = await held(tx, ctx.caller, id, version);
        if (row.draftBy === null || row.content === null) throw refuse('noDraft');
        const [next, at] = [(row.number ?? 0) + 1, clock.now()];
        const hashes = { hashBefore: short(row.contentHash), hashAfter: hashOfContent(row.content) };
        Object.assign(facts, { code: row.code, number: next, ...hashes });
        await store.insertVersion(tx, kind, id, {
          number: next,
          content: row.content,
          contentHash: contentHashOf(row.content),
          note: note?.trim() || null,
          basedOn: row.draftBasedOn,
          by: ctx.caller.username,
          at,
        });
        await store.updateItem(tx, kind, id, at, noDraft);
        return next;
      });
      return reading.version({ ...ctx.caller, workAreaId: null }, id, number);
    },

    /** Withdraws or retires it; or takes that back. */
    async close(ctx: Ctx, id: number, version: number, verb: 'withdraw' | 'retire' | 'restore') {
      await changed(ctx, verb, { id, version }, async (tx, facts) => {
        const row = await held(tx, ctx.caller, id, version);
        const counts = await store.countLamps(tx, kind, ctx.caller, [id], clock.now());
        const lamps = counts.reduce((sum, { following }) => sum + following, 0);
        const hash = short(row.contentHash);
        Object.assign(facts, { code: row.code, number: row.number, hashBefore: hash, hashAfter: hash, lamps });
        const at = clock.now();
        const closedAt = verb === 'restore' ? null : (row.closedAt ?? at);
        await store.updateItem(tx, kind, id, at, { [kind.columns.closedAt]: closedAt });
      });
      return written(ctx.caller, id);
    },

    async file(caller: Caller, id: number, number: number) {
      const item = await reading.found(db, caller, id);
      const { note, contentHash, content } = await reading.version(caller, id, number);
      const { code, name } = item;
      const file: VersionFile<Content> = { format: kind.format, code, name, number, note, contentHash, content };
      return {
        name: `${code.replaceAll('/', '-')}-v${number}.json`,
        type: 'application/json',
        content: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
      };
    },

    /** A new item whose draft is the content of a file. */
    async import(ctx: Ctx, body: NewImport & { readonly file: object }) {
      const { file } = body;
      const workAreaId = body.workAreaId ?? null;
      if (!isFile(kind, file)) throw refuseProblems(await importProblems(ctx.caller, body));
      throwProblems(nameProblems(importNames(body)));
      refuseArea(ctx.caller, workAreaId);
      throwProblems(await importProblems(ctx.caller, body));
      const names = namesOf(file, body);
      const { contentHash } = file;
      const id = await translateTaken('code', () =>
        changed(ctx, 'import', { ...names, workAreaId, contentHash }, async (tx, facts) => {
          const at = clock.now();
          Object.assign(facts, { hashBefore: null, hashAfter: hashOfContent(file.content) });
          const made = await store.insertItem(tx, kind, { ...names, workAreaId, at });
          await store.updateItem(tx, kind, made, at, draftOf(file.content, ctx.caller.username, at));
          return made;
        }),
      );
      return written(ctx.caller, id);
    },
  };

  /** What the second saver is told: what others and he changed since the version that he began from. */
  async function differenceOf(
    tx: Transaction,
    row: Awaited<ReturnType<typeof reading.found>>,
    version: number,
    mine: Content,
  ) {
    const base = await store.contentAt<Content>(tx, kind, row.id, version);
    return {
      version: row.version,
      by: row.draftBy ?? row.frozenBy,
      at: (row.draftBy === null ? row.frozenAt : row.draftAt)?.toISOString() ?? null,
      base,
      theirs: row.content,
      mine,
      ...threeWay(base, row.content, mine),
    };
  }
}

const noDraft = { draft: null, draft_by: null, draft_at: null, draft_based_on: null } as const;

import { createHash } from 'node:crypto';
import { familyOf, namesIn, type Family, type Language } from '../../../../catalogue/index.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { getImport, listImportPins, listImportRows, listImports, uploadImport } from '../../../../contract/routes/imports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { removeUnkept, type Files } from '../../platform/files/index.ts';
import { refuse, refuseFields, type Caller, type RequestContext } from '../../platform/http/index.ts';
import { sheetType, writeSheet } from '../../platform/sheet/index.ts';
import { inspectTable, readTable, TableRefusal, type TableLook } from '../../platform/table-file/index.ts';
import type { Tasks } from '../tasks/index.ts';
import { namedSystems, toWgs84 } from './coordinates.ts';
import * as store from './imports.store.ts';
import { checkPlan, problemHeadings, suggestPlan, withoutProblems, type Plan } from './plan.ts';
import type { RowProblem } from './row.ts';
import { importTexts } from './texts.ts';
import { keptDays } from './retention.ts';
import { failedRows, problemText, templateOf } from './workbooks.ts';

export interface ImportsParts { readonly db: Db; readonly clock: Clock; readonly files: Files; readonly tasks: Tasks }
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'language' | 'timezoneOffset' | 'setHeader' | 'upload'>;
type View = ReplyOf<typeof getImport>;
export type Imports = ReturnType<typeof createImports>;

const mostBytes = 64 * 1024 * 1024;
const standardSize = 20;
const samplesShown = 5;

function declaredFamily(key: string): Family {
  const family = familyOf(key);
  if (!family) throw refuse('unknownFamily');
  return family;
}

async function inspected(bytes: Uint8Array, sheet?: string): Promise<TableLook> {
  try {
    return await inspectTable(bytes, sheet);
  } catch (thrown) {
    throw thrown instanceof TableRefusal ? refuse(thrown.fault) : thrown;
  }
}

/** The bytes of a request as they come, so that one too large is refused before all of it is here. */
async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw refuse('tooLarge');
    yield chunk;
  }
}

const fingerprintOf = (family: string, headings: readonly string[]): string => createHash('sha256').update(JSON.stringify([family, headings])).digest('hex');
const columnsOf = ({ headings, samples }: TableLook): store.Column[] =>
  headings.map((title, column) => ({ title, samples: samples.slice(0, samplesShown).map(({ cells }) => (cells[column] ?? '').slice(0, 60)) }));

/** Devices out of files. Everybody sees and goes on with his own imports, an administrator with all. */
export function createImports({ db, clock, files, tasks }: ImportsParts) {
  async function own(caller: Caller, id: number): Promise<store.StoredImport> {
    const one = await store.findImport(db, id);
    if (!one || (one.accountId !== caller.accountId && caller.level > 0)) throw refuse('notFound');
    return one;
  }

  async function viewOf(found: store.StoredImport, ctx: Ctx): Promise<View> {
    const task = found.taskId === null ? undefined : await tasks.find(found.taskId, ctx.language);
    // Read after the task: what a step that has ended reached is in it.
    const one = task ? await store.findImport(db, found.id) ?? found : found;
    return {
      id: one.id, family: one.family, state: one.state, fileName: one.fileName, bytes: one.fileBytes,
      format: { kind: one.format.kind, encoding: one.format.kind === 'csv' ? one.format.encoding : null, sheet: one.format.kind === 'xlsx' ? one.format.sheet : null, sheets: one.format.kind === 'xlsx' ? [...one.format.sheets] : [] },
      columns: one.columns.map(({ title, samples }) => ({ title, samples: [...samples] })), plan: one.plan, remembered: one.isRemembered, counts: one.counts,
      unknownWords: Object.fromEntries(Object.entries(one.unknownWords).map(([field, words]) => [field, [...words]])),
      newRoads: one.state === 'checked' ? await store.newRoads(db, one.id) : [],
      task: task ?? null, accountName: one.accountName, createdAt: one.createdAt.toISOString(), appliedAt: one.appliedAt?.toISOString() ?? null, undoneAt: one.undoneAt?.toISOString() ?? null,
      notUndone: one.notUndone, ...(one.rowsRemovedAt ? { rowsRemovedAt: one.rowsRemovedAt.toISOString() } : {}),
    };
  }
  const view = async (ctx: Ctx, id: number): Promise<View> => viewOf(await own(ctx.caller, id), ctx);

  /** The area that rows go to unless the file says otherwise: the one in force, or the only one the account may see. */
  async function standardArea({ workAreaId, workAreas }: Caller): Promise<string | null> {
    const only = workAreaId ?? (workAreas !== 'all' && workAreas.length === 1 ? workAreas[0] : undefined);
    const rows = await db.selectFrom('work_area').select('work_code').where((eb) => only === undefined ? eb.val(true) : eb('id', '=', only)).limit(2).execute();
    return rows.length === 1 ? rows[0]?.work_code ?? null : null;
  }

  async function planned(family: Family, headings: readonly string[], caller: Caller): Promise<Pick<store.NewImport, 'plan' | 'isRemembered' | 'fingerprint'>> {
    const own = withoutProblems(headings);
    const fingerprint = fingerprintOf(family.key, own);
    const kept = await store.rememberedPlan(db, family.key, fingerprint);
    const added = headings.map((_, column) => column).slice(own.length);
    const remembered = kept && { ...kept, ignored: [...kept.ignored.filter((column) => column < own.length), ...added] };
    return { fingerprint, isRemembered: remembered !== undefined, plan: remembered ?? suggestPlan(family, headings, await standardArea(caller)) };
  }

  async function bytesOf(one: store.StoredImport): Promise<Buffer> {
    const bytes = await files.get(one.file);
    if (!bytes) throw refuse('taskFileGone');
    return bytes;
  }

  async function refuseBusy(one: store.StoredImport, language: Language): Promise<void> {
    const task = one.taskId === null ? undefined : await tasks.find(one.taskId, language);
    if (task && (task.state === 'queued' || task.state === 'running')) throw refuse('taskRunning');
  }

  async function step(ctx: Ctx, id: number, kind: 'import.check' | 'import.apply' | 'import.undo', rows?: 'valid' | 'all', plan?: Plan): Promise<View> {
    const one = await own(ctx.caller, id);
    await refuseBusy(one, ctx.language);
    if (plan) checkPlan(declaredFamily(one.family), one.columns.map(({ title }) => title), plan);
    await tasks.begin(ctx, kind, { importId: id, ...(rows ? { rows } : {}) }, async (tx, taskId) => {
      if (plan) await store.beginCheck(tx, id, plan);
      await store.setTask(tx, id, taskId);
    });
    return view(ctx, id);
  }

  return {
    async upload(ctx: Ctx, { family: key, name }: QueryOf<typeof uploadImport>): Promise<View> {
      const family = declaredFamily(key);
      if (!ctx.upload) throw refuse('unsupportedMediaType');
      const kept = await files.receive(limited(ctx.upload));
      try {
        const look = await inspected(await files.get(kept.name) ?? Buffer.alloc(0));
        const id = await ctx.change({ action: 'device.import.upload', params: { family: key, name, bytes: kept.bytes } }, async (tx) => store.insertImport(tx, {
          accountId: ctx.caller.accountId, workAreaId: ctx.caller.workAreaId, family: key, file: kept.name, fileName: name, fileBytes: kept.bytes, format: look.format, columns: columnsOf(look), at: clock.now(),
          ...await planned(family, look.headings, ctx.caller),
        }));
        return await view(ctx, id);
      } catch (thrown) {
        await forget(kept.name);
        throw thrown;
      }
    },

    async list(ctx: Ctx, query: QueryOf<typeof listImports>) {
      const limit = query.size ?? standardSize;
      const { rows, count } = await store.findImports(db, ctx.caller.level > 0 ? ctx.caller.accountId : null, query.family, { limit, offset: (query.page ?? 0) * limit });
      return { data: await Promise.all(rows.map((one) => viewOf(one, ctx))), recordsTotal: count };
    },

    get: view,

    async sheet(ctx: Ctx, id: number, { sheet }: { readonly sheet: string }): Promise<View> {
      const one = await own(ctx.caller, id);
      await refuseBusy(one, ctx.language);
      if (one.format.kind !== 'xlsx' || !one.format.sheets.includes(sheet)) throw refuseFields({ field: 'sheet', rule: 'enum' });
      if (one.state === 'applied' || one.state === 'undone') throw refuse('importNotReady');
      const look = await inspected(await bytesOf(one), sheet);
      const next = await planned(declaredFamily(one.family), look.headings, ctx.caller);
      await ctx.change({ action: 'device.import.sheet' }, (tx) => store.changeTable(tx, id, { format: look.format, columns: columnsOf(look), ...next }));
      return view(ctx, id);
    },

    check: (ctx: Ctx, id: number, plan: Plan) => step(ctx, id, 'import.check', undefined, plan),
    apply: (ctx: Ctx, id: number, { rows }: { readonly rows: 'valid' | 'all' }) => step(ctx, id, 'import.apply', rows),
    undo: (ctx: Ctx, id: number) => step(ctx, id, 'import.undo'),

    /** The first, a middle and the last row of the beginning of the file that have both numbers. */
    async pins({ caller }: Ctx, id: number, { system, x, y }: QueryOf<typeof listImportPins>): Promise<ReplyOf<typeof listImportPins>> {
      const one = await own(caller, id);
      const convert = toWgs84(system);
      if (!convert) throw refuseFields({ field: 'system', rule: 'enum' });
      const usable: ReplyOf<typeof listImportPins>['pins'] = [];
      let isHeading = true;
      let looked = 0;
      for await (const { number, cells } of readTable(await bytesOf(one), one.format)) {
        if (isHeading) { isHeading = false; continue; }
        const [east, north] = [Number(cells[x]?.trim() || Number.NaN), Number(cells[y]?.trim() || Number.NaN)];
        if (Number.isFinite(east) && Number.isFinite(north) && !(east === 0 && north === 0)) {
          const at = convert(east, north);
          usable.push({ row: number, label: cells.find((cell) => cell.trim() !== '')?.slice(0, 60) ?? '', x: cells[x] ?? '', y: cells[y] ?? '', longitude: at?.longitude ?? null, latitude: at?.latitude ?? null });
        }
        looked += 1;
        if (looked >= 2000) break;
      }
      return { pins: [...new Set([0, Math.floor((usable.length - 1) / 2), usable.length - 1])].flatMap((at) => usable[at] ?? []) };
    },

    async rows({ caller, language }: Ctx, id: number, query: QueryOf<typeof listImportRows>): Promise<ReplyOf<typeof listImportRows>> {
      const one = await own(caller, id);
      const [{ rows, count }, problems] = await Promise.all([store.findRows(db, id, query), store.countProblems(db, id)]);
      return {
        data: rows.map((row) => ({ ...row, problems: row.problems.map((problem) => said(problem, language)), changes: row.changes.map((change) => ({ ...change })) })),
        recordsTotal: count,
        problems: problems.map(({ field, rule, params, rows: affected }) => ({ field, rule, rows: affected, message: `${namesIn(language).field(field, one.family)}: ${problemText({ field, rule: rule as RowProblem['rule'], params: params ?? {}, text: null }, language)}` })),
      };
    },

    async failed({ caller, language }: Ctx, id: number) {
      const one = await own(caller, id);
      if (!one.counts || one.counts.error === 0) throw refuse('notFound');
      if (one.rowsRemovedAt) throw refuse('importRowsGone', { days: await keptDays(db) });
      const names = namesIn(language);
      const columns = [...one.columns.map(({ title }) => ({ title, kind: 'text' as const, width: 16 })), { title: problemHeadings[language], kind: 'text' as const, width: 60 }];
      const rows = failedRows(db, id, await bytesOf(one), one.format, (problem) => `${names.field(problem.field, one.family)}: ${problemText(problem, language)}`);
      const content = writeSheet({ name: importTexts[language].dataSheet, columns, rows, count: one.counts.error });
      return { name: `${importTexts[language].failed} ${one.fileName.replace(/\.\w+$/, '')}.xlsx`, type: sheetType, content };
    },

    async template({ language }: Ctx, key: string) {
      return { ...await templateOf(declaredFamily(key), language), type: sheetType };
    },

    async remove({ caller, change, language }: Ctx, id: number): Promise<void> {
      const one = await own(caller, id);
      await refuseBusy(one, language);
      await change({ action: 'device.import.forget' }, (tx) => store.deleteImport(tx, id));
      await forget(one.file);
    },

    systems: () => ({ data: [...namedSystems] }),
  };

  /** A file is kept once, whoever brought or made it: it goes when nobody has it any more. */
  function forget(file: string): Promise<void> {
    return removeUnkept({ db, files }, [file]);
  }
}

const said = (problem: RowProblem, language: Language) => ({ field: problem.field, rule: problem.rule, message: problemText({ ...problem, text: null }, language), text: problem.text });

import { familyOf, namesIn, type Family, type Language } from '../../../../catalogue/index.ts';
import type { BodyOf, QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type {
  chooseText,
  listImportMappings,
  listImportPins,
  listImportRows,
  listImports,
  uploadImport,
} from '../../../../contract/register/imports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { removeUnkept, type Files } from '../../platform/files/index.ts';
import {
  refuse,
  refuseFields,
  type Caller,
  type FieldProblem,
  type RequestContext,
} from '../../platform/http/index.ts';
import { sheetType } from '../../platform/sheet/index.ts';
import {
  delimiters,
  isEncoding,
  workOnTable,
  type Delimiter,
  type TableChoice,
  type TableLook,
} from '../../platform/table-file/index.ts';
import type { Tasks } from '../../desk/tasks/index.ts';
import { namedSystems, toWgs84 } from './coordinates.ts';
import * as store from './imports.store.ts';
import { formatView, said, stateOf, type View } from './imports.view.ts';
import {
  choiceOf,
  choiceProblems,
  columnsOf,
  fingerprintOf,
  inspected,
  readable,
  refuseAny,
  sheetProblems,
} from './look.ts';
import * as mappings from './mappings.store.ts';
import type { PlaceLook, PlaceOrder } from './place-thread.ts';
import { planProblems, suggestPlan, withoutProblems, type GivenPlan, type Plan } from './plan.ts';
import type { RowProblem } from './row.ts';
import { importTexts } from './texts.ts';
import { problemText, templateOf } from './workbooks.ts';

export interface ImportsParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: Files;
  readonly tasks: Tasks;
}
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'language' | 'timezoneOffset' | 'setHeader' | 'upload'>;

export type Imports = ReturnType<typeof createImports>;

const standardSize = 20;

function declaredFamily(key: string): Family {
  const family = familyOf(key);
  if (!family) throw refuse('unknownFamily');
  return family;
}

const problemsOfPlan = (one: store.StoredImport, plan: GivenPlan): FieldProblem[] =>
  planProblems(
    declaredFamily(one.family),
    one.columns.map(({ title }) => title),
    plan,
  );

/** Devices out of files. Everybody sees and goes on with his own imports, an administrator with all. */
export function createImports({ db, clock, files, tasks }: ImportsParts) {
  async function own(caller: Caller, id: number): Promise<store.StoredImport> {
    const one = await store.findImport(db, id);
    if (!one || (one.accountId !== caller.accountId && caller.level > 0)) throw refuse('notFound');
    return one;
  }

  const taskOf = async ({ taskId }: store.StoredState, { language }: Ctx): Promise<View['task']> =>
    taskId === null ? null : ((await tasks.find(taskId, language)) ?? null);

  async function viewOf(found: store.StoredImport, ctx: Ctx): Promise<View> {
    const task = await taskOf(found, ctx);
    // Read after the task: what a step that has ended reached is in it.
    const one = task ? ((await store.findImport(db, found.id)) ?? found) : found;
    return {
      ...stateOf(one, task),
      format: formatView(one.format),
      questions: one.questions.map((question) => ({ ...question })),
      columns: one.columns.map((column) => ({ ...column, samples: [...column.samples] })),
      plan: one.plan,
      remembered: one.isRemembered,
      unknownWords: Object.fromEntries(Object.entries(one.unknownWords).map(([field, words]) => [field, [...words]])),
      newRoads: one.state === 'checked' ? await store.newRoads(db, one.id) : [],
    };
  }
  const view = async (ctx: Ctx, id: number): Promise<View> => viewOf(await own(ctx.caller, id), ctx);

  /** The area that rows go to unless the file says otherwise: the one in force, or the only one the account may see. */
  async function standardArea({ workAreaId, workAreas }: Caller): Promise<string | null> {
    const only = workAreaId ?? (workAreas !== 'all' && workAreas.length === 1 ? workAreas[0] : undefined);
    const rows = await db
      .selectFrom('work_area')
      .select('work_code')
      .where((eb) => (only === undefined ? eb.val(true) : eb('id', '=', only)))
      .limit(2)
      .execute();
    return rows.length === 1 ? (rows[0]?.work_code ?? null) : null;
  }

  async function planned(
    family: Family,
    { headings, rows }: TableLook,
    caller: Caller,
  ): Promise<Pick<store.NewImport, 'plan' | 'isRemembered' | 'fingerprint'>> {
    const own = withoutProblems(headings);
    const fingerprint = fingerprintOf(family.key, own);
    const kept = (await mappings.findMapping(db, caller.accountId, family.key, fingerprint))?.plan;
    const added = headings.map((_, column) => column).slice(own.length);
    const remembered = kept && {
      ...kept,
      ignored: [...kept.ignored.filter((column) => column < own.length), ...added],
    };
    return {
      fingerprint,
      isRemembered: remembered !== undefined,
      plan: remembered ?? suggestPlan(family, headings, rows, await standardArea(caller)),
    };
  }

  /**
   * What the file holds, by its bytes, by what was chosen, or, where they leave a doubt, by an encoding in which its
   * headings are known from an earlier file.
   */
  async function looked(file: string, family: Family, choice: TableChoice, { accountId }: Caller): Promise<TableLook> {
    const bytes = async (): Promise<Buffer> => (await files.get(file)) ?? Buffer.alloc(0);
    const look = await inspected(await bytes(), choice);
    if (look.format.kind !== 'csv' || look.format.sure !== false) return look;
    const known = await mappings.findMappings(db, accountId, family.key);
    for (const encoding of new Set(known.map((one) => one.encoding))) {
      if (encoding === null || encoding === look.format.encoding || !isEncoding(encoding)) continue;
      const other = await inspected(await bytes(), { ...choice, encoding }).catch(() => undefined);
      const headings = other && JSON.stringify(withoutProblems(other.headings));
      if (
        other &&
        known.some((one) => one.encoding === encoding && JSON.stringify(withoutProblems(one.headings)) === headings)
      )
        return other;
    }
    return look;
  }

  async function readAgain(
    ctx: Ctx,
    one: store.StoredImport,
    action: 'device.import.sheet' | 'device.import.text',
    choice: TableChoice,
  ): Promise<View> {
    if (one.state === 'applied' || one.state === 'undone') throw refuse('importNotReady');
    const look = await inspected(await bytesOf(one), choice);
    const next = await planned(declaredFamily(one.family), look, ctx.caller);
    await ctx.change({ action }, (tx) =>
      store.changeTable(tx, one.id, { format: look.format, columns: columnsOf(look), ...next }),
    );
    return view(ctx, one.id);
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

  async function step(
    ctx: Ctx,
    id: number,
    kind: 'import.check' | 'import.apply' | 'import.undo',
    rows?: 'valid' | 'all',
    plan?: Plan,
  ): Promise<View> {
    const one = await own(ctx.caller, id);
    await refuseBusy(one, ctx.language);
    if (plan) refuseAny(problemsOfPlan(one, plan));
    await tasks.begin(ctx, kind, { importId: id, ...(rows ? { rows } : {}) }, async (tx, taskId) => {
      if (plan) {
        await store.beginCheck(tx, id, plan);
        await mappings.keepMapping(tx, {
          accountId: ctx.caller.accountId,
          family: one.family,
          fingerprint: one.fingerprint,
          headings: withoutProblems(one.columns.map(({ title }) => title)),
          plan,
          encoding: one.format.kind === 'csv' ? one.format.encoding : null,
          at: clock.now(),
        });
      }
      await store.setTask(tx, id, taskId);
    });
    return view(ctx, id);
  }

  return {
    /** What is wrong by rules that the shape of a request does not tell. */
    problems: {
      ofText: choiceProblems,
      async ofPlan(caller: Caller, id: number | undefined, plan: GivenPlan): Promise<FieldProblem[]> {
        const one = id === undefined ? undefined : await own(caller, id);
        return one ? problemsOfPlan(one, plan) : [];
      },
      async ofSheet(caller: Caller, id: number | undefined, sheet: string | undefined): Promise<FieldProblem[]> {
        const one = id === undefined || sheet === undefined ? undefined : await own(caller, id);
        return one && sheet !== undefined ? sheetProblems(one, sheet) : [];
      },
      ofSystem: (system: string | undefined): FieldProblem[] =>
        system === undefined || toWgs84(system) ? [] : [{ field: 'system', rule: 'enum' }],
    },

    async upload(ctx: Ctx, { family: key, name, ...text }: QueryOf<typeof uploadImport>): Promise<View> {
      const family = declaredFamily(key);
      const choice = choiceOf(text);
      if (!ctx.upload) throw refuse('unsupportedMediaType');
      const kept = await files.receive(ctx.upload);
      try {
        const look = await looked(kept.name, family, choice, ctx.caller);
        const plan = await planned(family, look, ctx.caller);
        const id = await ctx.change(
          { action: 'device.import.upload', params: { family: key, name, bytes: kept.bytes } },
          (tx) =>
            store.insertImport(tx, {
              accountId: ctx.caller.accountId,
              workAreaId: ctx.caller.workAreaId,
              family: key,
              file: kept.name,
              fileName: name,
              fileBytes: kept.bytes,
              format: look.format,
              columns: columnsOf(look),
              at: clock.now(),
              ...plan,
            }),
        );
        return await view(ctx, id);
      } catch (thrown) {
        await forget(kept.name);
        throw thrown;
      }
    },

    async list(ctx: Ctx, query: QueryOf<typeof listImports>) {
      const limit = query.size ?? standardSize;
      const { rows, count } = await store.findImports(
        db,
        ctx.caller.level > 0 ? ctx.caller.accountId : null,
        query.family,
        { limit, offset: (query.page ?? 0) * limit },
      );
      return {
        data: await Promise.all(rows.map(async (one) => stateOf(one, await taskOf(one, ctx)))),
        recordsTotal: count,
      };
    },

    get: view,

    async sheet(ctx: Ctx, id: number, { sheet }: { readonly sheet: string }): Promise<View> {
      const one = await own(ctx.caller, id);
      await refuseBusy(one, ctx.language);
      refuseAny(sheetProblems(one, sheet));
      return readAgain(ctx, one, 'device.import.sheet', { sheet });
    },

    /** Another encoding, another delimiter, or both; what is not said stays as it is. */
    async text(ctx: Ctx, id: number, said: BodyOf<typeof chooseText>): Promise<View> {
      const one = await own(ctx.caller, id);
      await refuseBusy(one, ctx.language);
      if (one.format.kind !== 'csv') throw refuse('importNotReady');
      const { encoding, delimiter } = one.format;
      return readAgain(ctx, one, 'device.import.text', {
        encoding,
        ...(delimiters.find((sign) => sign === delimiter) ? { delimiter: delimiter as Delimiter } : {}),
        ...choiceOf(said),
      });
    },

    check: (ctx: Ctx, id: number, plan: Plan) => step(ctx, id, 'import.check', undefined, plan),
    apply: (ctx: Ctx, id: number, { rows }: { readonly rows: 'valid' | 'all' }) => step(ctx, id, 'import.apply', rows),
    undo: (ctx: Ctx, id: number) => step(ctx, id, 'import.undo'),

    /**
     * Three rows of the beginning of the file where the system puts them; which systems fit, and what is doubtful of
     * the chosen one.
     */
    async pins(
      { caller }: Ctx,
      id: number,
      { system = '', x, y, commas = false }: QueryOf<typeof listImportPins>,
    ): Promise<ReplyOf<typeof listImportPins>> {
      const one = await own(caller, id);
      const [bytes, register] = await Promise.all([bytesOf(one), store.registerPlaces(db, caller.workAreas)]);
      const look = await readable(
        workOnTable<PlaceOrder, PlaceLook>(bytes, one.format, new URL('place-thread.ts', import.meta.url), {
          x,
          y,
          commas,
          system,
          register,
        }),
      );
      if (!look) throw refuseFields({ field: 'system', rule: 'enum' });
      return look;
    },

    mappings: async (
      { caller }: Ctx,
      { family }: QueryOf<typeof listImportMappings>,
    ): Promise<ReplyOf<typeof listImportMappings>> => {
      const kept = await mappings.findMappings(db, caller.accountId, family);
      return {
        data: kept.map(({ id, family: key, headings, plan, encoding, usedAt }) => ({
          id,
          family: key,
          headings: [...headings],
          fields: Object.keys(plan.fields),
          system: plan.system,
          encoding,
          usedAt: usedAt.toISOString(),
        })),
        recordsTotal: kept.length,
      };
    },

    async forgetMapping({ caller, change }: Ctx, id: number): Promise<void> {
      await change({ action: 'device.import.forgetMapping' }, async (tx) => {
        if (!(await mappings.deleteMapping(tx, caller.accountId, id))) throw refuse('notFound');
      });
    },

    async rows(
      { caller, language }: Ctx,
      id: number,
      query: QueryOf<typeof listImportRows>,
    ): Promise<ReplyOf<typeof listImportRows>> {
      const one = await own(caller, id);
      const [{ rows, count }, problems] = await Promise.all([
        store.findRows(db, id, query),
        store.countProblems(db, id),
      ]);
      return {
        data: rows.map((row) => ({
          ...row,
          problems: row.problems.map((problem) => said(problem, language)),
          changes: row.changes.map((change) => ({ ...change })),
        })),
        recordsTotal: count,
        problems: problems.map(({ field, rule, params, rows: affected }) => ({
          field,
          rule,
          rows: affected,
          message: `${namesIn(language).field(field, one.family)}${importTexts[language].colon}${problemText({ field, rule: rule as RowProblem['rule'], params: params ?? {}, text: null }, language)}`,
        })),
      };
    },

    async template({ language }: Ctx, key: string) {
      return { ...(await templateOf(declaredFamily(key), language)), type: sheetType };
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

import type { Static } from 'typebox';
import type { Language } from '../../../../catalogue/languages.ts';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import type { BodyOf, QueryOf } from '../../../../contract/route.ts';
import type { TaskKindName, TaskParams } from '../../../../contract/desk/task-kinds.ts';
import type { listTasks, startTask, Task } from '../../../../contract/desk/tasks.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { removeUnkept, type Files } from '../../platform/files/index.ts';
import {
  fill,
  refuse,
  refuseWithout,
  texts,
  type Caller,
  type RequestContext,
  type RuleProblem,
  type Sound,
} from '../../platform/http/index.ts';
import { sheetType } from '../../platform/sheet/index.ts';
import type { TaskKinds } from './kind.ts';
import * as store from './tasks.store.ts';

export interface TasksParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly files: Files;
  readonly kinds: TaskKinds;
}
export type Tasks = ReturnType<typeof createTasks>;
type Ctx = Pick<RequestContext, 'caller' | 'change' | 'language' | 'timezoneOffset' | 'setHeader'>;

const standardSize = 20;
const mostOpen = 5;

/** Long work of an account, as the account sees it: everybody sees and touches only his own. */
export function createTasks({ db, bus, clock, files, kinds }: TasksParts) {
  const announce = (caller: Caller, taskId: number) =>
    bus.publish('tasks.changed', { accountId: caller.accountId, taskId });

  async function own(caller: Caller, id: number): Promise<store.StoredTask> {
    const task = await store.findOwn(db, caller.accountId, id);
    if (!task) throw refuse('notFound');
    return task;
  }

  /** Begins work of any kind; `also` runs in the same transaction, with the task's id. */
  async function begin(
    { caller, change, language, timezoneOffset }: Ctx,
    kind: TaskKindName,
    params: TaskParams,
    also: (tx: Transaction, id: number) => Promise<void> = () => Promise.resolve(),
  ) {
    refuseWithoutCode(caller, kinds, kind);
    const { total } = await kinds[kind].check(params, { language, timezoneOffset, accountId: caller.accountId });
    const id = await change({ action: kinds[kind].action, params: { ...params, rows: total } }, async (tx) => {
      if ((await store.countOpen(tx, caller.accountId)) >= mostOpen) throw refuse('tooManyTasks', { limit: mostOpen });
      const begun = await store.insertTask(tx, {
        accountId: caller.accountId,
        kind,
        params,
        language,
        timezoneOffset,
        total,
        at: clock.now(),
      });
      await also(tx, begun);
      return begun;
    });
    announce(caller, id);
    return viewOf(await own(caller, id), language);
  }

  return {
    begin,

    /** What the rules of a kind say of the form that begins it; nothing for whom it is not. */
    async problems(
      { caller, language, timezoneOffset }: Pick<Ctx, 'caller' | 'language' | 'timezoneOffset'>,
      kind: TaskKindName | undefined,
      params: Sound<TaskParams> | undefined,
    ): Promise<readonly RuleProblem[]> {
      if (kind === undefined || params === undefined || !caller.permissions.has(kinds[kind].permission)) return [];
      return (await kinds[kind].problems?.(params, { language, timezoneOffset, accountId: caller.accountId })) ?? [];
    },

    /** A task of another feature's thing, whoever began it; undefined when it is gone. */
    async find(id: number, language: Language) {
      const task = await store.findTask(db, id);
      return task && viewOf(task, language);
    },

    start: (ctx: Ctx, { kind, params }: BodyOf<typeof startTask>) => begin(ctx, kind, params),

    async list({ caller, language }: Ctx, query: QueryOf<typeof listTasks>) {
      const limit = query.size ?? standardSize;
      const { rows, count } = await store.findPage(db, caller.accountId, { limit, offset: (query.page ?? 0) * limit });
      return { data: rows.map((task) => viewOf(task, language)), recordsTotal: count };
    },

    get: async ({ caller, language }: Ctx, id: number) => viewOf(await own(caller, id), language),

    /** Stops it where it is; one that has ended stays as it is. */
    async cancel({ caller, change, language }: Ctx, id: number) {
      await own(caller, id);
      await change({ action: 'task.cancel' }, (tx) => store.cancelTask(tx, id, clock.now()));
      announce(caller, id);
      return viewOf(await own(caller, id), language);
    },

    async repeat(ctx: Ctx, id: number) {
      const task = await own(ctx.caller, id);
      if (isOpen(task)) throw refuse('taskRunning');
      // Others go on from their own page, where one sees what is done already.
      if (!task.kind.startsWith('export.')) throw refuse('repeatOnPage');
      return begin(ctx, task.kind, task.params);
    },

    async remove({ caller, change }: Ctx, id: number) {
      const task = await own(caller, id);
      if (isOpen(task)) throw refuse('taskRunning');
      await change({ action: 'task.delete' }, (tx) => store.deleteTask(tx, id));
      if (task.file !== null) await removeUnkept({ db, files }, [task.file]);
      announce(caller, id);
    },

    /** The file; who may not make it any more may not take it either. */
    async file({ caller, setHeader }: Ctx, id: number) {
      const task = await own(caller, id);
      refuseWithoutCode(caller, kinds, task.kind);
      if (isOpen(task)) throw refuse('taskRunning');
      const content = task.file === null ? undefined : await files.open(task.file);
      if (!content) throw refuse('taskFileGone');
      setHeader('content-length', String(task.fileBytes ?? 0));
      const name = task.fileName ?? `${task.id}.xlsx`;
      return { name, type: name.endsWith('.csv') ? 'text/csv; charset=utf-8' : sheetType, content };
    },
  };
}

const isOpen = ({ state }: store.StoredTask): boolean => state === 'queued' || state === 'running';

function refuseWithoutCode(caller: Caller, kinds: TaskKinds, kind: TaskKindName): void {
  const { permission } = kinds[kind];
  if (!caller.permissions.has(permission)) throw refuseWithout(permission);
}

const isError = (name: string): name is ErrorName => Object.hasOwn(errors, name);

function viewOf(task: store.StoredTask, language: Language): Static<typeof Task> {
  const text = task.error === null ? null : texts(language).errors[isError(task.error) ? task.error : 'internal'];
  return {
    id: task.id,
    kind: task.kind,
    state: task.state,
    done: task.done,
    total: task.total,
    params: task.params,
    error: text && fill(language, text.detail ?? text.title, task.errorValues),
    file:
      task.file === null || task.fileName === null || task.endedAt === null
        ? null
        : {
            name: task.fileName,
            bytes: task.fileBytes ?? 0,
            until: new Date(task.endedAt.getTime() + store.keptMs).toISOString(),
          },
    createdAt: task.createdAt.toISOString(),
    endedAt: task.endedAt?.toISOString() ?? null,
  };
}

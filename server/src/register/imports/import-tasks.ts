import type { Static } from 'typebox';
import { familyOf, type Family } from '../../../../catalogue/index.ts';
import type { ImportStep } from '../../../../contract/desk/task-kinds.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { changing, type Db, type Transaction } from '../../platform/db/index.ts';
import type { Files } from '../../platform/files/index.ts';
import { refuse } from '../../platform/http/index.ts';
import { TableRefusal } from '../../platform/table-file/index.ts';
import type { Devices } from '../devices/index.ts';
import type { TaskKind } from '../../desk/tasks/index.ts';
import { checkFile } from './check.ts';
import * as store from './imports.store.ts';
import type { ImportScope } from './judge.ts';
import { keptDays } from './retention.ts';
import { unwriteRows, writeRows } from './write.ts';

type Step = Static<typeof ImportStep>;
export interface ImportTaskParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly files: Files;
  readonly devices: Devices;
  /** What an account may see now; a task has no request of its own. */
  readonly areasOf: (accountId: number) => Promise<ImportScope['workAreas']>;
}

/** One message of the bus holds so many ids. */
const idsAMessage = 500;

/**
 * The steps of an import as long work: looking at every row, writing, undoing. Writing and undoing are one transaction
 * each, so a kill leaves nothing half done.
 */
export function importTasks({
  db,
  bus,
  clock,
  files,
  devices,
  areasOf,
}: ImportTaskParts): Readonly<Record<'import.check' | 'import.apply' | 'import.undo', TaskKind<Step>>> {
  async function found({ importId }: Step): Promise<store.StoredImport & { readonly declared: Family }> {
    const one = await store.findImport(db, importId);
    const declared = one && familyOf(one.family);
    if (!one || !declared) throw refuse('notFound');
    return { ...one, declared };
  }
  const announce = (ids: readonly number[]) => {
    for (let at = 0; at < ids.length; at += idsAMessage)
      bus.publish('devices.changed', { ids: ids.slice(at, at + idsAMessage) });
    if (ids.length > 0) bus.publish('register.changed', {});
  };
  /** What is stopped before its end leaves nothing. */
  const whole = async <T>(signal: AbortSignal, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    changing(db, async (tx) => {
      const done = await work(tx);
      signal.throwIfAborted();
      return done;
    });
  const needs =
    (state: store.StoredImport['state'], total: (one: store.StoredImport) => number | null) => async (step: Step) => {
      const one = await found(step);
      if (one.state !== state) throw refuse('importNotReady');
      return { total: total(one) };
    };
  /** What undoing needs is kept for a time. */
  const refusePruned = async ({ rowsRemovedAt }: store.StoredImport) => {
    if (rowsRemovedAt) throw refuse('importRowsGone', { days: await keptDays(db) });
  };
  const base = { permission: 'device.import' as const };
  return {
    'import.check': {
      ...base,
      action: 'device.import.check',
      check: async (step) => {
        const one = await found(step);
        if (one.state === 'applied' || one.state === 'undone') throw refuse('importNotReady');
        return { total: null };
      },
      async run(step, { accountId }, progress, signal) {
        const one = await found(step);
        const bytes = await files.get(one.file);
        if (!bytes) throw refuse('taskFileGone');
        if (accountId === null) throw refuse('notFound');
        const scope = { accountId, workAreas: await areasOf(accountId), workAreaId: one.workAreaId };
        try {
          await checkFile({ db, devices }, { id: one.id, family: one.declared, bytes, one, scope, progress, signal });
        } catch (thrown) {
          throw thrown instanceof TableRefusal ? refuse(thrown.fault) : thrown;
        }
        return null;
      },
    },
    'import.apply': {
      ...base,
      action: 'device.import',
      check: async (step) => {
        const ready = await needs('checked', (one) => (one.counts?.new ?? 0) + (one.counts?.update ?? 0))(step);
        const { questions, plan } = await found(step);
        if (questions.length > 0 && !plan.acceptPlace) throw refuse('importAsks');
        return ready;
      },
      async run(step, { accountId }, progress, signal) {
        const one = await found(step);
        const areas = accountId === null ? [] : await areasOf(accountId);
        const { ids } = await whole(signal, async (tx) => {
          const locked = await store.findImport(tx, one.id, true);
          if (locked?.state !== 'checked') throw refuse('importNotReady');
          if (locked.questions.length > 0 && !locked.plan.acceptPlace) throw refuse('importAsks');
          if (areas !== 'all' && (await store.touchesOthers(tx, one.id, areas))) throw refuse('foreignWorkArea');
          return writeRows(tx, one.id, one.family, step.rows ?? 'valid', clock.now());
        });
        progress(ids.length);
        announce(ids);
        return null;
      },
    },
    'import.undo': {
      ...base,
      action: 'device.import.undo',
      check: async (step) => {
        const one = await needs(
          'applied',
          (applied) => (applied.counts?.new ?? 0) + (applied.counts?.update ?? 0),
        )(step);
        await refusePruned(await found(step));
        return one;
      },
      async run(step, _reader, progress, signal) {
        const one = await found(step);
        const { ids } = await whole(signal, async (tx) => {
          const locked = await store.findImport(tx, one.id, true);
          if (locked?.state !== 'applied') throw refuse('importNotReady');
          await refusePruned(locked);
          return unwriteRows(tx, one.id, one.family, clock.now());
        });
        progress(ids.length);
        announce(ids);
        return null;
      },
    },
  };
}

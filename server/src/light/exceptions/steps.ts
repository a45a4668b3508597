import { changing } from '../../platform/db/index.ts';
import type { AsyncStop } from '../../platform/leases/index.ts';
import { isOverdue } from '../commands/index.ts';
import { expectedHash, plansOfEachLamp, rehash } from '../plans/index.ts';
import { stateAt, type ExceptionStateName } from './exceptions.rules.ts';
import { findLampIds, findOpen, hold, move, writeAnnounced, type StoredState } from './exceptions.store.ts';
import type { ExceptionParts } from './making.service.ts';

export interface ExceptionSteps {
  /** Exceptions begin and end, and lamps are told. */
  turn(): Promise<void>;
  start(): AsyncStop;
}

const everyMs = 2000;
/** Lamps told at once. */
const atOnce = 500;

/**
 * Moves exceptions on and has the settings of their lamps published. The rows are the truth: any process goes on from
 * them, and what was not announced is announced again.
 */
export function createExceptionSteps({ db, bus, clock, plans }: ExceptionParts): ExceptionSteps {
  function next(row: StoredState, now: Date): ExceptionStateName {
    if (row.state === 'planned' || row.state === 'inForce') return stateAt(row, now);
    const isLate = isOverdue({ phase: row.state, approval: row.approval }, now) || now >= row.to;
    return row.state === 'awaitingApproval' && isLate ? 'lapsed' : row.state;
  }

  /** The state by the clock, decided again under the lock of the row. */
  async function advance(seen: StoredState): Promise<ExceptionStateName> {
    const now = clock.now();
    const state = next(seen, now);
    if (state === seen.state) return state;
    const moved = await changing(db, async (tx) => {
      const row = await hold(tx, seen.id);
      if (row?.state !== seen.state) return row?.state ?? seen.state;
      await move(tx, seen.id, { state, silent: state === 'lapsed' });
      return state;
    });
    bus.publish('plans.changed', {});
    return moved;
  }

  async function announce(id: number, state: ExceptionStateName): Promise<void> {
    const now = clock.now().getTime();
    const failures: unknown[] = [];
    const failing = (thrown: unknown) => void failures.push(thrown);
    for (let after = 0, more = true; more;) {
      const ids = await findLampIds(db, id, { after, limit: atOnce });
      if (ids.length > 0) {
        await changing(db, async (tx) => {
          const { own } = await plansOfEachLamp(tx, plans, ids, { now, failing });
          const able = await plans.abilities(tx, [...own.keys()]);
          await rehash(
            tx,
            [...own].map(([deviceId, plan]) => ({ deviceId, hash: expectedHash(plan, able(deviceId), now) })),
          );
        });
        bus.publish('plans.assigned', { ids });
      }
      after = ids.at(-1) ?? 0;
      more = ids.length === atOnce;
    }
    await changing(db, (tx) => writeAnnounced(tx, id, state));
    // All others were told: it is not begun again for a lamp whose plan cannot be made.
    if (failures.length > 0) throw failures[0];
  }

  async function step(row: Awaited<ReturnType<typeof findOpen>>[number]): Promise<void> {
    const state = await advance(row);
    const isTold = row.announced && state === row.state;
    if (!isTold && state !== 'awaitingApproval' && state !== 'refused' && state !== 'lapsed')
      await announce(row.id, state);
  }

  /** One that fails stops no other one. */
  async function turn(): Promise<void> {
    const failures: unknown[] = [];
    for (const row of await findOpen(db)) await step(row).catch((thrown: unknown) => failures.push(thrown));
    if (failures.length > 0) throw failures[0];
  }

  return {
    turn,
    start() {
      let work: Promise<void> | undefined;
      const stop = clock.every(everyMs, () => {
        work ??= turn().finally(() => {
          work = undefined;
        });
        return work;
      });
      return async () => {
        stop();
        await work?.catch(() => undefined);
      };
    },
  };
}

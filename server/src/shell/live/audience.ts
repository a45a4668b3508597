import type { ServerMessage } from '../../../../contract/live.ts';
import type { Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { Send } from '../../platform/live/index.ts';
import { boundTo } from './live.store.ts';

export interface Reader {
  readonly caller: Caller;
  readonly send: Send;
}

/** Adds somebody to those who watch; returns how to leave. */
export function enter(readers: Set<Reader>, reader: Reader): Stop {
  readers.add(reader);
  return () => void readers.delete(reader);
}

/** Whoever could not be told what it missed does not watch: its connection ends, and nobody would leave for it. */
export async function leavingWhenItFails(leave: Stop, catchingUp: Promise<void>): Promise<void> {
  try {
    await catchingUp;
  } catch (thrown) {
    leave();
    throw thrown;
  }
}

/** Something about a device, with the area that decides who may see it. */
export interface Scoped {
  readonly id: number;
  readonly workAreaId: number;
}

/** Whether somebody sees what is in an area; `bound`: the device is bound to the account itself. */
export function isInside(caller: Caller, workAreaId: number, bound: boolean): boolean {
  if (caller.workAreaId !== null && caller.workAreaId !== workAreaId) return false;
  return caller.workAreas === 'all' || caller.workAreas.includes(workAreaId) || bound;
}

/**
 * Tells each reader what it may see of these rows. Readers who see the same are handed the very same message, so that
 * it is written out once.
 */
export async function tell<T extends Scoped>(
  db: Db,
  readers: Iterable<Reader>,
  rows: readonly T[],
  messageOf: (seen: readonly T[]) => ServerMessage,
): Promise<void> {
  const all = [...readers];
  if (all.length === 0 || rows.length === 0) return;
  const limited = [...new Set(all.flatMap(({ caller }) => (caller.workAreas === 'all' ? [] : [caller.accountId])))];
  const bound = await boundTo(
    db,
    limited,
    rows.map(({ id }) => id),
  );
  const messages = new Map<string, ServerMessage | null>();
  for (const { caller, send } of all) {
    const own = bound.get(caller.accountId);
    const key = JSON.stringify([caller.workAreaId, caller.workAreas, own ? caller.accountId : 0]);
    let message = messages.get(key);
    if (message === undefined) {
      const seen = rows.filter(({ id, workAreaId }) => isInside(caller, workAreaId, own?.has(id) ?? false));
      message = seen.length === 0 ? null : messageOf(seen);
      messages.set(key, message);
    }
    if (message !== null) send(message);
  }
}

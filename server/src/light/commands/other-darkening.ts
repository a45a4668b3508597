import type { Transaction } from '../../platform/db/index.ts';
import { darkenedWith, lockDarkening } from './darkening.ts';
import { writeDarkening } from './other-darkening.store.ts';
import { readSettings } from './settings.ts';
import type { Target } from './targets.store.ts';

/** Longer than any time over which lamps add up, ms. */
const keptMs = 2 * 86_400_000;

interface OtherDarkening {
  readonly actorId: number;
  readonly cause: 'rows' | 'holidays' | 'places';
  /** Those that are darker. */
  readonly lamps: readonly Target[];
  readonly now: Date;
}
interface TooDark {
  readonly count: number;
  readonly most: number;
  readonly minutes: number;
}

/**
 * Counts what an account darkens by no command, publication or exception, so that it adds up with those. Where that is
 * more than allowed, `refused` says what becomes of it: it throws, or the change goes on.
 */
export async function countDarkening(
  tx: Transaction,
  { actorId, cause, lamps, now }: OtherDarkening,
  refused: (much: TooDark) => void,
): Promise<void> {
  if (lamps.length === 0) return;
  await lockDarkening(tx, actorId);
  const { policy } = await readSettings(tx);
  const { approvalAbove: most, withinMinutes: minutes } = policy;
  const since = new Date(now.getTime() - minutes * 60_000);
  const count = most === null ? 0 : await darkenedWith(tx, { actorId, lamps, endOf: () => null, policy }, since, most);
  if (most !== null && count > most) refused({ count, most, minutes });
  await writeDarkening(tx, { actorId, cause, lamps: lamps.length, at: now, keptMs });
}

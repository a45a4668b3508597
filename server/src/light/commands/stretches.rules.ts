import { missedStates, openStates, type CommandState } from './commands.rules.ts';

/** What went wrong first, then what is open, then what was called off, then the rest. */
export const byUrgency: readonly (readonly CommandState[])[] = [
  missedStates,
  openStates,
  ['superseded', 'cancelled'],
  ['confirmed'],
];

export interface Stretch {
  readonly states: readonly CommandState[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * The stretches of a page, urgency by urgency, as far as it reaches: so many items are in each state; `wanted`: only
 * these states.
 */
export function stretchesOf(
  counts: Readonly<Record<string, number>>,
  wanted: readonly string[] | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Stretch[] {
  let [skip, left] = [offset, limit];
  return byUrgency.flatMap((urgency) => {
    const states = urgency.filter((state) => wanted?.includes(state) ?? true);
    const count = states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
    const from = Math.min(skip, count);
    const most = Math.min(left, count - from);
    skip -= from;
    left -= most;
    return most > 0 ? [{ states, offset: from, limit: most }] : [];
  });
}

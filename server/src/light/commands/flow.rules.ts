import { missedStates, openStates, type CommandState } from './commands.rules.ts';

/** How many items of a command are in a state; `recent`: ended since the command last began. */
export interface Tally {
  readonly state: CommandState;
  readonly canary: boolean;
  readonly n: number;
  readonly recent: number;
}
export interface Canary {
  readonly count: number;
  readonly minSuccessPercent: number;
  readonly waitSeconds: number;
  readonly state: 'pending' | 'passed' | 'failed';
  readonly began?: string;
}
export interface Staged {
  readonly canary: Canary | null;
  readonly stopAt: { readonly failurePercent: number; readonly afterAtLeast: number } | null;
  readonly tallies: readonly Tally[];
}

export type Verdict =
  | { readonly do: 'wait' }
  /** Nothing waits any more: an ordinary command from here on. */
  | { readonly do: 'settle' }
  | { readonly do: 'pass'; readonly confirmed: number }
  | { readonly do: 'release'; readonly limit: number; readonly canary: boolean }
  | {
      readonly do: 'halt';
      readonly why: 'canary' | 'failures';
      readonly finished: number;
      readonly failed: number;
      readonly confirmed: number;
    };

const wait: Verdict = { do: 'wait' };
const among = (tallies: readonly Tally[], states: readonly CommandState[], of: 'n' | 'recent' = 'n'): number =>
  tallies.reduce((sum, tally) => sum + (states.includes(tally.state) ? tally[of] : 0), 0);

/**
 * What comes next for a command that goes in steps. Pure; `atOnce` and `wave` are how many items may be released at a
 * time.
 */
export function nextStep(
  { canary, stopAt, tallies }: Staged,
  now: number,
  { atOnce, wave }: { readonly atOnce: number; readonly wave: number },
): Verdict {
  if (canary?.state === 'pending')
    return judgeCanary(
      canary,
      tallies.filter((tally) => tally.canary),
      now,
    );
  const waiting = among(tallies, ['waiting']);
  const onTheWay = among(tallies, ['queued', 'sent', 'acknowledged']);
  if (stopAt) {
    const failed = among(tallies, missedStates, 'recent');
    const confirmed = among(tallies, ['confirmed'], 'recent');
    const finished = failed + confirmed;
    const tooMany = finished >= stopAt.afterAtLeast && failed * 100 >= stopAt.failurePercent * finished;
    if (tooMany && waiting + among(tallies, ['queued']) > 0)
      return { do: 'halt', why: 'failures', finished, failed, confirmed };
  }
  if (waiting === 0) return stopAt && onTheWay > 0 ? wait : { do: 'settle' };
  const limit = stopAt ? wave - onTheWay : atOnce;
  return limit > 0 ? { do: 'release', limit, canary: false } : wait;
}

/** Judged when its last device has ended or the wait is over; what is open then has not shown that it works. */
function judgeCanary(canary: Canary, tallies: readonly Tally[], now: number): Verdict {
  if (among(tallies, ['waiting']) > 0) return { do: 'release', limit: canary.count, canary: true };
  const over = canary.began !== undefined && now >= Date.parse(canary.began) + canary.waitSeconds * 1000;
  if (among(tallies, openStates) > 0 && !over) return wait;
  const finished = among(tallies, ['confirmed', ...missedStates, ...openStates]);
  const confirmed = among(tallies, ['confirmed']);
  // Nothing of it was left to judge (newer commands took it over): that is nobody's failure.
  if (finished === 0 || confirmed * 100 >= canary.minSuccessPercent * finished) return { do: 'pass', confirmed };
  return { do: 'halt', why: 'canary', finished, failed: finished - confirmed, confirmed };
}

import type { getHomeSince } from '../../../../contract/light/home.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { visibleDevices, type DeviceScope } from '../../register/devices/index.ts';
import { findLines } from '../../register/episodes/index.ts';
import { scopeKey } from './home.service.ts';
import { linesOf } from './lines.ts';
import { remember } from './remember.ts';

export interface SinceParts {
  readonly db: Db;
  readonly clock: Clock;
  /** The latest time that an account was away. */
  readonly absenceOf: (accountId: number) => Promise<{ readonly leftAt: Date; readonly backAt: Date } | undefined>;
}

/** Of a longer absence the last 7 days are counted, ms. */
const longestMs = 7 * 86_400_000;
/** What ended then may still be written down late, ms. */
const answerAge = 60_000;
const lines = 6;

/** What began and ended while an account was away. */
export function createSince({ db, clock, absenceOf }: SinceParts) {
  const answers = remember<NonNullable<ReplyOf<typeof getHomeSince>['away']>>(clock, answerAge);

  return async (caller: DeviceScope): Promise<ReplyOf<typeof getHomeSince>> => {
    const absence = await absenceOf(caller.accountId);
    if (!absence) return { away: null };
    const { leftAt, backAt } = absence;
    const span = { from: new Date(Math.max(leftAt.getTime(), backAt.getTime() - longestMs)), to: backAt };
    const scope = visibleDevices(caller);
    const key = `${scopeKey(caller)}/${leftAt.getTime()}-${backAt.getTime()}`;
    const away = await answers(key, async () => {
      const [began, ended] = await Promise.all([
        findLines(db, scope, { of: 'began', ...span }, lines),
        findLines(db, scope, { of: 'ended', ...span }, lines),
      ]);
      return {
        leftAt: leftAt.toISOString(),
        backAt: backAt.toISOString(),
        from: span.from.toISOString(),
        began: linesOf(began),
        ended: linesOf(ended),
      };
    });
    return { away };
  };
}

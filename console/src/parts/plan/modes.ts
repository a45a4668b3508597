import { isClock } from '../../../../catalogue/lighting/plan/clock.ts';
import {
  patterns,
  type Pattern,
  type PlanMode,
  type Programme,
  type Switching,
} from '../../../../catalogue/lighting/plan/programme.ts';

/** The pattern that a mode is about. */
const patternOf: Record<PlanMode, Pattern> = {
  manual: 'all',
  energySaving: 'all',
  alternateOne: 'alternateOne',
  alternateTwo: 'alternateTwo',
};

/** The patterns that periods of a mode may have; without a mode every one. */
export const patternsIn = (mode: PlanMode | null): readonly Pattern[] =>
  mode === null ? patterns : patterns.filter((one) => one === 'all' || one === patternOf[mode]);

/** What stands in for an event of the sun where only wall-clock times are allowed. */
const clocks = { on: '18:00', off: '06:00' } as const;
const byClock = (which: 'on' | 'off', switching: Switching): Switching => ({
  ...switching,
  ...(isClock(switching.at) ? {} : { at: clocks[which], offsetMinutes: 0 }),
  light: null,
});

/**
 * A programme after its scheme got another mode. 手动 keeps the first period and has wall-clock times; else periods with
 * the pattern of the old mode take that of the new one.
 */
export function inMode(programme: Programme, from: PlanMode, to: PlanMode): Programme {
  const periods = programme.periods.map((period) =>
    period.pattern === patternOf[from] || !patternsIn(to).includes(period.pattern)
      ? { ...period, pattern: patternOf[to] }
      : period,
  );
  if (to !== 'manual') return { ...programme, periods };
  const { on, off } = programme;
  return { ...programme, on: byClock('on', on), off: byClock('off', off), periods: periods.slice(0, 1) };
}

import {
  rangesOf,
  usualSchedule,
  type Schedule,
  type scheduleLimits,
} from '../../../../../catalogue/lighting/plan/schedule.ts';

type NumberName = keyof typeof scheduleLimits;
type Mode = Pick<Schedule, 'workMode' | 'control'>;

/** In this mode only every second or third lamp burns. */
export const isAlternating = ({ workMode }: Pick<Schedule, 'workMode'>): boolean =>
  workMode === 'alternateOne' || workMode === 'alternateTwo';

/** All night is one range: where lamps alternate, they do so in it. */
export const hasOneRange = (mode: Mode): boolean => rangesOf(mode).max === 1;

/** The numbers that the mode asks for. */
export function numbersOf({ workMode, control }: Mode): readonly NumberName[] {
  if (workMode === 'manual') return [];
  const bySun = ['sunsetDelayMinutes', 'sunriseDelayMinutes'] as const;
  return control === 'light' ? [...bySun, 'onDelayMinutes', 'offDelayMinutes', 'sensitivity', 'lux'] : bySun;
}

/** What the mode has of what was entered: this is drawn, checked and sent; the rest comes back with its mode. */
export function fitted(entered: Schedule): Schedule {
  const shown = numbersOf(entered);
  const unasked = numbersOf({ workMode: 'energySaving', control: 'light' }).filter(
    (name) => !shown.includes(name) && !Number.isFinite(entered[name]),
  );
  return {
    ...entered,
    ...(entered.workMode === 'manual' ? {} : { startTime: '', endTime: '' }),
    ...Object.fromEntries(unasked.map((name) => [name, usualSchedule[name]])),
    ranges: entered.ranges
      .slice(0, rangesOf(entered).max)
      .map((range) => ({ ...range, alternate: isAlternating(entered) && (hasOneRange(entered) || range.alternate) })),
  };
}

/** Another mode: choosing to alternate does so at once in the last range; later it is the operator's. */
export function withMode(entered: Schedule, change: Partial<Mode>): Schedule {
  const next = { ...entered, ...change };
  const { ranges } = fitted(next);
  if (!isAlternating(next) || ranges.some(({ alternate }) => alternate)) return next;
  return {
    ...next,
    ranges: next.ranges.map((range, at) => (at === ranges.length - 1 ? { ...range, alternate: true } : range)),
  };
}

/** What was moved in the drawing of the night, put into what was entered; what the mode does not show stays. */
export function withDrawn(entered: Schedule, drawn: Schedule): Schedule {
  const { startTime, endTime, sunsetDelayMinutes, sunriseDelayMinutes } = drawn;
  return {
    ...entered,
    ...(entered.workMode === 'manual' ? { startTime, endTime } : { sunsetDelayMinutes, sunriseDelayMinutes }),
    ranges: [
      ...drawn.ranges.map((range, at) =>
        isAlternating(entered) && !hasOneRange(entered)
          ? range
          : { ...range, alternate: entered.ranges[at]?.alternate ?? false },
      ),
      ...entered.ranges.slice(rangesOf(entered).max),
    ],
  };
}

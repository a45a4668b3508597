import type { Problem } from '../../fields/kind.ts';
import { planLimits } from '../limits.ts';
import { clockPattern } from './clock.ts';
import { patterns, type Programme } from './programme.ts';
import { list, literalOr, nullable, number, object, option, problemsOnce, text, type Shape } from './shape.ts';
import { validateProgramme } from './validate.ts';

const anchorText = { min: 1, max: 10 };
const time = (pattern: string) => text(anchorText, `^${pattern}$`, 'timeEmpty');
const clock = time(clockPattern);
const switchAt = time(`(sunset|sunrise|dusk|dawn|${clockPattern})`);
const startAt = time(`(sunset|sunrise|dusk|dawn|middle|${clockPattern})`);

const switching = object({
  at: switchAt,
  offsetMinutes: number(planLimits.offsetMinutes),
  notBefore: nullable(clock),
  notAfter: nullable(clock),
  light: nullable(
    object({
      lux: number(planLimits.lux),
      sensitivity: nullable(number(planLimits.sensitivity)),
      beforeMinutes: number(planLimits.lightWindowMinutes),
      afterMinutes: number(planLimits.lightWindowMinutes),
      delayMinutes: number(planLimits.lightDelayMinutes),
    }),
  ),
});

const members = object({
  on: switching,
  off: switching,
  periods: list(
    planLimits.periods,
    object({
      start: literalOr('on', object({ at: startAt, offsetMinutes: number(planLimits.offsetMinutes) })),
      level: number(planLimits.level),
      pattern: option(patterns),
      rampSeconds: number(planLimits.rampSeconds),
    }),
  ),
  minimumMinutes: number(planLimits.minimumMinutes),
});

const isSound = (value: unknown): value is Programme => {
  const problems: Problem[] = [];
  members.check('', value, problems);
  return problems.length === 0;
};

/** A programme from outside: its shape, and the rules over several fields where the shape is sound. */
export const programmeShape: Shape = {
  schema: members.schema,
  check(path, value, problems) {
    if (isSound(value))
      problems.push(
        ...problemsOnce(validateProgramme(value)).map((problem) => ({ ...problem, field: `${path}.${problem.field}` })),
      );
    else members.check(path, value, problems);
  },
};

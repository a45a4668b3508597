import type { JsonSchema, Problem } from '../../fields/kind.ts';
import { planLimits } from '../limits.ts';
import { isClock, minuteOf } from './clock.ts';
import {
  planModes,
  type LightWindow,
  type Pattern,
  type Period,
  type PlanMode,
  type Programme,
  type Switching,
} from './programme.ts';
import type { FloorException, SchemeContent } from './scheme.ts';
import { elsewhere, list, number, object, option, problemsOnce, type Shape } from './shape.ts';

/** The schedule settings of lamps (时间表设置), by the labels of their form, and the programme that they make. */

/** 光控方式: 定时 by the sun and the clock, 纯光控 by a light sensor around sunset and sunrise. */
export const lightControls = ['timed', 'light'] as const;
export type LightControl = (typeof lightControls)[number];

/** A time range: from its start to the next one, the last one to the off-time. */
export interface ScheduleRange {
  /** The first starts `on`, the others by the clock, `HH:MM`. */
  readonly start: string;
  readonly level: number;
  /** Only every second or third lamp burns, as the work mode says. */
  readonly alternate: boolean;
}

export interface Schedule {
  readonly workMode: PlanMode;
  /** 手动模式: on and off by the clock, `HH:MM`; empty in the other modes. */
  readonly startTime: string;
  readonly endTime: string;
  readonly control: LightControl;
  /** Minutes after sunset and after sunrise; less than 0: before. */
  readonly sunsetDelayMinutes: number;
  readonly sunriseDelayMinutes: number;
  /** Of light control: the sensor must have said so for so long. */
  readonly onDelayMinutes: number;
  readonly offDelayMinutes: number;
  readonly lux: number;
  readonly sensitivity: number;
  /** 1 to 6; one where it is manual or by light control alone. */
  readonly ranges: readonly ScheduleRange[];
}

/** The sensor decides from so long before its anchor to so long after it. */
const scheduleWindowMinutes = planLimits.lightWindowMinutes.max;

const usualLight = { onDelayMinutes: 5, offDelayMinutes: 5, lux: 20, sensitivity: 128 } as const;
/** All night at full level, by the sun. */
export const usualSchedule: Schedule = {
  workMode: 'energySaving',
  startTime: '',
  endTime: '',
  control: 'timed',
  sunsetDelayMinutes: 0,
  sunriseDelayMinutes: 0,
  ...usualLight,
  ranges: [{ start: 'on', level: 100, alternate: false }],
};

/** The limits of the numbers of a schedule. */
export const scheduleLimits = {
  sunsetDelayMinutes: planLimits.offsetMinutes,
  sunriseDelayMinutes: planLimits.offsetMinutes,
  onDelayMinutes: planLimits.lightDelayMinutes,
  offDelayMinutes: planLimits.lightDelayMinutes,
  lux: planLimits.lux,
  sensitivity: planLimits.sensitivity,
} as const;
type NumberName = keyof typeof scheduleLimits;
const numberNames = Object.keys(scheduleLimits) as NumberName[];

const numberOf = (name: NumberName): Shape => number({ ...scheduleLimits[name], step: 1 });
const clockText = elsewhere({
  type: 'string',
  description: '`HH:MM` where the work mode is `manual`; else it may be empty.',
});

/** How many time ranges these settings may have. */
export const rangesOf = ({ workMode, control }: Pick<Schedule, 'workMode' | 'control'>): { min: number; max: number } =>
  workMode === 'manual' || control === 'light' ? { min: 1, max: 1 } : planLimits.periods;

/** A schedule as JSON Schema; what depends on the work mode, `scheduleProblems` says. */
export const scheduleSchema: JsonSchema = object({
  workMode: option(planModes),
  startTime: clockText,
  endTime: clockText,
  control: option(lightControls),
  sunsetDelayMinutes: numberOf('sunsetDelayMinutes'),
  sunriseDelayMinutes: numberOf('sunriseDelayMinutes'),
  onDelayMinutes: numberOf('onDelayMinutes'),
  offDelayMinutes: numberOf('offDelayMinutes'),
  lux: numberOf('lux'),
  sensitivity: numberOf('sensitivity'),
  ranges: list(
    planLimits.periods,
    object({
      start: elsewhere({ type: 'string', description: 'The first: `on`; the others `HH:MM`.' }),
      level: number({ ...planLimits.level, step: 1 }),
      alternate: elsewhere({ type: 'boolean' }),
    }),
  ),
}).schema;

const memberNames: ReadonlySet<string> = new Set(Object.keys(usualSchedule));
const rangeNames: ReadonlySet<string> = new Set(['start', 'level', 'alternate']);

/** Every problem of a schedule from outside, by field: `endTime`, `ranges.2.start`; empty: it is one. */
export function scheduleProblems(value: unknown): Problem[] {
  if (!isFields(value)) return [{ field: '', rule: 'complete' }];
  const problems: Problem[] = [...unknownIn('', value, memberNames)];
  const { workMode, control, startTime, endTime } = value;
  problems.push(
    ...optionProblems('workMode', workMode, planModes),
    ...optionProblems('control', control, lightControls),
  );
  for (const name of numberNames) problems.push(...numberProblems(name, value[name], scheduleLimits[name]));
  if (workMode === 'manual') {
    problems.push(...clockProblems('startTime', startTime), ...clockProblems('endTime', endTime));
    if (problems.every(({ field }) => !field.endsWith('Time')) && minuteOfNight(startTime) >= minuteOfNight(endTime))
      problems.push({ field: 'endTime', rule: 'contradicts' });
  } else
    for (const [field, time] of Object.entries({ startTime, endTime }))
      if (time !== '' && !(typeof time === 'string' && isClock(time))) problems.push({ field, rule: 'time' });
  problems.push(...rangeProblems(value));
  return problemsOnce(problems);
}

export const isSchedule = (value: unknown): value is Schedule => scheduleProblems(value).length === 0;

function rangeProblems({ workMode, control, ranges }: Fields): Problem[] {
  if (!Array.isArray(ranges) || ranges.length === 0) return [{ field: 'ranges', rule: 'complete' }];
  const mode = planModes.find((one) => one === workMode) ?? 'energySaving';
  const { min, max } = rangesOf({ workMode: mode, control: control === 'light' ? 'light' : 'timed' });
  if (ranges.length > max) return [{ field: 'ranges', rule: 'entries', params: { min, max } }];
  const own = patternOf(mode);
  const problems: Problem[] = [];
  const starts = new Set<unknown>();
  for (const [place, range] of ranges.entries()) {
    const path = `ranges.${place}`;
    if (!isFields(range)) {
      problems.push({ field: path, rule: 'complete' });
      continue;
    }
    const { start, level, alternate } = range;
    problems.push(...unknownIn(`${path}.`, range, rangeNames));
    if (place > 0) problems.push(...clockProblems(`${path}.start`, start));
    else if (start !== 'on') problems.push({ field: `${path}.start`, rule: 'firstOn' });
    if (starts.has(start)) problems.push({ field: `${path}.start`, rule: 'twice' });
    starts.add(start);
    problems.push(...numberProblems(`${path}.level`, level, planLimits.level));
    if (typeof alternate !== 'boolean' || (alternate && own === 'all'))
      problems.push({ field: `${path}.alternate`, rule: 'option' });
  }
  if (own !== 'all' && !ranges.some((range) => isFields(range) && range['alternate'] === true))
    problems.push({ field: 'ranges', rule: 'patternMissing' });
  return problems;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that was left empty: nothing, or a number that was emptied. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || Number.isNaN(value);

const unknownIn = (path: string, value: Fields, names: ReadonlySet<string>): Problem[] =>
  Object.keys(value)
    .filter((name) => !names.has(name))
    .map((name) => ({ field: `${path}${name.slice(0, 60)}`, rule: 'unknown' }));

function optionProblems(field: string, value: unknown, options: readonly string[]): Problem[] {
  if (isEmpty(value)) return [{ field, rule: 'complete' }];
  return options.some((one) => one === value) ? [] : [{ field, rule: 'option' }];
}

function numberProblems(field: string, value: unknown, { min, max }: { min: number; max: number }): Problem[] {
  if (isEmpty(value)) return [{ field, rule: 'complete' }];
  if (typeof value !== 'number' || !Number.isFinite(value)) return [{ field, rule: 'type' }];
  if (value < min || value > max) return [{ field, rule: 'range', params: { min, max } }];
  return Number.isInteger(value) ? [] : [{ field, rule: 'whole' }];
}

function clockProblems(field: string, value: unknown): Problem[] {
  if (isEmpty(value)) return [{ field, rule: 'timeEmpty' }];
  return typeof value === 'string' && isClock(value) ? [] : [{ field, rule: 'time' }];
}

const noon = 12 * 60;
const dayMinutes = 24 * 60;
/** Minutes since noon. */
const minuteOfNight = (clock: unknown): number => (minuteOf(String(clock)) - noon + dayMinutes) % dayMinutes;

const patternOf = (mode: PlanMode): Pattern => (mode === 'alternateOne' || mode === 'alternateTwo' ? mode : 'all');

const switching = (at: string, offsetMinutes: number, light: LightWindow | null): Switching => ({
  at,
  offsetMinutes,
  notBefore: null,
  notAfter: null,
  light,
});

/** A lit stretch at an end of the night that is shorter is not lit, minutes. */
const shortestMinutes = 10;

/** The programme that a schedule makes. */
export function programmeOfSchedule(schedule: Schedule): Programme {
  const { workMode, control, lux, sensitivity } = schedule;
  const windowOf = (delayMinutes: number): LightWindow | null =>
    control === 'light'
      ? { lux, sensitivity, delayMinutes, beforeMinutes: scheduleWindowMinutes, afterMinutes: scheduleWindowMinutes }
      : null;
  const own = patternOf(workMode);
  const periods = schedule.ranges.map(({ start, level, alternate }): Period => ({
    start: start === 'on' ? start : { at: start, offsetMinutes: 0 },
    level,
    pattern: alternate ? own : 'all',
    rampSeconds: 0,
  }));
  const isManual = workMode === 'manual';
  return {
    on: isManual
      ? switching(schedule.startTime, 0, null)
      : switching('sunset', schedule.sunsetDelayMinutes, windowOf(schedule.onDelayMinutes)),
    off: isManual
      ? switching(schedule.endTime, 0, null)
      : switching('sunrise', schedule.sunriseDelayMinutes, windowOf(schedule.offDelayMinutes)),
    periods,
    minimumMinutes: shortestMinutes,
  };
}

/** What a version holds of it. `name`: of its one programme. */
export const contentOfSchedule = (
  schedule: Schedule,
  name: string,
  floorExceptions: readonly FloorException[] = [],
): SchemeContent => ({
  mode: schedule.workMode,
  programmes: [{ key: 1, name, programme: programmeOfSchedule(schedule) }],
  calendar: { rules: [], default: 1 },
  rotation: 'weekly',
  floorExceptions,
});

/**
 * The schedule that comes closest to a programme: what the form begins with. `exact`: it makes the same night, but for
 * ramps and the minimum of a lit stretch.
 */
export function scheduleOfProgramme(
  programme: Programme,
  mode: PlanMode,
): { readonly schedule: Schedule; readonly exact: boolean } {
  const { on, off, periods } = programme;
  const light = on.light ?? off.light;
  const workMode = mode === 'manual' && !(isClock(on.at) && isClock(off.at)) ? 'energySaving' : mode;
  const isManual = workMode === 'manual';
  const control = light && !isManual ? 'light' : 'timed';
  const { max } = rangesOf({ workMode, control });
  const byClock = periods.filter(
    ({ start }, place) => place === 0 || (start !== 'on' && isClock(start.at) && start.offsetMinutes === 0),
  );
  const schedule: Schedule = {
    ...usualSchedule,
    workMode,
    startTime: isManual ? on.at : '',
    endTime: isManual ? off.at : '',
    control,
    sunsetDelayMinutes: isManual ? 0 : on.offsetMinutes,
    sunriseDelayMinutes: isManual ? 0 : off.offsetMinutes,
    ...(light
      ? {
          lux: light.lux,
          sensitivity: light.sensitivity ?? usualLight.sensitivity,
          onDelayMinutes: on.light?.delayMinutes ?? 0,
          offDelayMinutes: off.light?.delayMinutes ?? 0,
        }
      : {}),
    ranges: byClock.slice(0, max).map(({ start, level, pattern }) => ({
      start: start === 'on' ? start : start.at,
      level,
      alternate: pattern !== 'all' && pattern === patternOf(workMode),
    })),
  };
  return { schedule, exact: sameNight(programmeOfSchedule(schedule), programme) };
}

const sameNight = (one: Programme, other: Programme): boolean => bareOf(one) === bareOf(other);
const bareOf = ({ on, off, periods }: Programme): string =>
  JSON.stringify(
    [on, off].map(({ at, offsetMinutes, notBefore, notAfter, light }) => [
      [at, offsetMinutes, notBefore, notAfter],
      light && [light.lux, light.sensitivity, light.beforeMinutes, light.afterMinutes, light.delayMinutes],
    ]),
  ) +
  JSON.stringify(
    periods.map(({ start, level, pattern }) => [
      start === 'on' ? start : [start.at, start.offsetMinutes],
      level,
      pattern,
    ]),
  );

/** A place on Earth that can be one: both numbers inside their limits, and not the empty one of 0 and 0. */
export function coordinateProblems(latitude: unknown, longitude: unknown): Problem[] {
  const wrong = (value: unknown, { min, max }: { min: number; max: number }) =>
    typeof value !== 'number' || !(value >= min && value <= max);
  const problems: Problem[] = [];
  if (wrong(latitude, planLimits.latitude)) problems.push({ field: 'latitude', rule: 'coordinates' });
  if (wrong(longitude, planLimits.longitude)) problems.push({ field: 'longitude', rule: 'coordinates' });
  if (problems.length === 0 && latitude === 0 && longitude === 0)
    problems.push({ field: 'latitude', rule: 'coordinates' }, { field: 'longitude', rule: 'coordinates' });
  return problems;
}

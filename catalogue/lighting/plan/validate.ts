import type { Fault, Problem } from '../../fields/kind.ts';
import { planLimits } from '../limits.ts';
import { isClock, minuteOf } from './clock.ts';
import { patterns, sunAnchors, type Anchor, type Period, type Programme, type Switching } from './programme.ts';

type LimitName = keyof typeof planLimits;
type Report = (field: string, fault: Fault) => void;

const noon = 12 * 60;
const dayMinutes = 24 * 60;
const suns: readonly string[] = sunAnchors;

/** Every problem of a programme by field (`on.at`, `periods.2.level`); empty: none. `periods`: how many it may have. */
export function validateProgramme(
  programme: Programme,
  periods: 'periods' | 'loopPeriods' | 'timerPeriods' | 'solarPeriods' = 'periods',
): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (field, fault) => problems.push({ field, ...fault });
  checkSwitching(report, 'on', programme.on);
  checkSwitching(report, 'off', programme.off);
  checkLimit(report, 'minimumMinutes', programme.minimumMinutes, 'minimumMinutes');
  const { min, max } = planLimits[periods];
  const count = programme.periods.length;
  if (count < min || count > max) report('periods', { rule: 'range', params: { min, max } });
  for (const [index, period] of programme.periods.entries())
    checkPeriod(report, `periods.${index}`, period, programme.periods.slice(0, index));
  return problems;
}

function checkSwitching(report: Report, field: string, switching: Switching): void {
  const { at, offsetMinutes, notBefore, notAfter, light } = switching;
  if (!suns.includes(at)) checkClock(report, `${field}.at`, at);
  checkLimit(report, `${field}.offsetMinutes`, offsetMinutes, 'offsetMinutes');
  if (notBefore !== null) checkClock(report, `${field}.notBefore`, notBefore);
  if (notAfter !== null) checkClock(report, `${field}.notAfter`, notAfter);
  if (notBefore !== null && notAfter !== null && isClock(notBefore) && isClock(notAfter))
    if (minuteOfNight(notBefore) > minuteOfNight(notAfter)) report(`${field}.notAfter`, { rule: 'contradicts' });
  if (light === null) return;
  checkLimit(report, `${field}.light.lux`, light.lux, 'lux');
  if (light.sensitivity !== null) checkLimit(report, `${field}.light.sensitivity`, light.sensitivity, 'sensitivity');
  checkLimit(report, `${field}.light.beforeMinutes`, light.beforeMinutes, 'lightWindowMinutes');
  checkLimit(report, `${field}.light.afterMinutes`, light.afterMinutes, 'lightWindowMinutes');
  checkLimit(report, `${field}.light.delayMinutes`, light.delayMinutes, 'lightDelayMinutes');
}

function checkPeriod(report: Report, field: string, period: Period, before: readonly Period[]): void {
  const { start, level, pattern, rampSeconds } = period;
  const isFirst = before.length === 0;
  if (isFirst !== (start === 'on')) report(`${field}.start`, { rule: 'firstOn' });
  if (start !== 'on') {
    if (start.at !== 'middle' && !suns.includes(start.at)) checkClock(report, `${field}.start.at`, start.at);
    checkLimit(report, `${field}.start.offsetMinutes`, start.offsetMinutes, 'offsetMinutes');
    if (before.some((other) => other.start !== 'on' && isSameAnchor(other.start, start)))
      report(`${field}.start.at`, { rule: 'taken' });
  }
  checkLimit(report, `${field}.level`, level, 'level');
  checkLimit(report, `${field}.rampSeconds`, rampSeconds, 'rampSeconds');
  if (!patterns.includes(pattern)) report(`${field}.pattern`, { rule: 'option' });
}

const isSameAnchor = (a: Anchor, b: Anchor): boolean => a.at === b.at && a.offsetMinutes === b.offsetMinutes;

function checkClock(report: Report, field: string, text: string): void {
  if (text === '') report(field, { rule: 'timeEmpty' });
  else if (!isClock(text)) report(field, { rule: 'time' });
}

function checkLimit(report: Report, field: string, value: number, name: LimitName): void {
  const { min, max, step } = planLimits[name];
  if (!(value >= min && value <= max)) report(field, { rule: 'range', params: { min, max } });
  else if (step > 0 && !Number.isInteger(value / step)) report(field, { rule: 'whole' });
}

/** Minutes since noon: in this order a night passes its clock times. */
const minuteOfNight = (clock: string): number => (minuteOf(clock) - noon + dayMinutes) % dayMinutes;

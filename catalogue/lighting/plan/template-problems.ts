import { crossedLimits, lampLimits } from '../../alarms/lamp-limits.ts';
import type { Problem } from '../../fields/kind.ts';
import { templateFamilies } from '../families.ts';
import { planLimits } from '../limits.ts';
import { programmeShape } from './programme-shape.ts';
import type { TemplateContent } from './scheme.ts';
import { nullable, number, object, option, problemsOnce, some } from './shape.ts';

/** The content of a template, without the rules over several fields. */
export const templateShape = object(
  {
    reportLitSeconds: number(planLimits.reportSeconds),
    reportUnlitSeconds: number(planLimits.reportSeconds),
    heartbeatSeconds: number(planLimits.heartbeatSeconds),
    powerUpLevel: number(planLimits.level),
    fallbackMinutes: number(planLimits.fallbackMinutes),
    fallbackProgramme: programmeShape,
    minimumMinutes: number(planLimits.minimumMinutes),
    rampSeconds: number(planLimits.rampSeconds),
    staggerSeconds: number(planLimits.staggerSeconds),
    minLevel: number(planLimits.minLevel),
    light: nullable(
      object({
        lux: number(planLimits.lux),
        sensitivity: number(planLimits.sensitivity),
        delayMinutes: number(planLimits.lightDelayMinutes),
      }),
    ),
    latitude: nullable(number(planLimits.latitude)),
    longitude: nullable(number(planLimits.longitude)),
    // Only alarms of lamps that have a limit.
    thresholds: some(Object.fromEntries(lampLimits.map(({ code, min, max }) => [code, number({ min, max })]))),
  },
  { family: option(templateFamilies) },
);

/** Wrong coordinates are called by their own words. */
const ownRules = { latitude: 'latitude', longitude: 'longitude' } as const;

const isLimits = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'number');

/** Every problem of a content by field path; empty: it is one. */
export function templateProblems(content: unknown): Problem[] {
  const problems: Problem[] = [];
  templateShape.check('', content, problems);
  if (problems.some(({ field }) => field === '')) return [{ field: '', rule: 'type' }];
  if (typeof content === 'object' && content !== null) {
    const { latitude = null, longitude = null, thresholds }: Partial<Record<string, unknown>> = { ...content };
    if ((latitude === null) !== (longitude === null))
      problems.push({ field: latitude === null ? 'latitude' : 'longitude', rule: 'together' });
    if (isLimits(thresholds))
      for (const { code, min, max } of crossedLimits(thresholds))
        problems.push({ field: `thresholds.${code}`, rule: 'range', params: { min, max } });
  }
  return problemsOnce(
    problems.map(({ field, rule, ...more }) =>
      rule === 'range' && (field === 'latitude' || field === 'longitude')
        ? { field, rule: ownRules[field] }
        : { field, rule, ...more },
    ),
  );
}

export const isTemplateContent = (content: unknown): content is TemplateContent =>
  templateProblems(content).length === 0;

import { judgedFaults } from '../../faults.ts';
import type { Problem } from '../../fields/kind.ts';
import { planLimits } from '../limits.ts';
import { programmeShape } from './programme-shape.ts';
import type { TemplateContent } from './scheme.ts';
import { nullable, number, object, problemsOnce, record } from './shape.ts';

/** The content of a template, without the rules over several fields. */
export const templateShape = object({
  reportLitSeconds: number(planLimits.reportSeconds),
  reportUnlitSeconds: number(planLimits.reportSeconds),
  heartbeatSeconds: number(planLimits.reportSeconds),
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
  // Only alarms that the catalogue declares.
  thresholds: record(judgedFaults, number(planLimits.threshold)),
});

/** Wrong coordinates are called by their own words. */
const ownRules = { latitude: 'latitude', longitude: 'longitude' } as const;

/** Every problem of a content by field path; empty: it is one. */
export function templateProblems(content: unknown): Problem[] {
  const problems: Problem[] = [];
  templateShape.check('', content, problems);
  if (problems.some(({ field }) => field === '')) return [{ field: '', rule: 'type' }];
  if (typeof content === 'object' && content !== null) {
    const { latitude = null, longitude = null }: Partial<Record<string, unknown>> = { ...content };
    if ((latitude === null) !== (longitude === null))
      problems.push({ field: latitude === null ? 'latitude' : 'longitude', rule: 'together' });
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

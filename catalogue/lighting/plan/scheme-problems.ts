import type { Problem } from '../../fields/kind.ts';
import { roadClasses } from '../../records/road.ts';
import { planLimits } from '../limits.ts';
import { calendarProblems, conditionKinds } from './calendar-problems.ts';
import { planModes, rotations, sunAnchors, type PlanMode, type Programme } from './programme.ts';
import { programmeShape } from './programme-shape.ts';
import type { SchemeContent } from './scheme.ts';
import { elsewhere, list, number, object, option, problemsOnce, text } from './shape.ts';

const condition = {
  type: 'object',
  properties: { kind: { enum: conditionKinds } },
  required: ['kind'],
};
/** `calendarProblems` checks it. */
const calendar = elsewhere({
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      maxItems: planLimits.rules.max,
      items: {
        type: 'object',
        properties: {
          programme: { type: 'integer' },
          label: { type: 'string' },
          enabled: { type: 'boolean' },
          when: { type: 'array', minItems: 1, maxItems: planLimits.conditions.max, items: condition },
        },
        required: ['programme', 'label', 'enabled', 'when'],
        additionalProperties: false,
      },
    },
    default: { type: 'integer' },
  },
  required: ['rules', 'default'],
  additionalProperties: false,
});

/** The content of a scheme, without the rules over several fields. */
export const schemeShape = object({
  mode: option(planModes),
  programmes: list(
    planLimits.programmes,
    object({
      key: number(planLimits.programmeKey),
      name: text(planLimits.programmeName),
      programme: programmeShape,
    }),
  ),
  calendar,
  rotation: option(rotations),
  floorExceptions: list(
    { min: 0, max: roadClasses.length },
    object({ roadClass: option(roadClasses), reason: text(planLimits.floorReason) }),
  ),
});

/** Every problem of a content by field path, from `mode` to `calendar.rules.3.when.0.date`; empty: it is one. */
export function schemeProblems(content: unknown): Problem[] {
  const problems: Problem[] = [];
  schemeShape.check('', content, problems);
  if (!isFields(content)) return [{ field: '', rule: 'type' }];
  const programmes = listIn(content['programmes']);
  problems.push(...calendarProblems(content['calendar'], programmes.map(({ key }) => key).filter(isNumber)));
  problems.push(...twice('programmes', 'key', programmes), ...twice('programmes', 'name', programmes));
  problems.push(...twice('floorExceptions', 'roadClass', listIn(content['floorExceptions'])));
  const soundMode = planModes.find((mode) => mode === content['mode']);
  if (soundMode !== undefined)
    for (const [place, { programme }] of programmes.entries()) {
      const path = `programmes.${place}.programme`;
      const wrong: Problem[] = [];
      programmeShape.check(path, programme, wrong);
      if (wrong.length === 0) problems.push(...modeProblems(soundMode, path, programme as Programme));
    }
  return problemsOnce(problems);
}

export const isSchemeContent = (content: unknown): content is SchemeContent => schemeProblems(content).length === 0;

/** How many periods a programme of a mode may have: 手动 has one. */
export const periodsOf = (mode: PlanMode): { readonly min: number; readonly max: number } =>
  mode === 'manual' ? { min: 1, max: 1 } : planLimits.periods;

/** The rules of the four modes: anchors of 手动, patterns of 隔一亮一 and 隔二亮一. */
function modeProblems(mode: PlanMode, path: string, { on, off, periods }: Programme): Problem[] {
  const problems: Problem[] = [];
  if (mode === 'manual') {
    for (const [name, { at, light }] of Object.entries({ on, off })) {
      if (sunAnchors.some((anchor) => anchor === at)) problems.push({ field: `${path}.${name}.at`, rule: 'clockOnly' });
      if (light !== null) problems.push({ field: `${path}.${name}.light`, rule: 'clockOnly' });
    }
    if (periods.length > 1)
      problems.push({ field: `${path}.periods`, rule: 'entries', params: { ...periodsOf(mode) } });
  }
  const own = mode === 'alternateOne' || mode === 'alternateTwo' ? mode : 'all';
  for (const [place, { pattern }] of periods.entries())
    if (pattern !== 'all' && pattern !== own)
      problems.push({ field: `${path}.periods.${place}.pattern`, rule: 'option' });
  if (own !== 'all' && !periods.some(({ pattern }) => pattern === own))
    problems.push({ field: `${path}.periods`, rule: 'patternMissing' });
  return problems;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number';
/** The entries of a list; what is none has no members. */
const listIn = (value: unknown): readonly Fields[] =>
  (Array.isArray(value) ? value.slice(0, 1000) : []).map((entry: unknown) => (isFields(entry) ? entry : {}));

/** Entries whose member an earlier entry has too. */
function twice(path: string, name: string, entries: readonly Fields[]): Problem[] {
  const seen = new Set<unknown>();
  return entries.flatMap((entry, place): Problem[] => {
    const value = entry[name];
    if (value === undefined || !seen.has(value)) return (seen.add(value), []);
    return [{ field: `${path}.${place}.${name}`, rule: 'twice' }];
  });
}

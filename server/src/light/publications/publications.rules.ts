import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import {
  publicationBounds,
  type createPublication,
  type decidePublication,
  type previewPublication,
} from '../../../../contract/light/publications.ts';
import type { BodyOf } from '../../../../contract/route.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Caller, FieldProblem, Sound } from '../../platform/http/index.ts';
import { loadPlaces, type AreaPlace } from '../../register/places/index.ts';
import { findLamps } from './publications.store.ts';

type Wanted = Sound<BodyOf<typeof previewPublication>>;
type Body = Sound<BodyOf<typeof createPublication>>;

/** The lighting day of a place; without a place that of Greenwich. */
export const todayAt = (place: AreaPlace | undefined, now: Date): Day =>
  place ? lightingDay(place, now.getTime()).day : dayOf(now.getTime(), 'UTC');

/** Something has to be published. */
export const versionProblems = (body: Wanted): FieldProblem[] =>
  'schemeId' in body || 'templateId' in body ? [] : [{ field: 'schemeId', rule: 'required' }];

/** The instant by which plans are asked for that hold from a lighting day on: now, or when its lamps are told. */
export const tellingAt = (effectiveFrom: Day, now: Date): number =>
  Math.max(now.getTime(), Date.parse(`${addDays(effectiveFrom, -publicationBounds.toldAhead)}T00:00:00Z`));

/** The first lighting day is today or one of the next; a text that is no day is neither. */
export function dayProblems(asked: Day, today: Day): FieldProblem[] {
  const field = 'effectiveFrom';
  const days = Array.from({ length: publicationBounds.daysAhead + 1 }, (_none, ahead) => addDays(today, ahead));
  if (days.includes(asked)) return [];
  if (asked < today) return [{ field, rule: 'minimum', values: { limit: today } }];
  const last = days.at(-1) ?? today;
  return [asked > last ? { field, rule: 'maximum', values: { limit: last } } : { field, rule: 'format' }];
}

/** The first part is a count or a share. */
export function canaryProblems({ canary }: Body): FieldProblem[] {
  if (!canary || 'count' in canary !== 'share' in canary) return [];
  return [{ field: 'canary.count', rule: 'count' in canary ? 'invalid' : 'required' }];
}

/** Who refuses says why. */
export const decisionProblems = ({ approved, reason }: Sound<BodyOf<typeof decidePublication>>): FieldProblem[] =>
  approved === false && !reason?.trim() ? [{ field: 'reason', rule: 'required' }] : [];

/** What the rules say of a form, for whom it is refused: everything at once. The day is that of its first lamp. */
export async function problemsOfForm(db: Db, caller: Caller, body: Body, now: Date): Promise<FieldProblem[]> {
  const { effectiveFrom, scope } = body;
  const [first] = effectiveFrom === undefined || !scope ? [] : await findLamps(db, scope, caller, 1);
  const places = first?.visible ? await loadPlaces(db, [first.workAreaId]) : undefined;
  return [
    ...versionProblems(body),
    ...(effectiveFrom === undefined
      ? []
      : dayProblems(effectiveFrom, todayAt(first && places?.get(first.workAreaId), now))),
    ...canaryProblems(body),
  ];
}

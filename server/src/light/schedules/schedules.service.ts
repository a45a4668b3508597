import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { classFloors } from '../../../../catalogue/lighting/floors.ts';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { contentOfSchedule, scheduleProblems } from '../../../../catalogue/lighting/plan/schedule.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { roadClasses } from '../../../../catalogue/records/road.ts';
import type { createSchedule, previewSchedule } from '../../../../contract/light/schedules.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuseProblems, type Caller, type RequestContext, type Sound } from '../../platform/http/index.ts';
import type { LampPlans } from '../plans/index.ts';
import { createPublishing, type Making } from '../publications/index.ts';
import { contentHashOf } from '../versioned/index.ts';
import { insertSchedule } from './schedules.store.ts';

export interface SchedulesParts {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly plans: LampPlans;
}
type Ctx = Pick<RequestContext, 'caller' | 'change'>;
type Body = BodyOf<typeof createSchedule>;
type Wanted = BodyOf<typeof previewSchedule>;

/** What the one programme of such a version is called. */
const programmeName = 'schedule';

/** A scope that names nothing. */
export const scopeProblems = (scope: Sound<Wanted['scope']> | undefined): Problem[] =>
  scope !== undefined && Object.values(scope).every((part) => Array.isArray(part) && part.length === 0)
    ? [{ field: 'scope', rule: 'noRecord' }]
    : [];

const below = (problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, field: problem.field === '' ? 'schedule' : `schedule.${problem.field}` }));

/** Neighbours may make it necessary to except a class that the content alone would not. */
const floorClasses = roadClasses.filter((roadClass) => classFloors[roadClass] > 0);

/** The content of a version, excepted from the floors of these classes by the reason, where there is one. */
function contentOf(
  { schedule, floorReason }: Pick<Wanted, 'schedule' | 'floorReason'>,
  needed: ReadonlySet<unknown> = new Set(floorClasses),
): SchemeContent {
  const content = contentOfSchedule(schedule, programmeName);
  const reason = floorReason?.trim() ?? '';
  if ([...reason].length < planLimits.floorReason.min) return content;
  const classes = floorClasses.filter((roadClass) => needed.has(roadClass));
  return { ...content, floorExceptions: classes.map((roadClass) => ({ roadClass, reason })) };
}

/** Schedule settings of lamps: a version of their own, and the publication that takes it to them. */
export function createSchedules(parts: SchedulesParts) {
  const publishing = createPublishing(parts);

  function making(caller: Caller, body: Wanted): Making {
    const problems = [...scopeProblems(body.scope), ...below(scheduleProblems(body.schedule))];
    if (problems.length > 0) throw refuseProblems(problems);
    return {
      action: 'schedule.set',
      contentHash: contentHashOf(contentOf(body)),
      make(tx, lamps, excepted) {
        const content = contentOf(body, excepted);
        return insertSchedule(tx, {
          workAreaId: oneOf(lamps.map(({ workAreaId }) => workAreaId)),
          content,
          contentHash: contentHashOf(content),
          by: caller.username,
          at: parts.clock.now(),
        });
      },
    };
  }

  return {
    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: ({ scope, schedule }: Sound<Wanted>): Problem[] => [
      ...scopeProblems(scope),
      ...(schedule === undefined ? [] : below(scheduleProblems(schedule))),
    ],
    preview: (caller: Caller, body: Wanted): Promise<ReplyOf<typeof previewSchedule>> =>
      publishing.preview(caller, { scope: body.scope }, making(caller, body)),
    create: (ctx: Ctx, { schedule, floorReason = null, ...body }: Body): Promise<ReplyOf<typeof createSchedule>> =>
      publishing.create(ctx, body, making(ctx.caller, { scope: body.scope, schedule, floorReason })),
  };
}

/** The one value of all; null: there are several. */
const oneOf = ([first, ...others]: readonly number[]): number | null =>
  first === undefined || others.some((one) => one !== first) ? null : first;

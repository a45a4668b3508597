import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import { noRole, type LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { scheduleOfProgramme } from '../../../../catalogue/lighting/plan/schedule.ts';
import { defaultPlan, defaultProgramme } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import type { getLampSchedule } from '../../../../contract/light/schedules.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { refuse, type Caller } from '../../platform/http/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import {
  coordinatesOf,
  expectedHash,
  followingOn,
  formerOf,
  hashOf,
  kilometresFromRecords,
  plainOf,
  type AssignedPlan,
} from '../plans/index.ts';
import { rolesOf } from '../rows/index.ts';
import type { SchedulesParts } from './schedules.service.ts';
import { findLamp, type StoredLamp } from './time-table.store.ts';

type Answer = ReplyOf<typeof getLampSchedule>;
type Night = Answer['told']['night'];

const coordinates = (latitude: number | null, longitude: number | null) => coordinatesOf({ latitude, longitude });
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The time table of one lamp: what is set, what it was sent, and what it says. */
export function createTimeTables({ db, clock, plans }: Pick<SchedulesParts, 'db' | 'clock' | 'plans'>) {
  return {
    async of(caller: Caller, id: number): Promise<Answer> {
      const lamp = await findLamp(db, caller, id);
      if (!lamp) throw refuse('notFound');
      if (!lamp.visible) throw refuse('foreignWorkArea');
      const now = clock.now().getTime();
      const own = (await plans.of(db, [id], now)).get(id);
      const area = (await loadPlaces(db, [lamp.workAreaId])).get(lamp.workAreaId);
      const plan = own ?? (area ? defaultPlan(area) : undefined);
      const day = plan ? lightingDay(plan.place, now).day : null;
      const following = own && day !== null ? followingOn(own.following, day) : undefined;
      const content = following?.scheme?.content;
      const key = following && day !== null ? following.keyOn(day) : null;
      const programme =
        content?.programmes.find((one) => one.key === key)?.programme ??
        following?.template?.content.fallbackProgramme ??
        defaultProgramme;
      const toldHash = own ? expectedHash(own, (await plans.abilities(db, [id]))(id), now) : null;
      const nightIn = (of: LampPlan | undefined): Night =>
        of && day !== null
          ? nightOf(of, day).steps.map(({ at, level }) => ({ at: new Date(at).toISOString(), level }))
          : null;
      const knowsPlans = lamp.capabilities?.plan !== undefined;
      const has = lamp.assigned?.schedule === true && lamp.assignedAt !== null;
      return {
        id,
        code: lamp.code,
        name: lamp.name,
        day,
        ...scheduleOfProgramme(programme, content?.mode ?? 'energySaving'),
        own:
          has && lamp.assigned && lamp.assignedAt
            ? {
                by: lamp.assigned.by,
                at: lamp.assignedAt.toISOString(),
                publicationId: lamp.assigned.publicationId,
                lamps: lamp.assigned.lamps ?? 0,
              }
            : null,
        scheme: lamp.scheme,
        publicationId: lamp.publicationId,
        place: placeOf(lamp, own, area),
        role: own?.role ?? (await rolesOf(db, [id])).get(id) ?? noRole,
        told: { planHash: toldHash, night: nightIn(plan), at: iso(lamp.assignedAt) },
        device: {
          planHash: lamp.reportedHash,
          night: nightIn(saidPlan(own, lamp.reportedHash, now)),
          at: iso(lamp.readAt ?? lamp.reportedAt),
          knowsPlans,
        },
        equal: lamp.reportedHash === null && !knowsPlans ? null : lamp.reportedHash === toldHash,
      };
    },
  };
}

/** The plan that a hash is of: the newest, or the one before it. */
function saidPlan(own: AssignedPlan | undefined, said: string | null, now: number) {
  if (!own || said === null) return undefined;
  if (said === hashOf(own, now)) return own;
  const former = formerOf(own);
  return former.following.length > 0 && hashOf(former, now) === said ? plainOf(former) : undefined;
}

function placeOf(
  lamp: StoredLamp,
  own: AssignedPlan | undefined,
  area: { readonly latitude: number; readonly longitude: number } | undefined,
): Answer['place'] {
  const template = own?.following.at(-1)?.template?.content;
  const known = {
    template: coordinates(template?.latitude ?? null, template?.longitude ?? null),
    lamp: coordinates(lamp.latitude, lamp.longitude),
    pole: coordinates(lamp.poleLatitude, lamp.poleLongitude),
  };
  // Without a plan it goes by the sun of its area.
  const source = !own ? null : known.template ? 'template' : known.lamp ? 'lamp' : known.pole ? 'pole' : null;
  const used = own?.place ?? area;
  const stands = known.template ?? known.lamp ?? known.pole ?? area ?? null;
  const away = own ? kilometresFromRecords(own.place, stands) : null;
  return {
    used: used ? { latitude: used.latitude, longitude: used.longitude } : null,
    source: away === null ? (source ?? (used ? 'area' : null)) : 'published',
    away,
    lamp: known.lamp,
    pole: known.pole,
    area: coordinates(lamp.areaLatitude, lamp.areaLongitude),
    timeZone: lamp.timeZone,
    sunOffsetMinutes: lamp.sunOffsetMinutes,
  };
}

import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { coordinateProblems } from '../../../../catalogue/lighting/plan/schedule.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { scheduleBounds, type previewLampPlaces, type setLampPlaces } from '../../../../contract/light/schedules.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import type { Db, Transaction } from '../../platform/db/index.ts';
import { refuseProblems, type Caller, type RequestContext, type Sound } from '../../platform/http/index.ts';
import { devicesAsSeen, recordChanges } from '../../register/devices/index.ts';
import { lampsOf, plansWithAreas, tried } from '../publications/index.ts';
import { findStanding, holdLamps, writePlaces, type Standing } from './places.store.ts';
import { scopeProblems, type SchedulesParts } from './schedules.service.ts';

type Body = BodyOf<typeof setLampPlaces>;
type Preview = ReplyOf<typeof previewLampPlaces>;
interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}
/** A lamp and the place that its record gets; null: its own is emptied, and its pole's holds. */
interface Write {
  readonly lamp: Standing;
  readonly to: Coordinates | null;
}

const coordinates = (latitude: number | null, longitude: number | null): Coordinates | null =>
  latitude === null || longitude === null ? null : { latitude, longitude };
const same = (one: Coordinates | null, other: Coordinates | null): boolean =>
  one?.latitude === other?.latitude && one?.longitude === other?.longitude;
const ownOf = (lamp: Standing) => coordinates(lamp.latitude, lamp.longitude);
const poleOf = (lamp: Standing) => coordinates(lamp.poleLatitude, lamp.poleLongitude);
const areaOf = (lamp: Standing) => coordinates(lamp.areaLatitude, lamp.areaLongitude);

/** Where lamps stand (经纬度设置): by numbers, or taken over from their pole or area. */
export function createLampPlaces({ db, bus, clock, plans }: SchedulesParts) {
  const problemsOf = ({ scope, source, latitude, longitude }: Sound<Body>): Problem[] => [
    ...scopeProblems(scope),
    ...(source === 'given' ? coordinateProblems(latitude, longitude) : []),
  ];

  async function resolve(from: Db | Transaction, caller: Caller, body: Body) {
    const problems = problemsOf(body);
    if (problems.length > 0) throw refuseProblems(problems);
    const { source, latitude = null, longitude = null } = body;
    const { lamps } = await lampsOf(from, caller, body.scope, scheduleBounds.places);
    const standing = await findStanding(
      from,
      lamps.map(({ id }) => id),
    );
    const writes: Write[] = [];
    let without = 0;
    for (const lamp of standing) {
      const to = source === 'given' ? coordinates(latitude, longitude) : source === 'area' ? areaOf(lamp) : null;
      if (source === 'pole' ? poleOf(lamp) === null : to === null) without += 1;
      else if (!same(ownOf(lamp), to)) writes.push({ lamp, to });
    }
    return { ids: lamps.map(({ id }) => id), writes, counts: { lamps: lamps.length, changed: writes.length, without } };
  }

  const write = (tx: Transaction, writes: readonly Write[]) =>
    writePlaces(
      tx,
      writes.map(({ lamp, to }) => ({ id: lamp.id, latitude: to?.latitude ?? null, longitude: to?.longitude ?? null })),
    );

  return {
    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: problemsOf,

    async preview(caller: Caller, body: Body): Promise<Preview> {
      const { writes, counts } = await resolve(db, caller, body);
      const shown = writes.slice(0, scheduleBounds.listed);
      const now = clock.now().getTime();
      const lamps = shown.map(({ lamp }) => ({ deviceId: lamp.id, workAreaId: lamp.workAreaId }));
      const before = await plansWithAreas(db, plans, lamps, now);
      const after = await tried(db, async (tx) => {
        await write(tx, shown);
        return plansWithAreas(tx, plans, lamps, now);
      });
      const tonight = (plan: LampPlan | undefined) => {
        const night = plan && nightOf(plan, lightingDay(plan.place, now).day);
        const iso = (at: number | null | undefined) =>
          at === null || at === undefined ? null : new Date(at).toISOString();
        return { on: iso(night?.on), off: iso(night?.off) };
      };
      return {
        ...counts,
        moved: shown.map(({ lamp, to }) => ({
          deviceId: lamp.id,
          code: lamp.code,
          before: ownOf(lamp) ?? poleOf(lamp),
          after: to ?? poleOf(lamp),
          tonightBefore: tonight(before.of(lamp.id, lamp.workAreaId)),
          tonightAfter: tonight(after.of(lamp.id, lamp.workAreaId)),
        })),
      };
    },

    async set(
      { caller, change }: Pick<RequestContext, 'caller' | 'change'>,
      body: Body,
    ): Promise<ReplyOf<typeof setLampPlaces>> {
      const { ids, counts } = await change({ action: 'lampPlace.set' }, async (tx) => {
        await holdLamps(tx, (await resolve(tx, caller, body)).ids);
        // What is written is decided by what holds now.
        const { writes, counts } = await resolve(tx, caller, body);
        const ids = writes.map(({ lamp }) => lamp.id);
        const before = await devicesAsSeen(tx, ids);
        await write(tx, writes);
        const after = await devicesAsSeen(tx, ids);
        const origin = {
          at: clock.now(),
          actorId: caller.accountId,
          actorName: caller.username,
          source: 'edit',
        } as const;
        await recordChanges(
          tx,
          origin,
          ids.map((id) => ({ before: before.get(id) ?? null, after: after.get(id) ?? null })),
        );
        return { ids, counts };
      });
      if (ids.length > 0) {
        bus.publish('devices.changed', { ids });
        bus.publish('register.changed', {});
      }
      return counts;
    },
  };
}

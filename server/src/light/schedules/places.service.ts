import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { coordinateProblems } from '../../../../catalogue/lighting/plan/schedule.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { scheduleBounds, type previewLampPlaces, type setLampPlaces } from '../../../../contract/light/schedules.ts';
import type { BodyOf, ReplyOf } from '../../../../contract/route.ts';
import { tried, type Db, type Transaction } from '../../platform/db/index.ts';
import {
  problemsOf,
  refuse,
  refuseProblems,
  wordedProblems,
  type RuleProblem,
  type Caller,
  type RequestContext,
  type Sound,
} from '../../platform/http/index.ts';
import { devicesAsSeen, recordChanges } from '../../register/devices/index.ts';
import { lampsOf, plansWithAreas } from '../publications/index.ts';
import { coordinatesOf, kilometresTooFar } from '../plans/index.ts';
import { findStanding, writePlaces, type Standing } from './places.store.ts';
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

const coordinates = (latitude: number | null, longitude: number | null) => coordinatesOf({ latitude, longitude });
const same = (one: Coordinates | null, other: Coordinates | null): boolean =>
  one?.latitude === other?.latitude && one?.longitude === other?.longitude;
const ownOf = (lamp: Standing) => coordinates(lamp.latitude, lamp.longitude);
const poleOf = (lamp: Standing) => coordinates(lamp.poleLatitude, lamp.poleLongitude);
const areaOf = (lamp: Standing) => coordinates(lamp.areaLatitude, lamp.areaLongitude);

/**
 * A place that is not near each of the lamps: their nights would move by hours, and they be dark, without the second
 * person who has to agree to that. Of several lamps the first is named.
 */
function farProblems(standing: readonly Standing[], to: Coordinates | null): Problem[] {
  const { placeKilometres: km } = scheduleBounds;
  for (const lamp of standing) {
    const distance = kilometresTooFar(to, poleOf(lamp) ?? areaOf(lamp));
    if (distance === null) continue;
    const problem = { rule: 'coordinatesFar', params: { km, distance, code: lamp.code } } as const;
    return [
      { field: 'latitude', ...problem },
      { field: 'longitude', ...problem },
    ];
  }
  return [];
}

/** Where lamps stand (经纬度设置): by numbers, or taken over from their pole or area. */
export function createLampPlaces({ db, bus, clock, plans }: SchedulesParts) {
  const formProblems = ({ scope, source, latitude, longitude }: Sound<Body>): Problem[] => [
    ...scopeProblems(scope),
    ...(source === 'given' ? coordinateProblems(latitude, longitude) : []),
  ];

  const refuseWrong = (problems: readonly Problem[]): void => {
    if (problems.length > 0) throw refuseProblems(problems);
  };

  /** In a transaction that writes it the lamps are held: nothing of them changes between. */
  async function standingOf(from: Db, caller: Caller, scope: Body['scope'], held: boolean): Promise<Standing[]> {
    const { lamps } = await lampsOf(from, caller, scope, scheduleBounds.places);
    const ids = lamps.map(({ id }) => id);
    const standing = await findStanding(from, caller, ids, held);
    if (standing.some(({ visible }) => !visible)) throw refuse('foreignWorkArea');
    return standing;
  }

  async function resolve(from: Db, caller: Caller, body: Body, held: boolean) {
    const { source, latitude = null, longitude = null } = body;
    const standing = await standingOf(from, caller, body.scope, held);
    if (source === 'given') refuseWrong(farProblems(standing, coordinates(latitude, longitude)));
    const writes: Write[] = [];
    let without = 0;
    for (const lamp of standing) {
      const to = source === 'given' ? coordinates(latitude, longitude) : source === 'area' ? areaOf(lamp) : null;
      if (source === 'pole' ? poleOf(lamp) === null : to === null) without += 1;
      else if (!same(ownOf(lamp), to)) writes.push({ lamp, to });
    }
    return { writes, counts: { lamps: standing.length, changed: writes.length, without } };
  }

  const write = (tx: Transaction, writes: readonly Write[]) =>
    writePlaces(
      tx,
      writes.map(({ lamp, to }) => ({ id: lamp.id, latitude: to?.latitude ?? null, longitude: to?.longitude ?? null })),
    );

  return {
    /** What the rules say of a form, for whom it is refused: everything at once. */
    problems: (caller: Caller, body: Sound<Body>): Promise<RuleProblem[]> =>
      problemsOf(
        () => wordedProblems(formProblems(body)),
        async () => {
          const { scope, source, latitude, longitude } = body;
          if (!scope || source !== 'given' || formProblems(body).length > 0) return [];
          const { roadIds = [], groupIds = [], controllerIds = [], deviceIds = [], workAreaId } = scope;
          const area = workAreaId === undefined ? {} : { workAreaId };
          const asked = { roadIds, groupIds, controllerIds, deviceIds, ...area };
          const lamps = await standingOf(db, caller, asked, false);
          return wordedProblems(farProblems(lamps, coordinates(latitude ?? null, longitude ?? null)));
        },
      ),

    async preview(caller: Caller, body: Body): Promise<Preview> {
      refuseWrong(formProblems(body));
      const { writes, counts } = await resolve(db, caller, body, false);
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
      refuseWrong(formProblems(body));
      const { ids, counts } = await change({ action: 'lampPlace.set' }, async (tx) => {
        const { writes, counts } = await resolve(tx, caller, body, true);
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

import { floorFindings } from '../../../../catalogue/lighting/floors.ts';
import { learnedWatts } from '../../../../catalogue/lighting/lamp-power.ts';
import type { FindingCode } from '../../../../catalogue/lighting/plan/findings.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { countryOf } from '../../../../catalogue/lighting/plan/countries.ts';
import { addDays, type Day } from '../../../../catalogue/lighting/zone.ts';
import { publicationBounds, type itemReasons } from '../../../../contract/light/publications.ts';
import { breather } from '../../platform/breather.ts';
import type { Transaction } from '../../platform/db/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { loadDayFacts } from '../calendar/index.ts';
import { loadCurves } from '../lamps/index.ts';
import {
  assign,
  createToldSettings,
  expectedHash,
  findComing,
  hashOf,
  hasLevelsOf,
  lastAssigned,
  plainOf,
  plansComing,
  soundPlans,
  takeBack,
  type LampPlans,
} from '../plans/index.ts';
import { createComparison, type Difference } from './darkness.ts';
import { judgeFloors, type FloorFound } from './floors.ts';
import { namedFindings, type Finding, type Found } from './found.ts';
import { createLoopLook } from './loops.ts';
import { darkNeighbours } from './neighbours.ts';
import { tellingAt } from './publications.rules.ts';
import type { Before, Lamp, Version } from './publications.store.ts';
import { createYear, openDays } from './year.ts';

export interface Assessment {
  readonly changed: number;
  readonly cannot: ReadonlyMap<number, (typeof itemReasons)[number]>;
  readonly darker: readonly Lamp[];
  readonly kwh: { readonly before: number; readonly after: number };
  readonly findings: readonly Finding[];
}
export interface Asked {
  readonly lamps: readonly Lamp[];
  readonly scheme: Version<SchemeContent> | null;
  readonly template: Version<TemplateContent> | null;
  readonly effectiveFrom: Day;
  /** A return: what each lamp follows after it, instead of a version for all. */
  readonly back?: ReadonlyMap<number, Before>;
  readonly now: Date;
  /** Findings of this code name all of their lamps. */
  readonly lampsOf?: FindingCode | undefined;
}

const atOnce = 1000;
const unknown = { latitude: null, longitude: null };
const year = 366;
/** Devices get the calendar of so many lighting days. */
const daysAhead = 400;

/**
 * What the publication would do, found out by doing it: the caller takes the transaction back. Lamps with the same plans
 * are compared once.
 */
export async function assess(tx: Transaction, plans: LampPlans, asked: Asked): Promise<Assessment> {
  const { lamps, scheme, template, effectiveFrom, back, now } = asked;
  const at = tellingAt(effectiveFrom, now);
  const cannot = new Map<number, (typeof itemReasons)[number]>();
  const failed = new Set<number>();
  // A lamp whose plan cannot be made is left out, and stands in no other's way.
  const sound = soundPlans(plans, failed);
  const darker: Lamp[] = [];
  const kwh = { before: 0, after: 0 };
  let changed = 0;
  /** They go by the table of each night, as this plan asks for more than they can. */
  const byTable: number[] = [];
  const breathe = breather();
  const [curves, places] = [
    await loadCurves(tx),
    await loadPlaces(tx, [...new Set(lamps.map(({ workAreaId }) => workAreaId))]),
  ];
  const areas = new Map([...places].map(([id, place]) => [id, defaultPlan(place)]));
  const known = new Map<LampPlan, Map<LampPlan, Difference>>();
  const compare = createComparison(effectiveFrom, breathe);
  const yearly = createYear(effectiveFrom);
  const byZone = new Map<string, number[]>();
  const lightsUnpowered = createLoopLook(effectiveFrom, daysAhead, breathe);
  const unpowered: number[] = [];
  const [formers, nexts] = [new Map<number, LampPlan>(), new Map<number, LampPlan>()];
  const [wholeFormers, wholeNexts] = [new Map<number, LampPlan>(), new Map<number, LampPlan>()];
  // With exceptions, and ends of them, that wait for a second person.
  const later = plansComing(sound, effectiveFrom, daysAhead);
  const [comingFormers, comingNexts] = [new Map<number, LampPlan>(), new Map<number, LampPlan>()];
  const differenceOf = async (before: LampPlan, after: LampPlan): Promise<Difference> => {
    const of = known.get(after) ?? new Map<LampPlan, Difference>();
    known.set(after, of);
    const difference = of.get(before) ?? (await compare(before, after));
    of.set(before, difference);
    return difference;
  };

  for (let from = 0; from < lamps.length; from += atOnce) {
    const some = lamps.slice(from, from + atOnce);
    for (const { id, enabled } of some) if (!enabled) cannot.set(id, 'disabled');
    const inUse = some.filter(({ enabled }) => enabled);
    const ids = inUse.map(({ id }) => id);
    const had = await lastAssigned(tx, ids);
    const before = await sound.of(tx, ids, at);
    const coming = back ? [] : [...(await findComing(tx, ids, new Date(at)))];
    const beforeComing = await later.of(tx, coming, at);
    const next = back ?? had;
    const schemes = ids.map((id) => scheme?.id ?? next.get(id)?.schemeVersionId ?? null);
    const templates = ids.map((id) => template?.id ?? next.get(id)?.templateVersionId ?? null);
    await assign(tx, {
      deviceIds: ids,
      schemeVersionIds: schemes,
      templateVersionIds: templates,
      fromDay: effectiveFrom,
      publicationId: null,
      by: '',
      at: now,
      ...(back ? { places: ids.map((id) => had.get(id) ?? unknown) } : {}),
    });
    const after = await sound.of(tx, ids, at);
    const afterComing = await later.of(tx, coming, at);
    const abilities = await plans.abilities(tx, ids);
    const unable: number[] = [];
    for (const [index, lamp] of inUse.entries()) {
      const whole = after.get(lamp.id);
      if (!whole) {
        cannot.set(lamp.id, failed.has(lamp.id) ? 'unreadable' : 'noPlace');
        if (failed.has(lamp.id)) unable.push(lamp.id);
        continue;
      }
      // Without exceptions: they end, and what is published stays.
      const plan = plainOf(whole);
      const able = abilities(lamp.id);
      // A return leads to what was followed before, whatever came of it.
      if (!back && !hasLevelsOf(plan, able, at)) {
        cannot.set(lamp.id, 'capability');
        unable.push(lamp.id);
        continue;
      }
      if (expectedHash(plan, able, at) !== hashOf(plan, at)) byTable.push(lamp.id);
      const last = had.get(lamp.id);
      const own = before.get(lamp.id);
      const isMoved =
        own && (own.place.latitude !== plan.place.latitude || own.place.longitude !== plan.place.longitude);
      if (last?.schemeVersionId !== schemes[index] || last?.templateVersionId !== templates[index] || isMoved)
        changed += 1;
      yearly.add(lamp.id, plan);
      byZone.set(plan.place.timeZone, byZone.get(plan.place.timeZone) ?? []);
      byZone.get(plan.place.timeZone)?.push(lamp.id);
      const former = own ? plainOf(own) : (areas.get(lamp.workAreaId) ?? defaultPlan(plan.place));
      formers.set(lamp.id, former);
      nexts.set(lamp.id, plan);
      wholeFormers.set(lamp.id, own ?? former);
      wholeNexts.set(lamp.id, whole);
      const nextComing = afterComing.get(lamp.id);
      if (nextComing) {
        comingFormers.set(lamp.id, beforeComing.get(lamp.id) ?? former);
        comingNexts.set(lamp.id, nextComing);
      }
      if (await lightsUnpowered(lamp.lighting, plan)) unpowered.push(lamp.id);
      const difference = await differenceOf(former, plan);
      if (difference.darker) darker.push(lamp);
      const curve = curves.of(lamp.manufacturer, lamp.model);
      for (const side of ['before', 'after'] as const)
        for (const [level, hours] of difference[side])
          kwh[side] += (learnedWatts(lamp.ratedWatts ?? 0, level, curve) * hours) / 2000;
      await breathe();
    }
    // They go on as before beside the others.
    await takeBack(tx, unable, now);
    if (known.size > 20_000) known.clear();
  }

  // A return leads to what was published before.
  if (back) return { changed, cannot, darker, kwh, findings: [] };
  const found: Found[] = [];
  const add = (code: FindingCode, params: Found['params'] = {}, ids?: readonly number[]) =>
    found.push({ code, params, ...(ids ? { ids } : {}) });
  const idsOf = (some: readonly Lamp[]) => some.map(({ id }) => id);
  for (const version of [scheme, template]) if (version?.closed) add('withdrawn', { code: version.code });
  const floors = await judgeFloors(tx, {
    ...{ lamps, before: formers, after: nexts, plans, at, whole: { before: wholeFormers, after: wholeNexts } },
    ...{ from: effectiveFrom, days: daysAhead, breathe, wholeComing: { before: comingFormers, after: comingNexts } },
  });
  found.push(...floors.map(floorFound));
  const excepted = new Set<string>(floors.flatMap(({ roadClass, reason }) => (reason === null ? [] : [roadClass])));
  const ofClass = Map.groupBy(lamps, ({ roadClass }) => roadClass);
  const unexcepted = scheme ? floorFindings({ ...scheme.content, floorExceptions: [] }) : [];
  // Rows may be ordered otherwise: who agrees does so to all that the version is excepted from.
  for (const { roadClass, reason } of scheme?.content.floorExceptions ?? [])
    if (!excepted.has(roadClass) && ofClass.has(roadClass) && unexcepted.some((one) => one.roadClass === roadClass))
      add('floorException', { roadClass, reason }, idsOf(ofClass.get(roadClass) ?? []));
  if (scheme) {
    const inCountry = (country: string | number | undefined) =>
      [...byZone].flatMap(([timeZone, ids]) => ((countryOf(timeZone) ?? '') === country ? ids : []));
    for (const one of await holidayFindings(tx, scheme.content, [...places.values()], effectiveFrom))
      found.push({ ...one, ids: inCountry(one.params['country']) });
    found.push(...(await openDays(tx, scheme.content, effectiveFrom, byZone)));
  }
  found.push(...(await yearly.findings(breathe)));
  const able = idsOf(lamps.filter(({ id }) => !cannot.has(id)));
  found.push(...(await darkNeighbours(tx, { plans, ids: able, effectiveFrom, at, breathe })));
  const settings = await createToldSettings(tx, sound).of(able.slice(0, 20), at);
  const bytes = Math.max(0, ...[...settings.values()].map((one) => Buffer.byteLength(JSON.stringify(one))));
  if (bytes > publicationBounds.message) add('messageTooLarge', { bytes, most: publicationBounds.message }, able);
  if (byTable.length > 0) add('byTable', { lamps: byTable.length }, byTable);
  if (unpowered.length > 0) add('loopOff', { lamps: unpowered.length }, unpowered);
  if (darker.length > 0) add('darker', { lamps: darker.length }, idsOf(darker));
  return { changed, cannot, darker, kwh, findings: await namedFindings(tx, found, asked.lampsOf) };
}

/** Below the floor is refused; where the scheme is excepted from it, or an exception holds, a second person agrees. */
function floorFound(one: FloorFound): Found {
  const { roadClass, floor, reason, exception, ids, level, programme, period } = one;
  const params = { roadClass, level, floor, programme, period, lamps: ids.length };
  // Its words are added for who sees a lamp of it.
  if (exception !== undefined)
    return { code: 'floorException', params: { ...params, reason: `#${exception}`, exception }, ids };
  return reason === null
    ? { code: 'belowFloor', params, ids }
    : { code: 'floorException', params: { ...params, reason }, ids };
}

/** Rules of a calendar about holidays, and years of the next twelve months whose holidays nobody knows. */
export async function holidayFindings(
  tx: Transaction,
  { calendar }: SchemeContent,
  places: readonly { readonly timeZone: string }[],
  from: Day,
): Promise<Found[]> {
  const asks = calendar.rules.some(({ enabled, when }) => enabled && when.some(({ kind }) => kind === 'holiday'));
  if (!asks) return [];
  const found: Found[] = [];
  const years = [...new Set([from.slice(0, 4), addDays(from, year).slice(0, 4)])];
  for (const country of new Set(places.map(({ timeZone }) => countryOf(timeZone)))) {
    const facts = await loadDayFacts(tx, country, { from: Number(years[0]), to: Number(years.at(-1)) }, []);
    for (const one of years)
      if (facts.holiday(`${one}-06-01`).state === 'unknown')
        found.push({ code: 'unknownHolidays', params: { country: country ?? '', year: one } });
  }
  return found;
}

import { exceptedProgramme } from '../../../../catalogue/lighting/plan/exceptions.ts';
import { nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { planLayers } from '../../../../catalogue/lighting/plan/stack.ts';
import { defaultPlan } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay, lightingDayOf, type LightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import { lampPlanBounds, type getLampPlan } from '../../../../contract/light/lamp-plan.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { refuse, refuseFields, type Caller, type FieldProblem } from '../../platform/http/index.ts';
import { visibleDevices } from '../../register/devices/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import { loadManualSpans } from '../lamps/index.ts';
import { expectedHash, followingOn, heldBy, plainOf, type AssignedPlan, type Following } from '../plans/index.ts';
import { layersBy, loadAuthors } from './authors.ts';
import { changesBetween, inForceAt, type Inputs } from './layers.ts';
import * as store from './why.store.ts';
import type { WhyParts } from './why.service.ts';

type Answer = ReplyOf<typeof getLampPlan>;
type Stretch = Answer['lit'][number];
type Followed = Pick<Answer, 'scheme' | 'template' | 'programme' | 'followedFrom'>;
type Device = Answer['device'];

const dayMs = 86_400_000;
const hashDigits = 12;
const iso = (at: number) => new Date(at).toISOString();

/** The night of a lamp by its plan, of any lighting day. */
export function createLampPlan({ db, clock, plans }: WhyParts) {
  async function inputsOf(id: number, own: AssignedPlan | undefined, plan: LampPlan, { from, to }: LightingDay) {
    const spans = (await loadManualSpans(db, [id], new Date(from - dayMs))).get(id) ?? [];
    const manual = spans.filter((span) => span.from < to && span.to > from);
    // What is observed, a selector on site or an outage, is no part of a plan.
    return { plan, own: own ?? null, manual, local: null, fallbackSince: null } satisfies Inputs;
  }

  /** All of the lighting day, without a gap. */
  async function stretchesOf(id: number, inputs: Inputs & { readonly plan: LampPlan }, { day, from, to }: LightingDay) {
    const commandIds = inputs.manual.map(({ commandId }) => commandId);
    const { named: commands } = await store.findCommands(db, id, { at: new Date(from), limit: 0, also: commandIds });
    const authors = await loadAuthors(db, id, { inputs, at: from, commands });
    // Exceptions make a programme of that day with periods of its own, which are none of the scheme's.
    const { steps, plannedDark } = plainNight(inputs, day);
    // Off may follow a dark stretch, which levels alone do not tell.
    const all = [...steps, ...nightOf(inputs.plan, day).steps];
    const own = all.flatMap(({ at }) => (at > from && at < to ? [at] : []));
    const starts = [...new Set([from, ...own, ...changesBetween(inputs, from, to - 1)])].toSorted((a, b) => a - b);
    const stretches: Stretch[] = [];
    for (const [index, at] of starts.entries()) {
      const inForce = inForceAt(inputs, at);
      const decides = layersBy(inForce, authors).find((layer) => layer.decides) ?? null;
      const planned = decides !== null && isPlanned(decides.layer);
      const step = planned ? steps.findLast((one) => one.at <= at) : undefined;
      const stretch = {
        from: iso(at),
        to: iso(starts[index + 1] ?? to),
        level: inForce.level,
        decides,
        period: step?.period ?? null,
        pattern: step && step.period !== null ? step.pattern : null,
        darkByPattern: planned && inForce.level === 0 && plannedDark.some((span) => span.from <= at && at < span.to),
      };
      const before = stretches.at(-1);
      if (before && isSame(before, stretch)) stretches[stretches.length - 1] = { ...before, to: stretch.to };
      else stretches.push(stretch);
    }
    return { stretches, authors };
  }

  async function nightFor(id: number, own: AssignedPlan | undefined, plan: LampPlan, day: Day) {
    const window = lightingDayOf(plan.place, day);
    const inputs = await inputsOf(id, own, plan, window);
    const { stretches, authors } = await stretchesOf(id, inputs, window);
    const { on, off, warnings } = nightOf(plan, day);
    const plain = plainNight(inputs, day).warnings;
    const added = warnings.filter(({ code }) => plain.every((one) => one.code !== code));
    const isWithin = ({ from, to }: Stretch) =>
      on !== null && off !== null && Date.parse(from) >= on && Date.parse(to) <= off;
    const lit = stretches.filter(({ level }) => level > 0);
    const used = new Set(stretches.flatMap(({ decides }) => decides?.layer ?? []));
    const { latitude, longitude, sunOffsetMinutes } = plan.place;
    return {
      from: iso(window.from),
      to: iso(window.to),
      place: { latitude, longitude, sunOffsetMinutes },
      by: authors.assigner?.by ?? null,
      approvedBy: authors.assigner?.approvedBy ?? null,
      layers: planLayers.filter((layer) => used.has(layer)),
      on: lit[0]?.from ?? null,
      off: lit.at(-1)?.to ?? null,
      lit,
      dark: stretches.filter(
        (one) => one.level === 0 && (isWithin(one) || (one.decides !== null && !isPlanned(one.decides.layer))),
      ),
      warnings: [...plain, ...added.map(({ code }) => ({ code, period: null }))],
      exceptionsLeftOut: own ? leftOut(own, day) : [],
    };
  }

  return {
    async of(caller: Caller, id: number, asked: Day | undefined): Promise<Answer> {
      const present = clock.now().getTime();
      const lamp = await store.findPlannedLamp(db, id, visibleDevices(caller));
      if (!lamp) throw refuse('notFound');
      if (!lamp.visible) throw refuse('foreignWorkArea');
      const { timeZone, publication } = lamp;
      const area = (await loadPlaces(db, [lamp.workAreaId])).get(lamp.workAreaId);
      const now = (await plans.of(db, [id], present)).get(id);
      const place = now?.place ?? area;
      const current = place ? lightingDay(place, present).day : dayOf(present - dayMs / 2, timeZone);
      const problems = asked === undefined ? [] : dayProblems(asked, current);
      if (problems.length > 0) throw refuseFields(...problems);
      const day = asked ?? current;
      const isCurrent = day === current;
      const at = isCurrent || !place ? present : lightingDayOf(place, day).from;
      const own = isCurrent ? now : (await plans.of(db, [id], at)).get(id);
      const plan = own ?? (area ? defaultPlan(area) : undefined);
      const able = (await plans.abilities(db, [id]))(id);
      return {
        ...{ id, lamp: lamp.code, name: lamp.name, timeZone, day, current },
        ...followedOn(own && followingOn(own.following, day), day),
        ...(plan ? seenBy(caller, await nightFor(id, own, plan, day)) : nobodyKnows),
        planHash: own ? expectedHash(own, able, at) : null,
        device: {
          planHash: lamp.planHash,
          reportedAt: lamp.reportedAt?.toISOString() ?? null,
          abilities: able.said?.plan ? abilitiesOf(able.said.plan) : null,
          ...(own ? heldOf(own, able, at, day) : heldNone),
        },
        publication: isCurrent && publication ? { ...publication, ...timesOf(publication) } : null,
      };
    },
  };
}

/** The night without exceptions. */
const plainNight = ({ own, plan }: Inputs & { readonly plan: LampPlan }, day: Day) =>
  nightOf(own ? plainOf(own) : plan, day);

const isPlanned = (layer: string): boolean => layer === 'scheme' || layer === 'default';

/** Who gives commands to a lamp, and why, is for those who may see its commands. */
function seenBy<Night extends Pick<Answer, 'lit' | 'dark'>>({ permissions }: Caller, night: Night): Night {
  if (permissions.has('lamp.monitor')) return night;
  const seen = (one: Stretch): Stretch =>
    one.decides?.ref?.type === 'command'
      ? { ...one, decides: { ...one.decides, ref: null, by: null, approvedBy: null, reason: null } }
      : one;
  return { ...night, lit: night.lit.map(seen), dark: night.dark.map(seen) };
}

/** Neighbours that only an edge of something weaker divides. */
const isSame = (a: Stretch, b: Stretch): boolean =>
  a.level === b.level &&
  a.period === b.period &&
  a.darkByPattern === b.darkByPattern &&
  a.decides?.layer === b.decides?.layer &&
  a.decides?.ref?.type === b.decides?.ref?.type &&
  a.decides?.ref?.id === b.decides?.ref?.id;

const nobodyKnows = {
  ...{ from: null, to: null, place: null, by: null, approvedBy: null, layers: [], on: null, off: null, lit: [] },
  ...{ dark: [], warnings: [], exceptionsLeftOut: [] },
};
const heldNone = { needs: null, cannot: [], periodsBeyond: 0, sent: null };

/** A lighting day that a plan can be asked for. */
function dayProblems(asked: Day, current: Day): FieldProblem[] {
  const field = 'day';
  const at = Date.parse(`${asked}T00:00:00Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(asked)) return [{ field, rule: 'format' }];
  const [first, last] = [addDays(current, -lampPlanBounds.daysBack), addDays(current, lampPlanBounds.daysAhead)];
  if (asked < first) return [{ field, rule: 'minimum', values: { limit: first } }];
  return asked > last ? [{ field, rule: 'maximum', values: { limit: last } }] : [];
}

function followedOn(following: Following | undefined, day: Day): Followed {
  const { scheme = null, template = null } = following ?? {};
  const key = scheme && following ? following.keyOn(day) : null;
  const programme = scheme?.content.programmes.find((one) => one.key === key);
  return {
    scheme: scheme && {
      ...{ id: scheme.schemeId, code: scheme.code, name: scheme.name, number: scheme.number, own: scheme.schedule },
      versionHash: scheme.contentHash.slice(0, hashDigits),
    },
    template: template && {
      ...{ id: template.templateId, code: template.code, name: template.name, number: template.number },
      versionHash: template.contentHash.slice(0, hashDigits),
    },
    programme: programme ? { key: programme.key, name: programme.name } : null,
    followedFrom: scheme || template ? (following?.from ?? null) : null,
  };
}

function leftOut(own: AssignedPlan, day: Day): number[] {
  const { left } = exceptedProgramme(own, own.exceptions, day, plainOf(own).programmeOn(day));
  return own.exceptions.flatMap((one) => (left.includes(one) ? [one.id] : []));
}

type Able = Parameters<typeof heldBy>[1];
const abilitiesOf = ({ periods, calendar, light, cycle }: NonNullable<NonNullable<Able['said']>['plan']>) => ({
  ...{ periods, calendar, light, cycle },
});

/** What the device holds of its plan, and of the programme of that day. */
function heldOf(
  own: AssignedPlan,
  able: Able,
  at: number,
  day: Day,
): Omit<Device, 'planHash' | 'reportedAt' | 'abilities'> {
  const held = heldBy(own, able, at);
  if (!held) return heldNone;
  const most = able.said?.plan?.periods ?? Number.POSITIVE_INFINITY;
  return { ...held, periodsBeyond: Math.max(0, own.programmeOn(day).periods.length - most) };
}

const instant = (text: string | null) => (text === null ? null : new Date(text).toISOString());
const timesOf = ({ toldAt, reportedAt, provenAt }: NonNullable<store.PlannedLamp['publication']>) => ({
  ...{ toldAt: instant(toldAt), reportedAt: instant(reportedAt), provenAt: instant(provenAt) },
});

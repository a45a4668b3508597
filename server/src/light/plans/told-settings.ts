import { createHash } from 'node:crypto';
import { compactPlan, type CompactPlan, type CompactSpan } from '../../../../catalogue/lighting/plan/compact.ts';
import { tableOf, type TablePoint } from '../../../../catalogue/lighting/plan/table.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import type { SettingsOut } from '../../../../protocols/wire.ts';
import type { Db } from '../../platform/db/index.ts';
import type { AssignedPlan, Following, LampPlans } from './lamp-plans.ts';
import { findTableLamps, loadCalendarAble } from './plans.store.ts';

/** What of a lamp's settings comes from its plan. */
export type PlanSettings = Omit<
  SettingsOut,
  'version' | 'serverTime' | 'timeZone' | 'sunOffsetMinutes' | 'reportSeconds'
> & {
  readonly reportSeconds?: SettingsOut['reportSeconds'];
};

/** Devices get the calendar of so many lighting days, from the first of the month on: it changes once a month. */
const spanDays = 400;
/** From half an hour before noon on, devices without calendars are told the table of the coming night, ms. */
const tableAheadMs = 30 * 60_000;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The lighting day whose table a device without a calendar has at an instant. */
export const tableDay = (plan: Pick<AssignedPlan, 'place'>, now: number): Day =>
  lightingDay(plan.place, now + tableAheadMs).day;

/** The hash by which a lamp with this plan reports it; null: it follows none. */
export const hashOf = (plan: AssignedPlan, now: number): string | null => messageOf(plan, now)?.hash ?? null;

const messages = new WeakMap<AssignedPlan, { readonly month: string; readonly message: CompactPlan | null }>();

/** The plan as devices get it: the newest they were given. */
function messageOf(plan: AssignedPlan, now: number): CompactPlan | null {
  const month = dayOf(now, plan.place.timeZone).slice(0, 7);
  const known = messages.get(plan);
  if (known?.month === month) return known.message;
  const newest = plan.following.at(-1);
  const message = newest && (newest.scheme ?? newest.template) ? compact(plan, newest, `${month}-01`) : null;
  messages.set(plan, { month, message });
  return message;
}

function compact({ role }: AssignedPlan, { scheme, template, from, programmes, keyOn }: Following, first: Day) {
  const usual = scheme?.content.calendar.default ?? [...programmes.keys()][0] ?? 0;
  return compactPlan(
    {
      scheme: scheme?.code ?? template?.code ?? '',
      version: scheme?.number ?? template?.number ?? 0,
      from,
      programmes: [...programmes].map(([key, programme]) => ({ key, programme })),
      default: usual,
      days: spansFrom(first, keyOn),
      role,
    },
    digest,
  );
}

/** The days of each programme, neighbours with the same one as one span. */
function spansFrom(first: Day, keyOn: (day: Day) => number): CompactSpan[] {
  const spans: CompactSpan[] = [];
  for (let day = first, left = spanDays; left > 0; day = addDays(day, 1), left -= 1) {
    const programme = keyOn(day);
    const before = spans.at(-1);
    if (before?.programme === programme) spans[spans.length - 1] = { ...before, to: day };
    else spans.push({ from: day, to: day, programme });
  }
  return spans;
}

/** What lamps with a plan are set to. A lamp without one has no entry. */
export function createToldSettings(db: Db, plans: LampPlans) {
  return {
    async of(ids: readonly number[], now: number): Promise<ReadonlyMap<number, PlanSettings>> {
      const found = await plans.of(db, ids, now);
      if (found.size === 0) return new Map();
      const able = await loadCalendarAble(db, [...found.keys()]);
      return new Map([...found].map(([id, plan]) => [id, settingsOf(plan, able.has(id), now)]));
    },
    /** Lamps that are told tomorrow's table each day, a slice of those of an area. */
    tableLamps: (workAreaId: number, slice: { readonly slices: number; readonly rest: number }) =>
      findTableLamps(db, workAreaId, slice),
  };
}

function settingsOf(plan: AssignedPlan, hasCalendar: boolean, now: number): PlanSettings {
  const message = messageOf(plan, now);
  const template = plan.following.at(-1)?.template?.content;
  return {
    latitude: plan.place.latitude,
    longitude: plan.place.longitude,
    // Until its first day a device goes by the table: it is what the lamp followed before.
    table: hasCalendar && hasBegun(plan, now) ? usualTable(plan, now) : tableOf(plan, tableDay(plan, now)),
    ...(message ? { plan: message } : {}),
    ...(template
      ? {
          reportSeconds: { lit: template.reportLitSeconds, unlit: template.reportUnlitSeconds },
          fallbackMinutes: template.fallbackMinutes,
          powerUpLevel: template.powerUpLevel,
          stagger: template.staggerSeconds,
          heartbeatSeconds: template.heartbeatSeconds,
          ...(template.light ? { light: template.light } : {}),
        }
      : {}),
  };
}

const hasBegun = (plan: AssignedPlan, now: number): boolean =>
  (plan.following.at(-1)?.from ?? '') <= lightingDay(plan.place, now).day;

/** The default programme as points of the longest night: what stays the same for a device that goes by the plan. */
function usualTable(plan: AssignedPlan, now: number): TablePoint[] {
  const newest = plan.following.at(-1);
  const usual = newest?.programmes.get(
    newest.scheme?.content.calendar.default ?? [...newest.programmes.keys()][0] ?? 0,
  );
  const year = dayOf(now, plan.place.timeZone).slice(0, 4);
  const longest = `${year}-${plan.place.latitude < 0 ? '06' : '12'}-21`;
  return tableOf(usual ? { ...plan, programmeOn: () => usual } : plan, longest);
}

import { createHash } from 'node:crypto';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { canFollow, hasLevels, lacksOf, needsOf, type PlanNeeds } from '../../../../catalogue/lighting/plan/ability.ts';
import { exceptedProgramme } from '../../../../catalogue/lighting/plan/exceptions.ts';
import type { Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import {
  compactPlan,
  programmesOfCompact,
  type CompactPlan,
  type CompactSpan,
} from '../../../../catalogue/lighting/plan/compact.ts';
import { tableOf, type TablePoint } from '../../../../catalogue/lighting/plan/table.ts';
import { roadStagger, roadStart } from '../../../../catalogue/lighting/stagger.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { addDays, dayOf, type Day } from '../../../../catalogue/lighting/zone.ts';
import { mostSettingsBytes, type SettingsOut } from '../../../../protocols/wire.ts';
import { changing, type Db } from '../../platform/db/index.ts';
import { ablePlansOfEachLamp, isOfLamp } from './each.ts';
import { planFrom, type Able, type AssignedPlan, type Following, type LampPlans } from './lamp-plans.ts';
import { findTableLamps, loadRoads, writeFoundBytes, type TableSlice } from './plans.store.ts';
import { rehash } from './rehash.store.ts';

/** What of a lamp's settings comes from its plan. */
export type PlanSettings = Omit<
  SettingsOut,
  'version' | 'serverTime' | 'timeZone' | 'sunOffsetMinutes' | 'reportSeconds'
> & {
  readonly reportSeconds?: SettingsOut['reportSeconds'];
};

/** Devices get the calendar of so many lighting days, from the first of the month on: it changes once a month. */
const spanDays = 400;
/** From half an hour before noon on, devices that go by the table are told the table of the coming night, ms. */
const tableAheadMs = 30 * 60_000;

/** What a settings message has beside its plan, bytes at most. */
const otherBytes = 1024;
const mostPlanBytes = mostSettingsBytes - otherBytes;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The lighting day whose table a device has at an instant that goes by it. */
export const tableDay = (plan: Pick<AssignedPlan, 'place'>, now: number): Day =>
  lightingDay(plan.place, now + tableAheadMs).day;

/** The hash by which a lamp with this plan reports it; null: it follows none. */
export const hashOf = (plan: AssignedPlan, now: number): string | null => messageOf(plan, now)?.plan.hash ?? null;

/** The hash that this device reports; null: it follows no plan, or goes by the table as it cannot follow this one. */
export const expectedHash = (plan: AssignedPlan, able: Able, now: number): string | null =>
  contentFor(plan, able, now) === 'table' ? null : hashOf(plan, now);

interface PlanMessage {
  readonly plan: CompactPlan;
  readonly bytes: number;
  readonly needs: PlanNeeds;
}
interface KeptMessage {
  readonly month: string;
  /** Exceptions that were not over. */
  readonly exceptions: number;
  readonly message: PlanMessage | null;
}
const messages = new WeakMap<AssignedPlan, KeptMessage>();

/** The plan as devices get it: the newest they were given, with the exceptions that are not over. */
function messageOf(whole: AssignedPlan, now: number): PlanMessage | null {
  const plan = planFrom(whole, now);
  const month = dayOf(now, plan.place.timeZone).slice(0, 7);
  const exceptions = plan.exceptions.length;
  const known = messages.get(whole);
  if (known?.month === month && known.exceptions === exceptions) return known.message;
  const newest = plan.following.at(-1);
  const isAsked = newest && (newest.scheme !== null || newest.template !== null || exceptions > 0);
  const message = isAsked ? compact(plan, newest, `${month}-01`) : null;
  messages.set(whole, { month, exceptions, message });
  return message;
}

/** Whether a lamp has the levels of its plan. */
export function hasLevelsOf(plan: AssignedPlan, { dimming }: Able, now: number): boolean {
  const message = messageOf(plan, now);
  return message === null || hasLevels(dimming, message.needs);
}

/** The days of what is followed, from the first of a month on; the same wherever a lamp without exceptions stands. */
const followedDays = new WeakMap<Following, { readonly first: Day; readonly days: CompactSpan[] }>();
function daysOf(following: Following, first: Day): CompactSpan[] {
  const known = followedDays.get(following);
  if (known?.first === first) return known.days;
  const days = spansFrom(first, following.keyOn);
  followedDays.set(following, { first, days });
  return days;
}

function compact(plan: AssignedPlan, following: Following, first: Day): PlanMessage {
  const { scheme, template, from, programmes, keyOn } = following;
  const usual = scheme?.content.calendar.default ?? [...programmes.keys()][0] ?? 0;
  const all = new Map(programmes);
  const days =
    plan.exceptions.length === 0
      ? daysOf(following, first)
      : spansFrom(first, exceptedKeys(plan, all, keyOn, planLimits.programmes.max));
  const message = compactPlan(
    {
      scheme: scheme?.code ?? template?.code ?? '',
      version: scheme?.number ?? template?.number ?? 0,
      from,
      days,
      programmes: [...all].map(([key, programme]) => ({ key, programme })),
      default: usual,
      role: plan.role,
    },
    digest,
  );
  return {
    plan: message,
    bytes: Buffer.byteLength(JSON.stringify(message)),
    needs: needsOf(programmesOfCompact(message)),
  };
}

/**
 * Whether a device takes the plan with its exceptions: one that gets more programmes than it knows leaves the whole
 * message.
 */
export function fitsDevice(whole: AssignedPlan, now: number): boolean {
  const plan = planFrom(whole, now);
  const newest = plan.following.at(-1);
  if (!newest) return true;
  const all = new Map(newest.programmes);
  spansFrom(`${dayOf(now, plan.place.timeZone).slice(0, 7)}-01`, exceptedKeys(plan, all, newest.keyOn, Infinity));
  return all.size <= planLimits.programmes.max && (messageOf(whole, now)?.bytes ?? 0) <= mostPlanBytes;
}

/**
 * The key of the programme of a day; days with exceptions get programmes of their own, from the last key down, as long
 * as there are not more than `most`.
 */
function exceptedKeys(
  { place, role, exceptions }: AssignedPlan,
  programmes: Map<number, Programme>,
  keyOn: (day: Day) => number,
  most: number,
): (day: Day) => number {
  const made = new Map<string, number>();
  let next: number = planLimits.programmeKey.max;
  return (day) => {
    const key = keyOn(day);
    const usual = programmes.get(key);
    if (!usual) return key;
    const { programme } = exceptedProgramme({ place, role }, exceptions, day, usual);
    if (programme === usual) return key;
    const text = JSON.stringify(programme);
    const known = made.get(text);
    if (known !== undefined) return known;
    if (programmes.size >= most) return key;
    while (programmes.has(next)) next -= 1;
    programmes.set(next, programme);
    made.set(text, next);
    return next;
  };
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
    /**
     * Null: they cannot be made. With `failing`, which hears why, they stand in no other lamp's way. `small`: to these the
     * table of the night is sent alone, if their plan has this hash.
     */
    async of(
      ids: readonly number[],
      now: number,
      failing: (thrown: unknown) => void = rethrow,
      small: (id: number, planHash: string | null) => boolean = () => false,
    ): Promise<ReadonlyMap<number, PlanSettings | null>> {
      const { own, failed, able } = await ablePlansOfEachLamp(db, plans, ids, { now, failing });
      const settings = new Map<number, PlanSettings | null>([...failed].map((id) => [id, null]));
      const starts = await startsOf(db, own);
      for (const [id, plan] of own) {
        const isSmall = small(id, hashOf(plan, now));
        const can = isSmall ? { ...able(id), mostBytes: 0 } : able(id);
        settings.set(id, settingsOrNull(plan, { able: can, starts: starts.get(id) ?? null }, now, failing));
      }
      return settings;
    },
    /** These devices leave these plans and answer to the table alone: they are sent nothing so large any more. */
    async refusedSize(
      refusals: readonly { readonly id: number; readonly planHash: string }[],
      now: number,
    ): Promise<void> {
      const ids = refusals.map(({ id }) => id);
      const { own } = await ablePlansOfEachLamp(db, plans, ids, { now, failing: () => undefined });
      const found = refusals.flatMap(({ id, planHash }) => {
        const plan = own.get(id);
        const message = plan ? messageOf(plan, now) : null;
        // Another plan may be smaller.
        return message?.plan.hash === planHash ? [{ id, bytes: message.bytes + otherBytes - 1 }] : [];
      });
      if (found.length === 0) return;
      await changing(db, async (tx) => {
        await writeFoundBytes(tx, found);
        await rehash(
          tx,
          found.map(({ id }) => ({ deviceId: id, hash: null })),
        );
      });
    },
    /** Lamps that may be told the coming night's table each day, a slice of those of an area. */
    tableLamps: (workAreaId: number, slice: TableSlice) =>
      findTableLamps(db, workAreaId, { ...slice, all: plans.packetBytes() < mostSettingsBytes }),
  };
}

const templateOf = (plan: AssignedPlan) => plan.following.at(-1)?.template?.content;

/** When the roads of these lamps begin a step, seconds; lamps without one, or whose plan has no time for it, are left out. */
async function startsOf(db: Db, own: ReadonlyMap<number, AssignedPlan>): Promise<ReadonlyMap<number, number | null>> {
  const windows = new Map([...own].map(([id, plan]) => [id, templateOf(plan)?.staggerSeconds ?? 0]));
  const asked = [...windows].flatMap(([id, seconds]) => (seconds > roadStagger ? [id] : []));
  if (asked.length === 0) return new Map();
  const roads = await loadRoads(db, asked);
  return new Map(roads.map(({ id, roadId }) => [id, roadStart(roadId, windows.get(id) ?? 0)]));
}

/**
 * What a device is told: `plan`, which it follows, with its usual programme as the table; `table`, that of the night alone;
 * `both`, as nobody knows whether it follows the plan.
 */
type Content = 'plan' | 'table' | 'both';

const isTooLarge = ({ bytes }: PlanMessage, { mostBytes }: Pick<Able, 'mostBytes'>): boolean =>
  bytes + otherBytes > mostBytes;

function contentFor(plan: AssignedPlan, { said, dimming, mostBytes }: Able, now: number): Content {
  const message = messageOf(plan, now);
  if (message === null) return 'both';
  if (isTooLarge(message, { mostBytes })) return 'table';
  if (!said?.plan) return 'both';
  return hasLevels(dimming, message.needs) && canFollow(said.plan, message.needs) ? 'plan' : 'table';
}

/** What a plan asks of a device that can this, what of it the device cannot hold, and what it is sent; null: no plan. */
export function heldBy(plan: AssignedPlan, able: Able, now: number) {
  const message = messageOf(plan, now);
  if (message === null) return null;
  const { needs } = message;
  const cannot = [
    ...(able.said?.plan ? lacksOf(able.said.plan, needs) : []),
    ...(hasLevels(able.dimming, needs) ? [] : (['dimming'] as const)),
    ...(isTooLarge(message, able) ? (['bytes'] as const) : []),
  ];
  return { needs, cannot, sent: contentFor(plan, able, now) };
}

const rethrow = (thrown: unknown): never => {
  throw thrown;
};

/** What of a lamp its plan does not say: what it can, and when its road begins a step, null where that is not set. */
interface Own {
  readonly able: Able;
  readonly starts: number | null;
}

function settingsOrNull(
  plan: AssignedPlan,
  { able, starts }: Own,
  now: number,
  failing: (thrown: unknown) => void,
): PlanSettings | null {
  try {
    return settingsOf(plan, { content: contentFor(plan, able, now), starts }, now);
  } catch (thrown) {
    if (!isOfLamp(thrown)) throw thrown;
    failing(thrown);
    return null;
  }
}

/** What was made last for a plan: a city's lamps are told at one instant, and thousands share a plan. */
const told: Readonly<Record<Content, WeakMap<AssignedPlan, KeptSettings>>> = {
  plan: new WeakMap(),
  table: new WeakMap(),
  both: new WeakMap(),
};
interface KeptSettings {
  readonly now: number;
  /** By the second at which roads begin: few, as windows are short. */
  readonly settings: Map<number | null, PlanSettings>;
}
interface Asked {
  readonly content: Content;
  readonly starts: number | null;
}

/** The same object for lamps with the same plan whose roads begin together and that are told at the same instant. */
function settingsOf(plan: AssignedPlan, asked: Asked, now: number): PlanSettings {
  const kept = told[asked.content];
  const known = kept.get(plan);
  const ofNow = known?.now === now ? known : { now, settings: new Map<number | null, PlanSettings>() };
  if (ofNow !== known) kept.set(plan, ofNow);
  const settings = ofNow.settings.get(asked.starts) ?? makeSettings(plan, asked, now);
  ofNow.settings.set(asked.starts, settings);
  return settings;
}

function makeSettings(whole: AssignedPlan, { content, starts }: Asked, now: number): PlanSettings {
  const message = content === 'table' ? null : messageOf(whole, now);
  const plan = planFrom(whole, now);
  const template = templateOf(plan);
  return {
    latitude: plan.place.latitude,
    longitude: plan.place.longitude,
    // Until its first day a device goes by the table: it is what the lamp followed before.
    table: content === 'plan' && hasBegun(plan, now) ? usualTable(plan, now) : tableOf(plan, tableDay(plan, now)),
    ...(message ? { plan: message.plan } : {}),
    ...(template
      ? {
          reportSeconds: { lit: template.reportLitSeconds, unlit: template.reportUnlitSeconds },
          fallbackMinutes: template.fallbackMinutes,
          powerUpLevel: template.powerUpLevel,
          stagger: template.staggerSeconds,
          ...(starts === null ? {} : { staggerFrom: starts }),
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

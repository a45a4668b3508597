import { isSilence, type Sample, type SampleAlarm, type SilenceAlarm } from '../../../../catalogue/alarms/alarm.ts';
import { lampAlarms } from '../../../../catalogue/alarms/lamp.ts';
import { lampAlarmsWith } from '../../../../catalogue/alarms/lamp-limits.ts';
import { families } from '../../../../catalogue/index.ts';
import { controllerFamily, lampFamily } from '../../../../catalogue/lighting/families.ts';
import type { TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import {
  nextSwitchOf,
  periodOf,
  powerOf,
  type JudgedPlan,
  type ManualSpan,
  type Periods,
  type Power,
  type Thresholds,
} from '../../light/lamps/index.ts';
import type { Reach } from '../../wires/connections/index.ts';
import { judgeAlarms, worstFirst, type Raised, type Walk } from '../alarms/index.ts';
import { heartbeats, type JudgedDevice, type Judged, type StoredState } from './judge.store.ts';
import type { Judgement } from './judgement.ts';
import { judgeLamp, type LampInput } from './lamp.ts';
import { controllerSilentFrom, controllerSilentSince, silentFrom } from './silence.ts';

/** What a device is judged from. Times in ms. */
export interface Seen {
  readonly device: JudgedDevice;
  readonly before: StoredState | undefined;
  /** The faults that it had when it was judged last. */
  readonly had: readonly Raised[];
  readonly now: number;
  readonly plan: JudgedPlan;
  readonly samples: readonly Sample[];
  readonly manual: readonly ManualSpan[];
  readonly walked: Walk | undefined;
  /** Silence counts from here at the earliest: before, nobody listened. */
  readonly countsFrom: number;
}
export interface Found extends Judged {
  readonly speaksForOthers: boolean;
  readonly reach: Reach;
  readonly walked: Walk | undefined;
}

/** The alarms of each family that its readings raise; families that have none are not among these. */
export const sampleAlarms: ReadonlyMap<string, readonly SampleAlarm[]> = new Map(
  families.flatMap(({ key, alarms }) => {
    const own = alarms.flatMap((alarm) => (isSilence(alarm) ? [] : [alarm]));
    return own.length === 0 ? [] : [[key, own] as const];
  }),
);
/** The alarm that the silence of a family is. */
const silenceAlarms: ReadonlyMap<string, SilenceAlarm> = new Map(
  families.flatMap(({ key, alarms }) => alarms.filter(isSilence).map((alarm) => [key, alarm] as const)),
);
/** Their silence takes what speaks through them along. */
const speaksForOthers = (family: string): boolean => silenceAlarms.get(family)?.role === 'cause';
/**
 * What is heard so long after what it speaks through was is heard by another way. What comes through a controller is
 * written as its sign of life only when its own report is late.
 */
const otherWayMs = 60_000;
/**
 * From so many of its reporting periods on the own report of a controller is late, and what is heard through it is its
 * sign of life.
 */
export const lateReports = 1.5;
/** A loop that its contactor keeps without power is looked at again so often. */
const againMs = 30 * 60_000;

export const heartbeatOf = (family: string, periods: Periods): number =>
  family === controllerFamily ? periods.controllerSeconds : (heartbeats.get(family) ?? periods.controllerSeconds);

/** Judges one device: what it does, whether it is in reach, why not, and when to look again. */
export function judgeDevice(seen: Seen, periods: Periods, t: Thresholds): Found {
  const { device, before, now } = seen;
  // What was out of reach before a time in which nobody listened is so until it is heard of: no storm of comings and
  // goings after a restart.
  const countsFrom = before?.online === false ? 0 : seen.countsFrom;
  const parentLost = parentLostSince(seen, periods, t);
  const judged =
    device.family === lampFamily
      ? lampOf(seen, countsFrom, parentLost, periods, t)
      : otherOf(seen, countsFrom, parentLost, periods, t);
  const { power, ...rest } = judged;
  return {
    ...rest,
    id: device.id,
    speaksForOthers: speaksForOthers(device.family),
    dueAt: Number.isFinite(judged.dueAt) ? Math.max(judged.dueAt, now + 1000) : null,
    reach: reachOf(seen, rest, power, parentLost),
  };
}

/** Since when what it speaks through is silent, or null. */
function parentLostSince({ device, now, countsFrom }: Seen, periods: Periods, t: Thresholds): number | null {
  if (device.parentId === null || device.parentFamily === null) return null;
  const since = controllerSilentSince(
    {
      now,
      lastAt: device.parentLastAt?.getTime() ?? null,
      createdAt: device.parentCreatedAt?.getTime() ?? now,
      heartbeatSeconds: heartbeatOf(device.parentFamily, periods),
      countsFrom: device.parentOffline ? 0 : countsFrom,
    },
    t,
  );
  // Whoever is heard all the same is in reach, whatever became of its parent; a line of its own that is up needs no
  // parent.
  const slackMs =
    otherWayMs +
    (device.parentFamily === controllerFamily ? lateReports * heartbeatOf(controllerFamily, periods) * 1000 : 0);
  const heard = device.lastAt?.getTime() ?? null;
  return since !== null && !device.connected && (heard === null || heard <= since + slackMs) ? since : null;
}

type Part = Judgement & {
  readonly walked: Walk | undefined;
  readonly poweredSince: number | null;
  readonly dueAt: number;
  readonly power: Power | null;
};

const limited = new WeakMap<TemplateContent, readonly SampleAlarm[]>();

/** The alarms of a lamp with the limits of its template. */
function alarmsOf(template: TemplateContent | undefined): readonly SampleAlarm[] {
  if (!template) return lampAlarms;
  const found = limited.get(template) ?? lampAlarmsWith(template.thresholds);
  limited.set(template, found);
  return found;
}

function lampOf(
  { device, before, had, now, plan, samples, manual, walked }: Seen,
  countsFrom: number,
  parentLost: number | null,
  periods: Periods,
  t: Thresholds,
): Part {
  const feed = {
    lighting: device.lighting,
    contactor: device.contactor,
    contactorAt: device.contactorAt?.getTime() ?? null,
  };
  const contactorGoodMs =
    Math.max(t.controllerSilentMinSeconds, t.controllerSilentPeriods * periods.controllerSeconds) * 1000;
  const power =
    silenceAlarms.get(device.family)?.counts === 'powered' ? powerOf(feed, plan, now, contactorGoodMs) : null;
  // A lamp that was without power gets its time to be heard of; one that never was has had it.
  const poweredSince =
    power?.on === true
      ? (before?.poweredSince?.getTime() ?? power.since ?? (before?.unpowered === true ? now : null))
      : null;
  const lastAt = device.lastAt?.getTime() ?? null;
  const waking = before?.unpowered === true && poweredSince !== null && (lastAt === null || lastAt <= poweredSince);
  const input: LampInput = {
    now,
    enabled: device.enabled,
    ratedWatts: device.ratedWatts,
    lastAt,
    waking,
    createdAt: device.createdAt.getTime(),
    samples,
    walked,
    had,
    manual,
    plan,
    period: periodOf(plan, periods),
    alarms: alarmsOf(plan.template),
    countsFrom,
    poweredSince,
    unpowered: power?.on === false,
    controllerSilentSince: parentLost,
  };
  const judgement = judgeLamp(input, t);
  const again = power?.by === 'contactor' && judgement.unpowered ? now + againMs : Number.POSITIVE_INFINITY;
  return {
    ...judgement,
    poweredSince,
    power,
    dueAt: Math.min(
      nextSwitchOf(plan, now),
      judgement.online || waking ? silentFrom(input, t) : Number.POSITIVE_INFINITY,
      again,
    ),
  };
}

function otherOf(
  { device, had, now, plan, samples, walked }: Seen,
  countsFrom: number,
  parentLost: number | null,
  periods: Periods,
  t: Thresholds,
): Part {
  const input = {
    now,
    lastAt: device.lastAt?.getTime() ?? null,
    createdAt: device.createdAt.getTime(),
    heartbeatSeconds: heartbeatOf(device.family, periods),
    countsFrom,
  };
  const silent = controllerSilentSince(input, t);
  const judged = judgeAlarms({
    alarms: sampleAlarms.get(device.family) ?? [],
    around: { ratedWatts: device.ratedWatts, shouldBeLit: plan.shouldBeLit, isDay: plan.isDay, manualOn: () => false },
    samples,
    walked,
    had,
  });
  const heard = silent === null && parentLost === null;
  // Silence ends no fault.
  const faults = heard ? judged.raised : null;
  const [worst] = faults ?? worstFirst(had);
  const base = {
    lit: null,
    shouldBeLit: null,
    level: null,
    unpowered: false,
    poweredSince: null,
    power: null,
    walked: judged.walked,
    dueAt: silent === null ? controllerSilentFrom(input, t) : Number.POSITIVE_INFINITY,
    fault: worst?.fault ?? null,
    faultSince: worst?.since ?? null,
    faults,
  };
  if (!device.enabled)
    return { ...base, state: 'maintenance', online: silent === null, fault: null, faultSince: null, faults: [] };
  const link = silenceAlarms.get(device.family);
  if (silent !== null && link)
    return { ...base, state: 'offline', online: false, fault: link.code, faultSince: silent };
  if (!heard) return { ...base, state: 'offline', online: false };
  const online = device.lastAt !== null;
  if (worst) return { ...base, state: 'alarm', online };
  return { ...base, state: device.reported ? 'on' : 'unknown', online };
}

function reachOf(
  { device, countsFrom, before }: Seen,
  judged: Pick<Part, 'state' | 'unpowered' | 'poweredSince'>,
  power: Power | null,
  parentLost: number | null,
): Reach {
  const heardAt = device.lastAt?.getTime() ?? null;
  const since = Math.max(heardAt ?? device.createdAt.getTime(), judged.poweredSince ?? 0);
  const told = (out: Reach['out']): Reach => ({ deviceId: device.id, heardAt, out });
  if (judged.unpowered) return told({ kind: 'unpowered', reason: power?.by ?? 'plan', since, viaId: null });
  if (judged.state !== 'offline') return told(null);
  if (parentLost !== null)
    return told({ kind: 'offline', reason: 'gatewayLost', since: Math.max(since, parentLost), viaId: device.parentId });
  if (heardAt === null) return told({ kind: 'offline', reason: 'neverHeard', since, viaId: null });
  return told({
    kind: 'offline',
    reason: before?.online !== false && countsFrom > since ? 'serverAway' : 'silent',
    since,
    viaId: null,
  });
}

/** Whether a device is in reach, in a word that is compared: only its changes are told. */
export const reachWord = (
  state: { readonly state: string; readonly unpowered: boolean } | undefined,
): 'fine' | 'offline' | 'unpowered' =>
  state?.unpowered === true ? 'unpowered' : state?.state === 'offline' ? 'offline' : 'fine';

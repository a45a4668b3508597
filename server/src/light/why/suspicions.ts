import { levelAt, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import type { LevelInForce } from '../../../../catalogue/lighting/plan/stack.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import type { SuspicionCode, SuspicionWeight } from '../../../../catalogue/lighting/why.ts';
import type { Power } from '../lamps/index.ts';
import type { Inputs, WhyInput } from './layers.ts';
import type { Troubles, WhyCommand, WhyLamp } from './why.store.ts';

export interface Suspicion {
  readonly code: SuspicionCode;
  readonly weight: SuspicionWeight;
  readonly evidence: Record<string, string | number>;
}

export interface Clues {
  readonly at: number;
  readonly lamp: WhyLamp;
  readonly inputs: Inputs;
  readonly inForce: LevelInForce<WhyInput>;
  readonly power: Power | null;
  readonly troubles: Troubles;
  readonly commands: ReadonlyMap<number, WhyCommand>;
  /** The hash by which it says what it runs, and by which it would say that it runs what it was told. */
  readonly hashes: { readonly runs: string | null; readonly told: string | null };
  readonly agrees: boolean | null;
  readonly readingAt: number | null;
  /** Since when this is asked. */
  readonly changedAt: number | null;
  readonly fallbackMinutes: number | null;
  /** Nothing came from it until then. */
  readonly neverHeard: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();
/** Evidence without what is not known. */
const known = (evidence: Record<string, string | number | null | undefined>): Suspicion['evidence'] =>
  Object.fromEntries(
    Object.entries(evidence).flatMap(([key, value]) => (value === null || value === undefined ? [] : [[key, value]])),
  );

/** What may account for a lamp's light, in the order in which it is looked at. */
export function suspicionsOf(clues: Clues): Suspicion[] {
  const { plan } = clues.inputs;
  const found = [
    noPower(clues),
    local(clues),
    command(clues, 'manual'),
    command(clues, 'emergency'),
    otherPlan(clues),
    away(clues),
    clockWrong(clues),
    plan && plannedDark(plan, clues.at),
    ...(plan ? suppressed(plan, clues.at) : []),
    fault(clues),
    neverHeard(clues),
    oldReading(clues),
  ].filter((one) => one !== null);
  if (found.length === 0 && clues.agrees === false) return [{ code: 'unknown', weight: 'possible', evidence: {} }];
  return found;
}

function noPower({ power, lamp }: Clues): Suspicion | null {
  if (power?.on !== false) return null;
  const { loop, box, contactorAt } = lamp;
  const at = power.by === 'contactor' ? contactorAt?.toISOString() : null;
  return { code: 'noPower', weight: 'certain', evidence: known({ by: power.by, loop, box, at }) };
}

function local({ inputs: { local: one } }: Clues): Suspicion | null {
  if (!one) return null;
  return { code: 'localControl', weight: 'certain', evidence: { device: one.label, since: iso(one.since) } };
}

function command({ inForce, commands }: Clues, layer: 'manual' | 'emergency'): Suspicion | null {
  const step = inForce.trace.findLast(({ applies, input }) => applies && input.layer === layer);
  if (!step) return null;
  const { source, value } = step.input;
  const given = commands.get(source.id);
  return {
    code: layer,
    weight: 'certain',
    evidence: known({
      commandId: source.id,
      level: value,
      by: given?.by,
      until: source.until === null ? null : iso(source.until),
      reason: given?.reason,
    }),
  };
}

const weigh = ({ agrees }: Clues): SuspicionWeight => (agrees === false ? 'likely' : 'possible');

function otherPlan(clues: Clues): Suspicion | null {
  const { runs, told } = clues.hashes;
  if (runs === null || told === null || runs === told) return null;
  const toldAt = clues.troubles.toldAt?.toISOString();
  return { code: 'otherPlan', weight: weigh(clues), evidence: known({ runs, told, toldAt }) };
}

function neverHeard(clues: Clues): Suspicion | null {
  if (!clues.neverHeard) return null;
  return { code: 'neverHeard', weight: 'certain', evidence: { since: clues.lamp.createdAt.toISOString() } };
}

function away({ troubles: { awaySince, awayReason }, neverHeard: never, fallbackMinutes }: Clues): Suspicion | null {
  if (awaySince === null || never) return null;
  return {
    code: 'away',
    weight: 'certain',
    evidence: known({ since: awaySince.toISOString(), reason: awayReason, fallbackMinutes }),
  };
}

function clockWrong(clues: Clues): Suspicion | null {
  const { clockWrongSince: since, clockOffsetMs: offset } = clues.lamp;
  if (since === null || since.getTime() > clues.at) return null;
  return {
    code: 'clockWrong',
    weight: weigh(clues),
    // Ahead of the server is positive.
    evidence: known({ seconds: offset === null ? null : -Math.round(offset / 1000), since: since.toISOString() }),
  };
}

function plannedDark(plan: LampPlan, at: number): Suspicion | null {
  const dark = nightOf(plan, lightingDay(plan.place, at).day).plannedDark.some(({ from, to }) => from <= at && at < to);
  if (!dark) return null;
  const { position, rowLength, rotation } = plan.role;
  return { code: 'plannedDark', weight: 'certain', evidence: known({ position, rowLength, rotation }) };
}

/** The plan as it would be with another limit. */
const withProgramme = (plan: LampPlan, minimumMinutes: number): LampPlan => ({
  ...plan,
  programmeOn: (day) => ({ ...plan.programmeOn(day), minimumMinutes }),
});

/** What limits make of the plan: too short a light is left out, too low a level is raised. */
function suppressed(plan: LampPlan, at: number): Suspicion[] {
  const level = levelAt(plan, at);
  const { minimumMinutes } = plan.programmeOn(lightingDay(plan.place, at).day);
  const { minLevel } = plan.role;
  const found: Suspicion[] = [];
  if (level === 0 && levelAt(withProgramme(plan, 0), at) > 0)
    found.push({ code: 'minimumBurning', weight: 'certain', evidence: { minutes: minimumMinutes } });
  const asked = levelAt({ ...plan, role: { ...plan.role, minLevel: 0 } }, at);
  if (level > asked) found.push({ code: 'floorRaised', weight: 'certain', evidence: { asked, minLevel } });
  return found;
}

function fault(clues: Clues): Suspicion | null {
  const { faults } = clues.troubles;
  return faults.length === 0 ? null : { code: 'fault', weight: weigh(clues), evidence: { codes: faults.join(' ') } };
}

function oldReading({ readingAt, changedAt }: Clues): Suspicion | null {
  if (changedAt === null || readingAt === null || readingAt >= changedAt) return null;
  return {
    code: 'oldReading',
    weight: 'possible',
    evidence: { readingAt: iso(readingAt), changedAt: iso(changedAt) },
  };
}

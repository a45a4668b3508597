import type { FaultCode } from '../../catalogue/faults.ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import type { LampCurve } from '../../catalogue/lighting/lamp-power.ts';
import type { PlanAbilities } from '../../catalogue/lighting/plan/ability.ts';
import type { CompactPlan } from '../../catalogue/lighting/plan/compact.ts';
import type { TablePoint } from '../../catalogue/lighting/plan/table.ts';
import type { SunPlace } from '../../catalogue/lighting/sun.ts';
import { createRandom, seedOf } from '../city/random.ts';
import type { Obedience } from '../city/types.ts';

/** What a lamp was told to do by itself, and how often to report. */
export interface LampSettings {
  readonly version: number;
  readonly place: SunPlace;
  readonly table: readonly TablePoint[];
  readonly litSeconds: number;
  readonly unlitSeconds: number;
  readonly plan?: CompactPlan;
  /** Within so many seconds after a step all lamps have made it. */
  readonly staggerSeconds?: number;
  /** After so many seconds of it the lamps of its road begin, which are done `roadStagger` later. */
  readonly staggerFromSeconds?: number;
  /** Without connection for so long it says that it goes by its memory. */
  readonly fallbackMinutes?: number;
  /** Percent after power returns, until it knows the time; absent: 100. */
  readonly powerUpLevel?: number;
  /** The keep alive of its next connection. */
  readonly heartbeatSeconds?: number;
}

export interface LinkQuality {
  readonly rssi: number;
  readonly snr: number;
  readonly hops: number;
  /** Milliseconds from the wire to the lamp or back, about. */
  readonly delayMs: number;
  /** Of messages that need another try. */
  readonly loss: number;
}

/** What does not change about one lamp: its make, where it hangs in the supply, what is wrong with it. */
export interface LampSpec {
  readonly seed: number;
  readonly ratedWatts: number;
  readonly curve: LampCurve;
  readonly fault: FaultCode | null;
  /** Volts above the mean at the box, and lost on the cable up to this lamp when the loop is lit. */
  readonly tapVolts: number;
  readonly dropVolts: number;
  /** Device clock minus true time, milliseconds. */
  readonly clockOffsetMs: number;
  /** Of the power, against the rating. */
  readonly tolerance: number;
  readonly link: LinkQuality;
  /** A lamp with a wrong table of its own (L110, L111) keeps it whatever it is told. */
  readonly ownTable: readonly TablePoint[] | null;
  /** What it does with a plan; one with a table of its own follows none. */
  readonly obedience: Obedience;
  /** Its driver gives up slowly from here on (epoch ms); null: it is sound. */
  readonly ageingSince: number | null;
  /** What it can do of a plan, where it knows plans. */
  readonly abilities: PlanAbilities;
}

export interface SpecInput extends Pick<LampSpec, 'ratedWatts' | 'curve' | 'fault'> {
  readonly citySeed: number;
  readonly code: string;
  readonly linkKind: 'plc' | 'lora' | 'nb_iot' | 'cellular';
  readonly loopTapVolts: number;
  readonly loopDropVolts: number;
  readonly reach: number;
  /** Behind a controller the controller's clock counts; only a lamp that speaks for itself has one of its own. */
  readonly ownClock: boolean;
  /** Whole days that such a clock is wrong by; absent: none. */
  readonly clockDaysAhead?: number;
  /** Absent: it follows its plan. */
  readonly obedience?: Obedience;
  /** Absent: null. */
  readonly ageingSince?: number | null;
  /** Absent: `allAbilities`. */
  readonly abilities?: PlanAbilities;
}

/** Of a controller that follows every plan; it has no light sensor. */
export const allAbilities: PlanAbilities = {
  periods: planLimits.periods.max,
  calendar: true,
  light: false,
  cycle: true,
};

const dayMs = 86_400_000;

/** The particular lamp that a place in the city makes; the same for the same seed and code. */
export function lampSpec(input: SpecInput): LampSpec {
  const seed = seedOf(input.citySeed, input.code);
  const random = createRandom(seed);
  const weak = random.chance(0.05);
  const clockOffsetMs = random.chance(0.05)
    ? Math.round(random.between(-90_000, 90_000))
    : Math.round(random.normal() * 250);
  return {
    seed,
    ratedWatts: input.ratedWatts,
    curve: input.curve,
    fault: input.fault,
    tapVolts: input.loopTapVolts,
    dropVolts: input.loopDropVolts * input.reach * input.reach,
    clockOffsetMs: input.ownClock ? clockOffsetMs + (input.clockDaysAhead ?? 0) * dayMs : 0,
    tolerance: 1 + random.normal() * 0.012,
    link: linkOf(random, input.linkKind, weak),
    ownTable: tableOf(input.fault, seed),
    obedience: input.obedience ?? 'plan',
    ageingSince: input.ageingSince ?? null,
    abilities: input.abilities ?? allAbilities,
  };
}

/** The same lamp with another fault, or none. */
export function withFault(spec: LampSpec, fault: FaultCode | null): LampSpec {
  return { ...spec, fault, ownTable: tableOf(fault, spec.seed) };
}

function tableOf(fault: FaultCode | null, seed: number): readonly TablePoint[] | null {
  if (fault === 'L110') return wrongDay(seed % 2 === 0);
  return fault === 'L111' ? [{ at: 'sunrise', offsetMinutes: 0, level: 0 }] : null;
}

/** Lit all day, or from hours before sunset: somebody's mistake when the table was written on site. */
const wrongDay = (always: boolean): TablePoint[] =>
  always
    ? [{ at: '00:00', offsetMinutes: 0, level: 100 }]
    : [
        { at: 'sunset', offsetMinutes: -300, level: 100 },
        { at: 'sunrise', offsetMinutes: 0, level: 0 },
      ];

function linkOf(random: ReturnType<typeof createRandom>, kind: SpecInput['linkKind'], weak: boolean): LinkQuality {
  const far = kind === 'nb_iot' || kind === 'cellular';
  return {
    rssi: Math.round(weak ? random.between(-119, -111) : far ? random.between(-101, -76) : random.between(-88, -48)),
    snr: weak ? random.between(-4, 1) : random.between(6, 21),
    hops: kind === 'plc' ? random.whole(1, 5) : kind === 'lora' ? 1 : 0,
    delayMs: weak ? random.between(600, 1200) : far ? random.between(80, 320) : random.between(40, 200),
    loss: weak ? random.between(0.12, 0.3) : random.chance(0.5) ? 0 : 0.004,
  };
}

import { levelAt, nextChange, nextSwitch, type ManualState } from '../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../catalogue/lighting/plan/programme.ts';
import { roadStagger } from '../../catalogue/lighting/stagger.ts';
import type { OutReading } from '../../protocols/mqtt-json/device.ts';
import type { SaidOfPlan } from '../../protocols/wire.ts';
import {
  driverWarmth,
  flickerCycleMs,
  flickerDarkMs,
  flickersDark,
  idleWarmth,
  lampPower,
  lampVoltage,
  leakage,
  noise,
  powerFactor,
  temperature,
} from './electrics.ts';
import { capabilitiesOf, followedBy, hasRamps, rampAt, runs, type Ramp } from './plan.ts';
import type { LampSettings, LampSpec } from './spec.ts';

/** What a lamp keeps over a power cut. Times are epoch milliseconds by the lamp's own clock. */
export interface LampMemory {
  /** Up to when everything below is counted. */
  at: number;
  manual: ManualState | null;
  energyKwh: number;
  runHours: number;
  switchCount: number;
  /** How much warmer than the air its driver is, °C. */
  warmth: number;
}

export interface LampCommand {
  readonly commandId: string;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly expiresAt: number;
  readonly until: number | null;
  /** Its place in the order in which commands were sent; absent: not told. */
  readonly turn?: number | undefined;
}

export type Outcome = { readonly executedAt: number } | { readonly error: string };

const hourMs = 3_600_000;
const longestManualMs = 24 * hourMs;
/**
 * Nothing is held up on its way for longer; afterwards a server that counts anew (restored from a copy) is believed
 * again.
 */
const heldUpMs = hourMs;
/** The meter takes the power for constant so long, by the clock: its count does not depend on when it is read, ms. */
const meteredMs = 10 * 60_000;
/** A ramp goes in steps so long, ms. */
const rampStepMs = 5000;

/**
 * One lamp: what it is told, what its relay and driver do about it, and what its meter shows. It knows only its own
 * clock.
 */
export class Lamp {
  readonly spec: LampSpec;
  #settings: LampSettings;
  #memory: LampMemory;
  #answered = new Map<string, Outcome>();
  #latest: { readonly turn: number; readonly at: number } | null = null;
  /** The programme's level and until when it holds, so that it is not looked up for every value of a reading. */
  #programme: { from: number; to: number; level: number } | null = null;
  /** `off`: it has no power. `waking`: it has power again, and does not know the time yet. */
  #supply: 'on' | 'off' | 'waking' = 'on';

  constructor(spec: LampSpec, settings: LampSettings, memory: LampMemory) {
    this.spec = spec;
    this.#settings = settings;
    this.#memory = { ...memory };
  }

  /** The same lamp of another make, or with another fault: it keeps its power, its state and what it has answered. */
  as(spec: LampSpec): Lamp {
    const lamp = new Lamp(spec, this.#settings, this.#memory);
    lamp.#supply = this.#supply;
    lamp.#answered = this.#answered;
    lamp.#latest = this.#latest;
    return lamp;
  }

  get memory(): Readonly<LampMemory> {
    return this.#memory;
  }
  get settings(): LampSettings {
    return this.#settings;
  }
  /** What it says of its plan; nothing when it knows no plans. */
  get ofPlan(): Pick<SaidOfPlan, 'planHash' | 'capabilities'> {
    const capabilities = capabilitiesOf(this.spec);
    return capabilities ? { planHash: runs(this.spec, this.#settings), capabilities } : {};
  }
  get #plan(): LampPlan {
    return followedBy(this.spec, this.#settings);
  }
  /** Its own delay after a step, ms: within that of its road where it knows when that begins. */
  get #delayMs(): number {
    const { staggerSeconds = 0, staggerFromSeconds } = this.#settings;
    return staggerFromSeconds === undefined
      ? this.spec.seed % (staggerSeconds * 1000 + 1)
      : staggerFromSeconds * 1000 + (this.spec.seed % (roadStagger * 1000 + 1));
  }

  get #isManual(): boolean {
    const { manual, at } = this.#memory;
    return manual !== null && (manual.until === null || at < manual.until);
  }

  /** The level its programme or a manual state asks for, at its present time. */
  get commandLevel(): number {
    if (this.#supply === 'waking') return this.#settings.powerUpLevel ?? 100;
    const { manual } = this.#memory;
    return manual && this.#isManual ? manual.level : this.#programmeNow().level;
  }

  /** The change of level that its programme has under way. */
  get #ramp(): Ramp | null {
    if (!hasRamps(this.#settings) || this.#isManual || this.#supply !== 'on') return null;
    return rampAt(this.#plan, this.#memory.at - this.#delayMs);
  }

  /** Loses its power, gets it back, or learns the time after that. */
  supply(state: 'on' | 'off' | 'waking'): void {
    const before = this.relay;
    this.#supply = state;
    this.#noteSwitch(before);
  }

  #programmeNow(): { from: number; to: number; level: number } {
    const { at } = this.#memory;
    if (this.#programme && at >= this.#programme.from && at < this.#programme.to) return this.#programme;
    const [plan, delay] = [this.#plan, this.#delayMs];
    const level = levelAt(plan, at - delay);
    const next = nextChange(plan, at - delay);
    const to = next === null ? at + 24 * hourMs : next + delay;
    this.#programme = { from: at, to, level };
    return this.#programme;
  }

  get relay(): boolean {
    if (this.#supply === 'off') return false;
    if (this.spec.fault === 'L112') return true;
    if (this.spec.fault === 'L113') return false;
    return this.commandLevel > 0;
  }

  /** What its driver really gives, percent. */
  get level(): number {
    if (!this.relay || flickersDark(this.spec, this.#memory.at)) return 0;
    if (this.spec.fault === 'L112' && this.commandLevel === 0) return 100;
    // A driver that does not listen stays at full power.
    if (this.spec.fault === 'L102') return 100;
    const ramp = this.#ramp;
    const level = ramp ? Math.round(ramp.from + (ramp.to - ramp.from) * ramp.share) : this.commandLevel;
    return this.spec.fault === 'L115' ? Math.max(0, level - 28) : level;
  }

  get lit(): boolean {
    return this.level > 0;
  }

  /** Goes on to a later time, through everything its programme does on the way. Never goes back. */
  advance(to: number): void {
    for (let steps = 0; this.#memory.at < to && steps < 100_000; steps++) {
      const { at } = this.#memory;
      const metered = this.lit ? (Math.floor(at / meteredMs) + 1) * meteredMs : Number.POSITIVE_INFINITY;
      this.#run(Math.min(to, this.nextEdge(), metered, this.#ramp ? at + rampStepMs : Number.POSITIVE_INFINITY));
    }
  }

  /** When the lamp may next change by itself. */
  nextEdge(): number {
    const { at, manual } = this.#memory;
    if (this.#supply !== 'on') return Number.POSITIVE_INFINITY;
    const planned = manual?.until ?? this.#programmeNow().to;
    if (this.spec.fault !== 'L114' || !this.relay) return planned;
    const phase = (at + (this.spec.seed % flickerCycleMs)) % flickerCycleMs;
    const flicker = at + (phase < flickerDarkMs ? flickerDarkMs : flickerCycleMs) - phase;
    return Math.min(planned, flicker);
  }

  /** Counts energy and hours up to `to`, within one step of the meter and between two edges. */
  #run(to: number): void {
    const before = this.relay;
    const hours = (to - this.#memory.at) / hourMs;
    let watts = 0;
    if (this.lit) {
      const middle = (Math.floor(this.#memory.at / meteredMs) + 0.5) * meteredMs;
      watts = lampPower(this.spec, middle, this.level, lampVoltage(this.spec, middle, this.level / 100));
      if (this.spec.fault !== 'L117') this.#memory.energyKwh += (watts * hours) / 1000;
      this.#memory.runHours += hours;
    }
    this.#memory.warmth = driverWarmth(
      this.spec,
      to,
      watts / this.spec.ratedWatts,
      this.#memory.warmth,
      to - this.#memory.at,
    );
    this.#memory.at = to;
    const { manual } = this.#memory;
    if (manual && manual.until !== null && to >= manual.until) this.#memory.manual = null;
    this.#noteSwitch(before);
  }

  #noteSwitch(before: boolean): void {
    if (this.relay === before) return;
    this.#memory.switchCount++;
  }

  /** New settings hold at once; a manual state stays until its own end. */
  adopt(settings: LampSettings): void {
    const before = this.relay;
    this.#settings = settings;
    this.#programme = null;
    this.#noteSwitch(before);
  }

  /**
   * Executes a command at its present time, once for each id. Expired ones are refused, whatever they ask for, and
   * those that a later one has overtaken on the way; a manual state without end, or one that is too long, ends at the
   * next switch of the programme, at most 24 hours on.
   */
  execute(command: LampCommand): Outcome {
    const known = this.#answered.get(command.commandId);
    if (known) return known;
    const outcome = this.#execute(command);
    this.#answered.set(command.commandId, outcome);
    if (this.#answered.size > 32) this.#answered.delete(this.#answered.keys().next().value ?? '');
    return outcome;
  }

  #execute({ command, args, expiresAt, until, turn }: LampCommand): Outcome {
    const { at } = this.#memory;
    if (at >= expiresAt || (until !== null && at >= until)) return { error: 'expired' };
    const wish = wishOf(command, args);
    if ('error' in wish) return wish;
    if (turn !== undefined && !questions.has(command)) {
      if (this.#latest && turn < this.#latest.turn && at < this.#latest.at + heldUpMs) return { error: 'superseded' };
      this.#latest = { turn, at };
    }
    const before = this.relay;
    if ('level' in wish) this.#memory.manual = { level: wish.level, until: this.#endOf(until) };
    else if (wish.programme) this.#memory.manual = null;
    this.#noteSwitch(before);
    return { executedAt: at };
  }

  #endOf(until: number | null): number {
    const { at } = this.#memory;
    const next = nextSwitch(this.#plan, at - this.#delayMs);
    const wanted = until ?? (next ? next.at + this.#delayMs : at + longestManualMs);
    return Math.min(wanted, at + longestManualMs);
  }

  /** Why it does what it does. `awayMs`: since when it has no connection. */
  #reason(awayMs: number): 'powerUp' | 'manual' | 'fallback' | 'programme' {
    if (this.#supply === 'waking') return 'powerUp';
    if (this.#isManual) return 'manual';
    const { fallbackMinutes = Number.POSITIVE_INFINITY } = this.#settings;
    return awayMs >= fallbackMinutes * 60_000 ? 'fallback' : 'programme';
  }

  /** A full reading of the present moment; `awayMs`: for how long it has had no connection. */
  reading(awayMs = 0): OutReading {
    const { at, energyKwh, runHours, switchCount, warmth } = this.#memory;
    const volts = this.#supply === 'off' ? 0 : lampVoltage(this.spec, at, this.level / 100);
    const drawn = lampPower(this.spec, at, this.level, volts);
    const ratio = powerFactor(this.spec, at, this.level);
    const current = volts === 0 ? 0 : fixed(drawn / ratio / volts, 3);
    // A meter that shows no current shows no power either.
    const watts = current === 0 ? 0 : drawn;
    const apparent = watts / ratio;
    const { link, seed } = this.spec;
    return {
      at,
      values: {
        voltage: fixed(volts, 1),
        current,
        power: fixed(watts, 1),
        apparentPower: fixed(apparent, 1),
        reactivePower: fixed(Math.sqrt(Math.max(0, apparent * apparent - watts * watts)), 1),
        // Without current there is no power factor.
        powerFactor: current === 0 ? null : fixed(ratio, 3),
        energy: fixed(energyKwh, 3),
        commandLevel: this.commandLevel,
        ...(this.spec.obedience === 'table' ? {} : { reason: this.#reason(awayMs) }),
        level: this.level,
        relay: this.relay,
        runHours: fixed(runHours, 1),
        switchCount,
        leakage: fixed(leakage(this.spec, at), 1),
        temperature: fixed(temperature(this.spec, at, warmth), 1),
        rssi: Math.round(link.rssi + (noise(seed ^ 0x31, at) - 0.5) * 5),
        snr: fixed(link.snr + (noise(seed ^ 0x32, at) - 0.5) * 2, 1),
        hops: link.hops,
        driverFault: this.spec.fault === 'L102',
      },
    };
  }

  /** Seconds between readings in force: short while light burns or something is wrong with the lamp. */
  get reportSeconds(): number {
    return this.lit || this.spec.fault !== null ? this.#settings.litSeconds : this.#settings.unlitSeconds;
  }

  /**
   * The next time of its own reporting grid; each lamp has its own place in the period, so that they do not all speak
   * at once.
   */
  nextReport(): number {
    const period = this.reportSeconds * 1000;
    const phase = this.spec.seed % period;
    return Math.floor((this.#memory.at - phase) / period + 1) * period + phase;
  }
}

/** They change nothing. */
const questions = new Set(['read', 'readPlan']);

type Wish = { readonly level: number } | { readonly programme: boolean } | { readonly error: string };

/** A manual level, back to the programme, nothing but a reading, or why not. */
function wishOf(command: string, args: Readonly<Record<string, unknown>>): Wish {
  switch (command) {
    case 'on':
      return { level: 100 };
    case 'off':
      return { level: 0 };
    case 'auto':
      return { programme: true };
    case 'read':
    case 'readPlan':
      return { programme: false };
    case 'dim': {
      const level = args['level'];
      return typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 100
        ? { level }
        : { error: 'badArguments' };
    }
    default:
      return { error: 'unknownCommand' };
  }
}

const fixed = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

/** The counters of a lamp that has been in service for years, at a time before which nothing is known. */
export function firstMemory(spec: LampSpec, at: number): LampMemory {
  const old = spec.fault === 'L118' ? 45_600 + 3500 * noise(spec.seed, 5000) : 2500 + 19_000 * noise(spec.seed, 5000);
  return {
    at,
    manual: null,
    runHours: old,
    energyKwh: (old * spec.ratedWatts * (0.82 + 0.1 * noise(spec.seed, 6000))) / 1000,
    switchCount: Math.round(old / 5.6),
    warmth: idleWarmth,
  };
}

/**
 * What the lamp would have reported from its present time up to `to`: on its grid and on every change. It ends there.
 */
export function* history(lamp: Lamp, to: number): Generator<OutReading> {
  for (;;) {
    const next = Math.min(lamp.nextReport(), lamp.nextEdge() + 1000);
    if (next >= to) break;
    lamp.advance(next);
    yield lamp.reading();
  }
  lamp.advance(to);
}

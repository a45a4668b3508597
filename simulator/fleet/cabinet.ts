import type { OutReading } from '../../protocols/mqtt-json/device.ts';
import { ambient, cabinetMs, loopVoltage, noise, warmed } from '../lamp/electrics.ts';
import type { Loop } from '../city/types.ts';

/** A control box as its central controller meters it. `watts` asks what a loop's lamps take at a time (epoch ms). */
export interface CabinetParts {
  readonly seed: number;
  readonly loops: readonly Loop[];
  readonly watts: (loop: Loop, at: number) => number;
  /** Whether its supply is there; absent: always. */
  readonly powered?: ((at: number) => boolean) | undefined;
}

/** What the controller keeps over a power cut. */
export interface CabinetMemory {
  at: number;
  energyKwh: number;
  /** What it metered last. */
  watts: number;
  /** How much warmer than the air it is inside, °C. */
  warmth: number;
}

/** How much warmer than the air a cabinet is that has metered so much for long. */
export const cabinetWarmth = (watts: number): number => 6 + watts / 2500;

/** What a controller remembers when its city is first played. */
export const firstCabinetMemory = (seed: number, at: number): CabinetMemory => ({
  at,
  energyKwh: 20_000 + (seed % 90_000),
  watts: 0,
  warmth: cabinetWarmth(0),
});

const hourMs = 3_600_000;

/** A central controller: permanent supply, contactors closed, three-phase metering of its loops. */
export class Cabinet {
  readonly #parts: CabinetParts;
  #memory: CabinetMemory;

  constructor(parts: CabinetParts, memory: CabinetMemory) {
    this.#parts = parts;
    this.#memory = { ...memory };
  }

  get powered(): CabinetParts['powered'] {
    return this.#parts.powered;
  }
  get memory(): Readonly<CabinetMemory> {
    return this.#memory;
  }

  /** Goes on to a time, counting what its loops took on the way, and measures. */
  reading(at: number): OutReading {
    const { seed, loops, watts, powered } = this.#parts;
    if (powered && !powered(at)) return this.#dark(at);
    const taken = loops.map((loop) => watts(loop, at));
    const phases = (['A', 'B', 'C'] as const).map((phase) => {
      // The cabinet itself takes a little on each.
      const power = loops.reduce(
        (sum, loop, i) => sum + (loop.phase === phase ? (taken[i] ?? 0) : 0),
        4 + noise(seed, at),
      );
      const volts = loopVoltage(
        at,
        0.6 * (phase.charCodeAt(0) - 66),
        1.2,
        power / 8000,
        seed >>> (phase.charCodeAt(0) - 64),
      );
      return { phase, power, volts, factor: power > 50 ? 0.952 + 0.02 * noise(seed + 7, at) : 0.62 };
    });
    const total = phases.reduce((sum, { power }) => sum + power, 0);
    this.#advance(at, total);
    const values: Record<string, number | boolean | string> = {};
    for (const { phase, power, volts, factor } of phases) {
      Object.assign(values, {
        [`voltage${phase}`]: fixed(volts, 1),
        [`power${phase}`]: Math.round(power),
        [`powerFactor${phase}`]: fixed(factor, 3),
        [`current${phase}`]: fixed(power / factor / volts, 2),
      });
    }
    loops.forEach((loop, i) => {
      const { factor, volts } = phases.find(({ phase }) => phase === loop.phase) ?? { factor: 1, volts: 230 };
      Object.assign(values, {
        [`loop${loop.number}Contactor`]: true,
        [`loop${loop.number}Aux`]: true,
        [`loop${loop.number}Current`]: fixed((taken[i] ?? 0) / factor / volts, 2),
      });
    });
    return {
      at,
      values: { ...values, ...this.#own(at, seed) },
    };
  }

  /** Without its supply it reports from its battery: no voltage, all contactors open. */
  #dark(at: number): OutReading {
    const { seed, loops } = this.#parts;
    this.#advance(at, 0);
    const values: Record<string, number | boolean | string | null> = {};
    for (const phase of ['A', 'B', 'C'])
      Object.assign(values, {
        [`voltage${phase}`]: 0,
        [`power${phase}`]: 0,
        [`powerFactor${phase}`]: null,
        [`current${phase}`]: 0,
      });
    for (const { number } of loops)
      Object.assign(values, {
        [`loop${number}Contactor`]: false,
        [`loop${number}Aux`]: false,
        [`loop${number}Current`]: 0,
      });
    return { at, values: { ...values, ...this.#own(at, seed) } };
  }

  /** What the controller measures of itself. */
  #own(at: number, seed: number): OutReading['values'] {
    return {
      energy: fixed(this.#memory.energyKwh, 3),
      door: false,
      water: false,
      selector: 'auto',
      clockOffset: fixed(noise(seed + 3, at) - 0.5, 1),
      battery: 96 + Math.round(3 * noise(seed + 5, 0)),
      temperature: fixed(ambient(at) + this.#memory.warmth, 1),
      rssi: -62 - Math.round(20 * noise(seed + 9, 0)),
    };
  }

  /** Counts what flowed since it metered last, and warms or cools by it. */
  #advance(at: number, watts: number): void {
    const before = this.#memory;
    const ms = Math.max(0, at - before.at);
    const mean = (before.watts + watts) / 2;
    this.#memory = {
      at,
      watts,
      energyKwh: before.energyKwh + (mean / 1000) * (ms / hourMs),
      warmth: warmed(before.warmth, cabinetWarmth(mean), ms, cabinetMs),
    };
  }
}

const fixed = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

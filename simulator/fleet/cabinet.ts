import type { OutReading } from '../../protocols/mqtt-json/device.ts';
import { ambient, loopVoltage, noise } from '../lamp/electrics.ts';
import type { Loop } from '../city/types.ts';

/** A control box as its central controller meters it. `watts` asks what a loop's lamps take at a time (epoch ms). */
export interface CabinetParts {
  readonly seed: number;
  readonly loops: readonly Loop[];
  readonly watts: (loop: Loop, at: number) => number;
}

/** What the controller keeps over a power cut. */
export interface CabinetMemory { at: number; energyKwh: number }

const hourMs = 3_600_000;

/** A central controller: permanent supply, contactors closed, three-phase metering of its loops. */
export class Cabinet {
  readonly #parts: CabinetParts;
  #memory: CabinetMemory;

  constructor(parts: CabinetParts, memory: CabinetMemory) {
    this.#parts = parts;
    this.#memory = { ...memory };
  }

  get memory(): Readonly<CabinetMemory> { return this.#memory; }

  /** Goes on to a time, counting what its loops took on the way, and measures. */
  reading(at: number): OutReading {
    const { seed, loops, watts } = this.#parts;
    const taken = loops.map((loop) => watts(loop, at));
    const total = taken.reduce((sum, power) => sum + power, 0);
    this.#memory = { at, energyKwh: this.#memory.energyKwh + (total / 1000) * (Math.max(0, at - this.#memory.at) / hourMs) };
    const values: Record<string, number | boolean | string> = {};
    for (const phase of ['A', 'B', 'C'] as const) {
      const own = loops.flatMap((loop, i) => (loop.phase === phase ? [{ loop, power: taken[i] ?? 0 }] : []));
      const power = own.reduce((sum, { power: part }) => sum + part, 0) + 4 + noise(seed, at);
      const volts = loopVoltage(at, 0.6 * (phase.charCodeAt(0) - 66), 1.2, power / 8000, seed >>> phase.charCodeAt(0) - 64);
      const factor = power > 50 ? 0.952 + 0.02 * noise(seed + 7, at) : 0.62;
      Object.assign(values, { [`voltage${phase}`]: fixed(volts, 1), [`power${phase}`]: Math.round(power), [`powerFactor${phase}`]: fixed(factor, 3), [`current${phase}`]: fixed(power / factor / volts, 2) });
    }
    loops.forEach((loop, i) => {
      Object.assign(values, { [`loop${loop.number}Contactor`]: true, [`loop${loop.number}Aux`]: true, [`loop${loop.number}Current`]: fixed((taken[i] ?? 0) / 0.955 / 226, 2) });
    });
    return {
      at,
      values: {
        ...values, energy: fixed(this.#memory.energyKwh, 3), door: false, water: false, selector: 'auto', clockOffset: fixed(noise(seed + 3, at) - 0.5, 1),
        battery: 96 + Math.round(3 * noise(seed + 5, 0)), temperature: fixed(ambient(at) + 6 + total / 2500, 1), rssi: -62 - Math.round(20 * noise(seed + 9, 0)),
      },
    };
  }
}

const fixed = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

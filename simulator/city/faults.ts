import type { FaultCode } from '../../catalogue/faults.ts';
import { createRandom, seedOf, type Random } from './random.ts';
import type { Box, Lamp, Loop } from './types.ts';

/** Of these a city of 3,000 lamps has at least 20 lamps each, of the other lamp faults at least 5. */
export const commonFaults = [
  'L101',
  'L105',
  'L106',
  'L110',
  'L111',
  'L112',
  'L113',
  'N301',
] as const satisfies readonly FaultCode[];
export const rareFaults = [
  'L102',
  'L103',
  'L104',
  'L107',
  'L108',
  'L109',
  'L114',
  'L115',
  'L116',
  'L117',
  'L118',
] as const satisfies readonly FaultCode[];

/**
 * How many lamps of a city get a fault: the full numbers from 2,000 lamps on, fewer below, a few more in larger cities.
 */
export function faultCount(kind: 'common' | 'rare', lamps: number): number {
  const [least, share] = kind === 'common' ? [21, 0.002] : [6, 0.0005];
  if (lamps >= 2000) return Math.max(least, Math.round(lamps * share));
  return Math.max(1, Math.round((least * lamps) / 3000));
}

type DraftLamp = Pick<Lamp, 'direct' | 'model' | 'loop'>;

/**
 * The fault of each lamp (null: sound). Voltage faults take whole loops, as a tap or a long cable does; nothing else is
 * wrong there.
 */
export function assignFaults(
  seed: number,
  lamps: readonly DraftLamp[],
  loops: readonly Loop[],
  silentBoxes: ReadonlySet<number>,
): (FaultCode | null)[] {
  const random = createRandom(seedOf(seed, 'faults'));
  const fault: (FaultCode | null)[] = lamps.map(() => null);
  const common = faultCount('common', lamps.length);
  const free = random.shuffled(
    loops.map((_, index) => index).filter((index) => !silentBoxes.has(loops[index]?.box ?? -1)),
  );
  for (const code of ['L105', 'L106'] as const) takeLoops(code, common, free, loops, fault);
  const sound = random.shuffled(
    lamps
      .map((_, index) => index)
      .filter((index) => fault[index] === null && !silentBoxes.has(loops[lamps[index]?.loop ?? -1]?.box ?? -1)),
  );
  const take = (code: FaultCode, count: number, suits: (lamp: DraftLamp) => boolean): void => {
    let left = count;
    for (let i = 0; i < sound.length && left > 0; i++) {
      const index = sound[i] ?? 0;
      const lamp = lamps[index];
      if (fault[index] !== null || !lamp || !suits(lamp)) continue;
      fault[index] = code;
      left--;
    }
  };
  // Only discharge lamps have a capacitor; a silent lamp's last readings come from its controller.
  take('L103', faultCount('rare', lamps.length), (lamp) => lamp.model.curve === 'sodium');
  for (const code of rareFaults)
    if (code !== 'L103') take(code, faultCount('rare', lamps.length), (lamp) => lamp.model.curve === 'led');
  for (const code of commonFaults) {
    if (code === 'L105' || code === 'L106') continue;
    take(code, common, code === 'N301' ? (lamp) => !lamp.direct : () => true);
  }
  return fault;
}

/** By how many days a few clocks of the city are wrong. Whole days: such a lamp still switches at dusk. */
export const wrongDays = [-3, 1] as const;

/**
 * By how many days the clock of each lamp is wrong: of the first lamps that speak for themselves and have a fault
 * besides.
 */
export function wrongClocks(lamps: readonly Pick<Lamp, 'direct'>[], faults: readonly (FaultCode | null)[]): number[] {
  const left: number[] = [...wrongDays];
  return lamps.map(({ direct }, index) =>
    direct && faults[index] !== null && faults[index] !== 'N301' ? (left.shift() ?? 0) : 0,
  );
}

function takeLoops(
  code: FaultCode,
  count: number,
  free: number[],
  loops: readonly Loop[],
  fault: (FaultCode | null)[],
): void {
  let left = count;
  while (left > 0 && free.length > 0) {
    // Rather one loop that fits than many lamps too many.
    const best = free.reduce((chosen, index, i) => (better(loops, index, free[chosen] ?? 0, left) ? i : chosen), 0);
    const [loop = 0] = free.splice(best, 1);
    for (const lamp of loops[loop]?.lamps ?? []) {
      fault[lamp] = code;
      left--;
    }
  }
}

const better = (loops: readonly Loop[], a: number, b: number, wanted: number): boolean =>
  Math.abs((loops[a]?.lamps.length ?? 0) - wanted) < Math.abs((loops[b]?.lamps.length ?? 0) - wanted);

/** Boxes whose controller is silent: one small one in a city that can bear it. */
export function silentBoxes(
  random: Random,
  boxes: readonly Omit<Box, 'silent'>[],
  loops: readonly Loop[],
  lamps: number,
): Set<number> {
  const sizes = boxes.map((box, index) => ({
    index,
    lamps: box.loops.reduce((sum, loop) => sum + (loops[loop]?.lamps.length ?? 0), 0),
  }));
  const small = sizes.filter((size) => size.lamps >= 8 && size.lamps <= lamps / 60);
  const count = lamps >= 2000 && small.length > 0 ? 1 : 0;
  return new Set(
    random
      .shuffled(small)
      .slice(0, count)
      .map((size) => size.index),
  );
}

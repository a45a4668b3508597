import { lightingDay, sunDay, type SunPlace } from '../../catalogue/lighting/sun.ts';
import { createRandom, seedOf } from './random.ts';
import type { Box, Dramas, Lamp, Loop, Pole, Street } from './types.ts';

/** Smaller cities, which tests start, have none. */
const leastLamps = 2000;
export const noDramas: Dramas = { failingBox: null, cut: null, dyingLamp: null, stuckLamp: null };

/** A cabinet whose supply fails each evening: so long after sunset, for so long, ms. */
const failureAfterSunsetMs = 70 * 60_000;
const failureMs = 12 * 60_000;
/** The driver that gives up began to do so before the city was first played: ms. */
export const ageingMs = 42 * 86_400_000;
/** The cable was cut so long before, ms: in the evening before. */
export const cutBeforeMs = 22.5 * 3_600_000;

type DraftLamp = Pick<Lamp, 'pole' | 'loop' | 'direct' | 'fault' | 'obedience' | 'model'>;

/**
 * The stories of a city, the same for a seed: a cabinet that fails each evening and comes back, a cable cut behind which
 * a road is dark, a driver that dies slowly, a stuck relay.
 */
export function chooseDramas(
  seed: number,
  streets: readonly Pick<Street, 'roadClass'>[],
  poles: readonly Pick<Pole, 'street'>[],
  lamps: readonly DraftLamp[],
  loops: readonly Loop[],
  boxes: readonly Pick<Box, 'silent' | 'loops'>[],
): Dramas {
  if (lamps.length < leastLamps) return noDramas;
  const random = createRandom(seedOf(seed, 'dramas'));
  const streetOf = (lamp: number): number => poles[lamps[lamp]?.pole ?? 0]?.street ?? 0;
  const isPlain = (lamp: number): boolean => lamps[lamp]?.fault === null && lamps[lamp].obedience === 'plan';
  const lampsOf = (box: number): number[] => (boxes[box]?.loops ?? []).flatMap((loop) => loops[loop]?.lamps ?? []);

  const failing = random.shuffled(
    boxes.flatMap(({ silent }, box) => {
      const own = lampsOf(box);
      const fits = !silent && own.length >= 25 && own.length <= 110 && own.every((lamp) => !lamps[lamp]?.direct);
      return fits && own.every((lamp) => lamps[lamp]?.obedience === 'plan') ? [box] : [];
    }),
  )[0];
  const cuts = loops.flatMap((loop, index) => {
    if (loop.box === failing || boxes[loop.box]?.silent !== false || !loop.lamps.every(isPlain)) return [];
    const last = loop.lamps.at(-1) ?? 0;
    const from = loop.lamps.findIndex((lamp) => streetOf(lamp) === streetOf(last));
    const behind = loop.lamps.slice(from);
    // The whole of the last road hangs on this loop.
    const road = lamps.filter((_, lamp) => streetOf(lamp) === streetOf(last)).length;
    return from > 2 && behind.length >= 3 && road === behind.length ? [{ loop: index, from }] : [];
  });
  const candidates = random.shuffled(
    lamps.flatMap((lamp, index) =>
      isPlain(index) && lamp.model.curve === 'led' && streets[streetOf(index)]?.roadClass === 'secondary'
        ? [index]
        : [],
    ),
  );
  const cut = random.shuffled(cuts)[0] ?? null;
  const affected = new Set([
    ...(failing === undefined ? [] : lampsOf(failing)),
    ...(cut ? (loops[cut.loop]?.lamps ?? []) : []),
  ]);
  const stuck = lamps.findIndex((lamp, index) => lamp.fault === 'L112' && !affected.has(index));
  return {
    failingBox: failing ?? null,
    cut,
    dyingLamp:
      candidates.find(
        (lamp) => !affected.has(lamp) && boxes[loops[lamps[lamp]?.loop ?? 0]?.box ?? 0]?.silent === false,
      ) ?? null,
    stuckLamp: stuck < 0 ? null : stuck,
  };
}

/** The lamps behind a cut: dark and silent. */
export const lampsBehind = (loops: readonly Loop[], cut: Dramas['cut']): readonly number[] =>
  cut ? (loops[cut.loop]?.lamps.slice(cut.from) ?? []) : [];

/** When the cabinet without luck fails in the lighting day of an instant: epoch ms; null: the sun does not set. */
export function failureOf(place: SunPlace, at: number): { readonly from: number; readonly to: number } | null {
  const { sunset } = sunDay(place, lightingDay(place, at).day);
  return sunset === null
    ? null
    : { from: sunset + failureAfterSunsetMs, to: sunset + failureAfterSunsetMs + failureMs };
}

export function isFailing(place: SunPlace, at: number): boolean {
  const failure = failureOf(place, at);
  return failure !== null && at >= failure.from && at < failure.to;
}

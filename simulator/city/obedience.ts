import { createRandom, seedOf } from './random.ts';
import type { Box, Lamp, Loop, Obedience, Pole, Street } from './types.ts';

/** Lamps that report the hash of their plan and do something else: twenty, fewer in small cities. */
export const disobedientCount = (lamps: number): number =>
  lamps >= 2000 ? 20 : Math.max(1, Math.round((20 * lamps) / 3000));
/** Lamps of an old model that knows no plans, all behind one box: at most this share of the city. */
const oldShare = 0.1;

type Draft = Pick<Lamp, 'pole' | 'loop' | 'direct' | 'fault'>;

/**
 * What each lamp does with a plan. The disobedient ones are sound and stand along as many roads as possible; nothing
 * tells the server which they are. None stands in a park: what lamps of parks do is published to nobody and never proven.
 */
export function chooseObedience(
  seed: number,
  lamps: readonly Draft[],
  streets: readonly Pick<Street, 'roadClass'>[],
  poles: readonly Pick<Pole, 'street'>[],
  loops: readonly Pick<Loop, 'box'>[],
  boxes: readonly Pick<Box, 'silent'>[],
): Obedience[] {
  const random = createRandom(seedOf(seed, 'obedience'));
  const boxOf = ({ loop }: Draft): number => loops[loop]?.box ?? 0;
  const chosen: Obedience[] = lamps.map(() => 'plan');
  const behind = Map.groupBy(
    lamps.map((_, index) => index).filter((index) => lamps[index]?.direct === false),
    (index) => boxOf(lamps[index] as Draft),
  );
  const [, old = []] =
    [...behind]
      .filter(([box]) => boxes[box]?.silent === false)
      .toSorted(([a, left], [b, right]) => right.length - left.length || a - b)[0] ?? [];
  for (const index of old.slice(0, Math.floor(lamps.length * oldShare))) chosen[index] = 'table';

  const sound = random.shuffled(
    lamps.flatMap((lamp, index) =>
      lamp.fault === null &&
      chosen[index] === 'plan' &&
      boxes[boxOf(lamp)]?.silent === false &&
      streets[poles[lamp.pole]?.street ?? -1]?.roadClass !== 'park'
        ? [index]
        : [],
    ),
  );
  const byStreet = [...Map.groupBy(sound, (index) => poles[lamps[index]?.pole ?? 0]?.street ?? 0).values()];
  // The first of every street, then the second of every street.
  const order = byStreet
    .flatMap((own, street) => own.map((index, round) => ({ index, round, street })))
    .toSorted((a, b) => a.round - b.round || a.street - b.street);
  for (const { index } of order.slice(0, disobedientCount(lamps.length))) chosen[index] = 'wrongPlan';
  return chosen;
}

import type { Track } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { Capabilities } from '../../../../protocols/wire.ts';

/** What devices said that they cannot do of the plan on side b. Devices that said nothing get the table of each night. */

export interface Inability {
  readonly track: number;
  readonly lamps: readonly number[];
}

interface Needs {
  readonly periods: number;
  readonly cycle: boolean;
}

const needsOf = ({ programmes }: Track): Needs => ({
  periods: Math.max(0, ...programmes.map(({ programme }) => programme.periods.length)),
  cycle: programmes.some(({ programme }) => programme.periods.some(({ pattern }) => pattern !== 'all')),
});

export function abilities() {
  /** Lamps of each track by what they said. */
  const said = new Map<string, { readonly track: number; readonly can: Capabilities; readonly lamps: number[] }>();
  return {
    look(lamp: number, can: Capabilities | null, track: number): void {
      if (!can?.plan?.calendar) return;
      const key = `${track} ${can.plan.periods} ${can.plan.cycle}`;
      const known = said.get(key);
      if (known) known.lamps.push(lamp);
      else said.set(key, { track, can, lamps: [lamp] });
    },
    found(tracks: readonly Track[]): Inability[] {
      return [...said.values()].flatMap(({ track, can, lamps }) => {
        const needs = tracks[track] ? needsOf(tracks[track]) : null;
        const cannot =
          needs !== null && can.plan && (can.plan.periods < needs.periods || (needs.cycle && !can.plan.cycle));
        return cannot ? [{ track, lamps }] : [];
      });
    },
  };
}

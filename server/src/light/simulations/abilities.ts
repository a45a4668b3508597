import { canFollow, hasLevels, needsOf, type PlanNeeds } from '../../../../catalogue/lighting/plan/ability.ts';
import type { Track } from '../../../../catalogue/lighting/plan/year-input.ts';
import type { Capabilities } from '../../../../protocols/wire.ts';

/**
 * Lamps that do not run the plan of side b by themselves: devices that said that they cannot, which get the table of
 * each night, and relays without its levels. Devices that said nothing get the table of each night anyway.
 */
export interface Inability {
  readonly code: 'byTable' | 'cannot';
  readonly track: number;
  readonly lamps: Float64Array<ArrayBuffer>;
}

interface Asked {
  readonly can: Capabilities | null;
  readonly dimming: string | null;
}

const needsOfTrack = ({ programmes, byDay }: Track): PlanNeeds =>
  needsOf([...new Set(byDay)].flatMap((place) => programmes[place]?.programme ?? []));

export function abilities() {
  /** Lamps of each track by what is known of them. */
  const known = new Map<string, Asked & { readonly track: number; readonly lamps: number[] }>();
  return {
    look(lamp: number, { can, dimming }: Asked, track: number): void {
      if (!can?.plan && dimming === null) return;
      const key = `${track} ${dimming} ${Object.values(can?.plan ?? {}).join(' ')}`;
      const alike = known.get(key);
      if (alike) alike.lamps.push(lamp);
      else known.set(key, { track, can, dimming, lamps: [lamp] });
    },
    found(tracks: readonly Track[]): Inability[] {
      return [...known.values()].flatMap(({ track, can, dimming, lamps }): Inability[] => {
        const asked = tracks[track];
        if (!asked) return [];
        const needs = needsOfTrack(asked);
        const found = (code: Inability['code']) => [{ code, track, lamps: Float64Array.from(lamps) }];
        if (!hasLevels(dimming, needs)) return found('cannot');
        return can?.plan && !canFollow(can.plan, needs) ? found('byTable') : [];
      });
    },
  };
}

import type { Static } from 'typebox';
import type { getLamp, LampRow } from '../../../../contract/light/lamps.ts';

export type Lamp = Static<typeof LampRow>;
/** What its plan asks of it tonight. */
export type LampNight = Static<(typeof getLamp)['reply']>['plan']['night'];

/** Where a lamp stands, in words: its pole, after the road when the pole's name does not begin with it. */
export function placeOf({ roadName, location, name }: Pick<Lamp, 'roadName' | 'location' | 'name'>): string {
  const place = location ?? name;
  if (!place) return roadName ?? '—';
  return roadName === null || place.startsWith(roadName) ? place : `${roadName} · ${place}`;
}

import type { SunPlace } from '../../catalogue/lighting/sun.ts';
import type { Credential, Handover } from '../city/handover.ts';
import type { City, Equipment } from '../city/types.ts';
import { noise } from '../lamp/electrics.ts';
import { createUnits } from '../equipment/index.ts';
import type { Agenda } from './agenda.ts';
import { EquipmentPlayer } from './equipment-player.ts';

export interface EquipmentFleetParts {
  readonly city: City;
  readonly handover: Pick<Handover, 'equipmentIds' | 'broker'>;
  readonly credentials: ReadonlyMap<number, Credential>;
  readonly startedAt: number;
  readonly agenda: Agenda;
  readonly random: () => number;
  readonly now: () => number;
  /** Where the sun stands until the devices are told. */
  readonly place: SunPlace;
  readonly failed: (code: string, reason: string) => void;
}

const hourMs = 3_600_000;

/** A player for each device of the city that is neither a lamp nor a controller, in the city's order. */
export function createEquipment(parts: EquipmentFleetParts): EquipmentPlayer[] {
  const { city, handover, credentials, agenda, random, now, failed } = parts;
  let sun = parts.place;
  const units = createUnits(city, () => sun);
  const seedAt = (index: number): number => units[index]?.spec.seed ?? 0;
  return units.flatMap((unit, index) => {
    const credential = credentials.get(handover.equipmentIds[index] ?? 0);
    if (!credential) return [];
    return new EquipmentPlayer({
      unit,
      credential,
      broker: handover.broker,
      agenda,
      random,
      now,
      silentSince: silence(city, index, parts.startedAt, seedAt),
      mute: city.equipment[index]?.trouble === 'mute',
      told: ({ latitude, longitude, timeZone, sunOffsetMinutes }) => {
        // One object as long as it says the same: days of a place are remembered by it.
        if (sun.sunOffsetMinutes === sunOffsetMinutes && sun.timeZone === timeZone) return;
        sun = { latitude: latitude ?? sun.latitude, longitude: longitude ?? sun.longitude, timeZone, sunOffsetMinutes };
      },
      failed,
    });
  });
}

/** Since when a device is silent, by itself or with its gateway; null: it speaks. */
function silence(
  city: Pick<City, 'equipment'>,
  index: number,
  startedAt: number,
  seedAt: (index: number) => number,
): number | null {
  const one = city.equipment[index] as Equipment;
  if (one.trouble === 'never') return Number.NEGATIVE_INFINITY;
  const own =
    one.trouble === 'silent' || one.trouble === 'mute'
      ? startedAt - (2 + 7 * noise(seedAt(index), 6000)) * hourMs
      : null;
  if (one.gateway === null) return own;
  const through = silence(city, one.gateway, startedAt, seedAt);
  return through === null ? own : Math.min(own ?? through, through);
}

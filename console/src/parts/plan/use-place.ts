import { useMemo } from 'react';
import { getHome } from '../../../../contract/light/home.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import { useCall } from '../../api/index.ts';

/** Shown while a work area has no position. */
const usual = { latitude: 30.2, longitude: 120.2, timeZone: 'Asia/Shanghai' } as const;

/**
 * Where the sun of a plan is shown: the middle of the work area in use, with the sun that a demonstration moves, as lamps
 * there follow it. `known` false: some other place stands in.
 */
export function usePlace(): { place: SunPlace; known: boolean; arriving: boolean } {
  const { data, isPending } = useCall(getHome, {}, { staleTime: 60_000 });
  const night = data?.night;
  const known = night !== undefined && night.latitude !== null && night.longitude !== null;
  const latitude = night?.latitude ?? usual.latitude;
  const longitude = night?.longitude ?? usual.longitude;
  const timeZone = night?.timeZone ?? usual.timeZone;
  const sunOffsetMinutes = known ? night.sunOffsetMinutes : 0;
  const place = useMemo(
    () => ({ latitude, longitude, timeZone, sunOffsetMinutes }),
    [latitude, longitude, timeZone, sunOffsetMinutes],
  );
  return { place, known, arriving: isPending };
}

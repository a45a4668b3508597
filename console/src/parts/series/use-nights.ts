import { useMemo } from 'react';
import { nightsBetween } from './nights.ts';
import { getDemo } from '../../../../contract/shell/demo.ts';
import { getDevice } from '../../../../contract/register/devices.ts';
import { useCall } from '../../api/index.ts';
import { usePermission } from '../../frame/index.ts';
import type { Span } from '../curves/model.ts';
import type { About } from './devices.ts';

const none: readonly Span[] = [];

/** From sunset to sunrise where the first device stands; none where its place may not be seen or is not known. */
export function useNights(about: About, { from, to }: Span): readonly Span[] {
  const may = usePermission('device.query');
  const [first] = about;
  const device = useCall(
    getDevice,
    { params: { id: first?.id ?? 0 } },
    { enabled: may && first !== undefined, staleTime: 3_600_000 },
  );
  // A demonstration moves its sun.
  const demo = useCall(getDemo, {}, { staleTime: 60_000 });
  const position = device.data?.latchedPosition ?? null;
  const [offset, zone] = [demo.data?.sunOffsetMinutes ?? 0, first?.timeZone];
  return useMemo(() => {
    const [longitude, latitude] = (position ?? '').split(', ').map(Number);
    if (position === null || zone === undefined || longitude === undefined || latitude === undefined) return none;
    return nightsBetween({ longitude, latitude, timeZone: zone, sunOffsetMinutes: offset }, { from, to });
  }, [position, zone, offset, from, to]);
}

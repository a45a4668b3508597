import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { pageOfFamily } from '../../../../../contract/family-pages.ts';
import type { HomeLine } from './calls.ts';

/** Where a line leads: to the one lamp, else to the lamps of its road and fault, as far as some still have it. */
export function lineTarget(line: HomeLine): { to: string; params?: { id: number }; search?: string } {
  if (line.count === 1 && line.deviceId !== null && isLamp(line.family))
    return { to: 'lamp/device', params: { id: line.deviceId } };
  const page = isLamp(line.family) ? undefined : pageOfFamily(line.family);
  if (page) return { to: page };
  const query = new URLSearchParams({ view: 'list' });
  if (line.roadId !== null) query.set('roads', String(line.roadId));
  if (line.open > 0 && line.fault !== null) query.set('faults', line.fault);
  if (line.open > 0 && line.kind === 'offline') query.set('states', 'offline');
  return { to: 'lamp/monitor', search: `?${query.toString()}` };
}

import { nightOutcomes, nightReasons } from '../../../../../catalogue/lighting/nights.ts';
import type { listNightLamps } from '../../../../../contract/light/nights.ts';
import type { QueryOf } from '../../../../../contract/route.ts';

/** What the address says of the list of lamps. */
export const filterKeys = ['part', 'outcome', 'reason', 'area', 'q'] as const;
export type Asked = Omit<QueryOf<typeof listNightLamps>, 'page' | 'size'>;

/** Which lamps an address asks for; what it does not know is left out. */
export function askedOf({ part, outcome, reason, area, q }: Readonly<Record<string, string>>): Asked {
  const isRehearsal = part === 'rehearsal';
  const known = nightOutcomes.find((one) => one === outcome);
  const why = nightReasons.find((one) => one === reason);
  return {
    ...(isRehearsal ? { part: 'rehearsal' as const } : {}),
    ...(known === undefined || isRehearsal ? {} : { outcome: known }),
    ...(why === undefined ? {} : { reason: why }),
    ...(area !== undefined && /^[1-9]\d{0,14}$/.test(area) ? { areaId: Number(area) } : {}),
    ...(q === undefined ? {} : { q }),
  };
}

import { families } from '../../../../catalogue/index.ts';
import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { getEnergy } from '../../../../contract/history/history.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, refuseFields, type Caller } from '../../platform/http/index.ts';
import { askedDevices, idsOf, scopeOf } from './asked.ts';
import { countDevices, metered, findEnergy, type EnergyStep } from './energy.store.ts';
import { longestDays } from './history.service.ts';
import { keptSince } from './storage.store.ts';
import { isEnergyFamily } from './meters.ts';

/** Told with every figure: energy as decision record 26 reckons it. */
const definition = 'energy-2';
const dayMs = 86_400_000;
/** So many rows one answer holds. */
const mostRows = 20_000;
const mostNamed = 200;
/** So many days of devices one answer is made of: some seconds of reading. */
const mostRead = 5_000_000;
const longest: Readonly<Record<EnergyStep, number>> = {
  hour: 62,
  day: longestDays,
  lightingDay: longestDays,
  month: longestDays,
};
const energyFamilies = families.map(({ key }) => key).filter(isEnergyFamily);

export type Energy = ReturnType<typeof createEnergy>;

/** What devices used, of hours, days and months, with how it is known. */
export function createEnergy({ db }: { readonly db: Db }) {
  return {
    async energy(caller: Caller, query: QueryOf<typeof getEnergy>): Promise<ReplyOf<typeof getEnergy>> {
      const { from, to, by } = query;
      refuseDays(from, to, longest[by]);
      const ids = query.deviceIds === undefined ? null : idsOf(query.deviceIds);
      if (ids) await askedDevices(db, scopeOf(caller), ids);
      const where = metered(caller, energyFamilies, ids, query);
      const asked = { where, from, to, by };
      const days = (Date.parse(to) - Date.parse(from)) / dayMs + 2;
      // An hour takes as long to read as a day.
      const most = Math.floor(mostRead / (by === 'hour' ? days * 24 : days));
      if ((await countDevices(db, where, most + 1)) > most) throw refuse('historyTooFine');
      const { rows, total, counted, devices, data } = await findEnergy(db, asked, query.each === 'device', {
        rows: mostRows + 1,
        devices: mostNamed,
      });
      const { rolledTo } = await keptSince(db);
      if (rows.length > mostRows) throw refuse('historyTooFine');
      return {
        definition,
        by,
        from,
        to,
        countedTo: rolledTo > 0 ? new Date(rolledTo).toISOString() : null,
        rows,
        total,
        devices: { count: counted, silent: devices - counted, data },
      };
    },
  };
}

function refuseDays(from: string, to: string, most: number): void {
  const wrong = [
    ['from', from],
    ['to', to],
  ].filter(
    ([, day = '']) =>
      Number.isNaN(Date.parse(`${day}T00:00:00Z`)) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day,
  );
  if (wrong.length > 0) throw refuseFields(...wrong.map(([field = '']) => ({ field, rule: 'format' as const })));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1 || days > most) throw refuse('historySpan', { days: most });
}

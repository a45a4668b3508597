import type { QueryOf, ReplyOf } from '../../../../contract/route.ts';
import type { getExpiriesFile, listExpiries } from '../../../../contract/register/statistics.ts';
import { familyOf, type Language, type Names } from '../../../../catalogue/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createRowCounter, type Db } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import { sheetType, writeSheet, type SheetRow } from '../../platform/sheet/index.ts';
import { namesFrom } from '../dictionaries/index.ts';
import * as store from './expiries.store.ts';
import { statisticsTexts } from './texts.ts';

type Ctx = Pick<RequestContext, 'caller' | 'language' | 'timezoneOffset'>;
export type Expiries = ReturnType<typeof createExpiries>;

const usualSize = 50;
const batch = 2000;
const minuteMs = 60_000;

/** What of the register ends soon, or has ended: warranties and SIM cards. */
export function createExpiries({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const known = (family: string | undefined): void => {
    if (family?.split(',').some((key) => !familyOf(key))) throw refuse('unknownFamily');
  };
  const counter = createRowCounter({ db, clock });
  /** Days begin with a minute wherever a device stands: within one the same is asked, and what was counted holds. */
  const thisMinute = (): Date => new Date(Math.floor(clock.now().getTime() / minuteMs) * minuteMs);
  return {
    async list(
      { caller }: Ctx,
      { field, within, page = 1, size = usualSize, ...filters }: QueryOf<typeof listExpiries>,
    ): Promise<ReplyOf<typeof listExpiries>> {
      known(filters.family);
      const now = thisMinute();
      const [counts, data] = await Promise.all([
        store.countExpiries(counter, caller, filters, field, now),
        store.findExpiries(db, caller, filters, {
          field,
          within,
          now,
          limit: size,
          offset: Math.max(0, page - 1) * size,
        }),
      ]);
      return { data, recordsTotal: counts[within], counts };
    },

    async file({ caller, language }: Ctx, { field, within, ...filters }: QueryOf<typeof getExpiriesFile>) {
      known(filters.family);
      const now = thisMinute();
      const [names, counts] = await Promise.all([
        namesFrom(db, language),
        store.countExpiries(counter, caller, filters, field, now),
      ]);
      const pages = async function* (): AsyncGenerator<readonly SheetRow[]> {
        for (let rows: readonly store.ExpiryRow[] | undefined; rows === undefined || rows.length === batch;) {
          rows = await store.findExpiries(db, caller, filters, {
            field,
            within,
            now,
            limit: batch,
            after: rows?.at(-1),
          });
          yield rows.map((row) => cellsOf(row, field, names));
        }
      };
      const title = statisticsTexts[language].expiries[field];
      return {
        name: `${title} ${now.toISOString().slice(0, 10)}.xlsx`,
        type: sheetType,
        content: writeSheet({
          name: title,
          columns: columnsOf(field, names, language),
          rows: pages(),
          count: counts[within],
        }),
      };
    },
  };
}

function columnsOf(field: store.ExpiringField, names: Names, language: Language) {
  const t = statisticsTexts[language];
  const text = (title: string, width = 18) => ({ title, kind: 'text' as const, width });
  return [
    text(t.code),
    text(t.name, 24),
    text(t.families),
    text(t.workAreas),
    text(t.roads),
    text(names.field('manufacturer')),
    text(names.field('model')),
    ...(field === 'simExpiry' ? [text(names.field('simNum'), 24)] : []),
    text(names.field(field), 14),
    { title: statisticsTexts[language].expiries.days, kind: 'number' as const, width: 12 },
  ];
}

const cellsOf = (row: store.ExpiryRow, field: store.ExpiringField, names: Names): SheetRow => [
  row.code,
  row.name,
  names.family(row.family),
  row.workAreaName,
  row.roadName,
  row.manufacturer,
  row.model,
  ...(field === 'simExpiry' ? [row.simNum] : []),
  row.day,
  row.days,
];

import type { Language } from '../../../../catalogue/languages.ts';
import { fill } from '../../../../catalogue/names.ts';
import type { exceptionStates } from '../../../../contract/light/exceptions.ts';
import type { ExceptionOperation } from '../../../../catalogue/lighting/plan/exceptions.ts';
import type { Db } from '../../platform/db/index.ts';
import type { SheetKind } from '../../platform/sheet/kind.ts';
import type { SheetRow } from '../../platform/sheet/sheet.ts';
import { wallTime } from '../../platform/sheet/wall-time.ts';
import type { DeviceScope } from '../../register/devices/index.ts';
import { isOverdue } from '../commands/index.ts';
import { seenScope } from '../publications/index.ts';
import { findRows, type ExceptionFilter, type StoredException } from './reading.store.ts';
import { exceptionTexts } from './texts.ts';

export interface ExceptionSheetParams {
  readonly filter: ExceptionFilter;
  readonly scope: DeviceScope;
  readonly language: Language;
  readonly timezoneOffset: number;
  readonly count: number;
}

const rowsARead = 200;
const numbers: ReadonlySet<string> = new Set(['id', 'total', 'cannot', 'darkens', 'belowFloor']);
const times: ReadonlySet<string> = new Set(['begins', 'ends', 'created']);

/** The list of exceptions as it is filtered, the newest first. */
export const exceptionSheet: SheetKind<ExceptionSheetParams> = {
  module: import.meta.url,
  name: 'exceptionSheet',
  open(db, params) {
    const { title, columns } = exceptionTexts[params.language];
    return {
      name: title,
      count: params.count,
      rows: rowsOf(db, params),
      columns: Object.entries(columns).map(([key, name]) => ({
        title: name,
        kind: times.has(key) ? ('time' as const) : numbers.has(key) ? ('number' as const) : ('text' as const),
        width: times.has(key) ? 20 : Math.max(12, name.length + 4),
      })),
    };
  },
};

async function* rowsOf(db: Db, params: ExceptionSheetParams): AsyncGenerator<readonly SheetRow[]> {
  for (let before: number | undefined, more = true; more;) {
    const rows = await findRows(db, params.scope, params.filter, {
      limit: rowsARead,
      ...(before === undefined ? {} : { before }),
    });
    yield rows.map((row) => rowOf(row, params));
    before = rows.at(-1)?.id;
    more = rows.length === rowsARead;
  }
}

/** Of its end while that waits, as in the list. */
function belowFloorOf({ state, belowFloor, ending }: StoredException, now: Date) {
  const waits =
    (state === 'planned' || state === 'inForce') &&
    ending?.approved === null &&
    !isOverdue({ phase: 'awaitingApproval', approval: { ...ending } }, now);
  return waits ? (ending.belowFloor ?? []) : belowFloor;
}

function rowOf(row: StoredException, { filter, language, timezoneOffset }: ExceptionSheetParams): SheetRow {
  const texts = exceptionTexts[language];
  const { names = [] } = seenScope(row);
  const { programme: given } = row;
  const light =
    row.op !== null && row.level !== null
      ? fill(texts.effects[row.op as ExceptionOperation], { level: row.level })
      : given && `${given.code} v${given.number} · ${given.programmeName ?? given.key}`;
  return [
    row.id,
    row.reason,
    texts.states[row.state as (typeof exceptionStates)[number]],
    light,
    row.fromDay,
    wallTime(row.from, timezoneOffset),
    wallTime(row.endedAt ?? row.to, timezoneOffset),
    names.join(' · '),
    row.seen,
    row.cannot,
    row.darkens,
    belowFloorOf(row, filter.now).reduce((sum, { lamps }) => sum + lamps, 0),
    row.actorName,
    row.agreedBy,
    wallTime(row.createdAt, timezoneOffset),
    row.endReason,
  ];
}

import { parentPort, workerData } from 'node:worker_threads';
import {
  differenceOf,
  meanLevels,
  nightsToDo,
  type YearDifference,
} from '../../../../catalogue/lighting/plan/difference.ts';
import type { YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import { bigints, connectInThread, type Db } from '../../platform/db/index.ts';
import { yieldToOthers } from '../../platform/yield-to-others.ts';
import { gather } from './gathering.ts';
import { lampsOfFinding, listFindings, mixedRows } from './listed-findings.ts';
import type { Order } from './order.ts';
import { rowWindows, type RowWindows } from './row-windows.ts';
import { shownNights } from './shown-nights.ts';
import * as store from './simulations.store.ts';
import type { ThreadAnswer, ThreadOrder } from './thread.ts';

/** The whole life of a thread: one simulation, over a connection of its own. */

/** The wall clock does not show the cell. */
const skipped = 255;
const saysEveryMs = 200;
/** Reading the lamps is so much of the work. */
const readingShare = 0.4;

let saidAt = 0;
function say(done: number): void {
  if (Date.now() - saidAt < saysEveryMs) return;
  saidAt = Date.now();
  parentPort?.postMessage({ done } satisfies ThreadAnswer, []);
}

function differ(order: Order, { windows }: Pick<RowWindows, 'windows'>): YearDifference {
  const input = { ...order.input, rows: mixedRows(order), windows };
  const work = differenceOf(input);
  const toDo = Math.max(1, nightsToDo(input));
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    say(readingShare + (1 - readingShare) * (step.value / toDo));
  }
}

const levelsOf = (difference: YearDifference, side: YearSide): Uint8Array =>
  Uint8Array.from(meanLevels(difference, side), (level) => (Number.isNaN(level) ? skipped : Math.round(level * 2)));

async function simulate(db: Db, { simulationId, asked, caller, lamps, at }: ThreadOrder): Promise<void> {
  const gathered = await gather(asked, { db, caller, progress: (seen) => say((readingShare * seen) / lamps) });
  const { key, order, withoutPlace, watts } = gathered;
  if (await store.takeResult(db, simulationId, key)) return;
  const rows = rowWindows(order);
  const difference = differ(order, rows);
  const found = listFindings(difference, order, rows);
  await store.putResult(db, simulationId, {
    ...{ key, at },
    levels: { a: levelsOf(difference, 'a'), b: levelsOf(difference, 'b') },
    outcome: {
      ...{ lamps: difference.lamps, withoutPlace, watts, days: order.input.days, months: difference.months },
      findings: found.map(({ finding }) => finding),
      testNights: shownNights(gathered),
    },
    // One after the other: the lamps of all findings at once may be more than a city.
    lampsOf: (place) => bigints(found[place] ? lampsOfFinding(found[place], order.lamps) : []),
  });
}

yieldToOthers();
// What `simulateInThread` hands over.
const order = workerData as ThreadOrder;
const database = connectInThread(order.connection, 'lampyris simulation');
try {
  await simulate(database.db, order);
} finally {
  await database.stop();
}

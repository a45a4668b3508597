import { parentPort } from 'node:worker_threads';
import {
  differenceOf,
  meanLevels,
  nightsToDo,
  type YearDifference,
} from '../../../../catalogue/lighting/plan/difference.ts';
import type { YearSide } from '../../../../catalogue/lighting/plan/year-input.ts';
import { bigints } from '../../platform/db/column-arrays.ts';
import { lampsOfFinding, listFindings, mixedRows, type ListedFinding } from './listed-findings.ts';
import { createReceiver, type Order, type Question } from './order.ts';
import { rowWindows, type RowWindows } from './row-windows.ts';
import type { ThreadAnswer, ThreadResult } from './thread.ts';

/** The whole life of a thread: one difference, and the lamps of its findings. */

/** The wall clock does not show the cell. */
const skipped = 255;
const saysEveryMs = 200;

const say = (answer: ThreadAnswer, transfer: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(answer, [...transfer]);

function differ(order: Order, { windows }: Pick<RowWindows, 'windows'>): YearDifference {
  const input = { ...order.input, rows: mixedRows(order), windows };
  const work = differenceOf(input);
  const toDo = Math.max(1, nightsToDo(input));
  let said = Date.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (Date.now() - said < saysEveryMs) continue;
    said = Date.now();
    say({ done: step.value / toDo });
  }
}

function resultOf(difference: YearDifference, findings: readonly ListedFinding[]): ThreadResult {
  const bytes = (side: YearSide) =>
    Uint8Array.from(meanLevels(difference, side), (level) => (Number.isNaN(level) ? skipped : Math.round(level * 2)));
  return {
    lamps: difference.lamps,
    months: difference.months,
    levels: { a: bytes('a'), b: bytes('b') },
    findings: findings.map(({ finding }) => finding),
  };
}

const receiver = createReceiver();
let order: Order | undefined;
let findings: readonly ListedFinding[] = [];

parentPort?.on('message', ({ part, begin, lampsOf }: Question) => {
  if (part) receiver.take(part);
  else if (begin) {
    order = receiver.whole(begin);
    const rows = rowWindows(order);
    const difference = differ(order, rows);
    findings = listFindings(difference, order, rows);
    say({ result: resultOf(difference, findings) });
  } else {
    const finding = findings[lampsOf];
    if (!order || !finding) throw new Error(`there is no finding ${lampsOf}`);
    const lamps = new Uint8Array(bigints(lampsOfFinding(finding, order.lamps)));
    say({ lamps }, [lamps.buffer]);
  }
});

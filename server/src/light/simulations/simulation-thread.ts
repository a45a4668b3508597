import { parentPort, workerData } from 'node:worker_threads';
import { differenceOf, meanLevels, nightsToDo, type YearSide } from '../../../../catalogue/lighting/plan/difference.ts';
import type { ThreadMessage, ThreadOrder, ThreadResult } from './thread.ts';

/** The whole life of a thread: one difference. */

/** The wall clock does not show the cell. */
const skipped = 255;
const saysEveryMs = 200;

const say = (message: ThreadMessage): void => parentPort?.postMessage(message, []);

function differ({ input, ids, classOf }: ThreadOrder): ThreadResult {
  const work = differenceOf(input);
  const toDo = Math.max(1, nightsToDo(input));
  let said = Date.now();
  for (;;) {
    const step = work.next();
    if (step.done) {
      const difference = step.value;
      const bytes = (side: YearSide) =>
        Uint8Array.from(meanLevels(difference, side), (level) =>
          Number.isNaN(level) ? skipped : Math.round(level * 2),
        );
      return {
        lamps: difference.lamps,
        months: difference.months,
        levels: { a: bytes('a'), b: bytes('b') },
        findings: difference.findings.map(({ classes, named, ...finding }) => ({
          finding,
          lamps: named.length > 0 ? [...named].sort((a, b) => a - b) : lampsOf(new Set(classes), ids, classOf),
        })),
      };
    }
    if (Date.now() - said < saysEveryMs) continue;
    said = Date.now();
    say({ done: step.value / toDo });
  }
}

function lampsOf(classes: ReadonlySet<number>, ids: Float64Array, classOf: Uint32Array): number[] {
  const lamps: number[] = [];
  for (const [index, one] of classOf.entries()) if (classes.has(one)) lamps.push(ids[index] ?? 0);
  return lamps;
}

say({ result: differ(workerData as ThreadOrder) });

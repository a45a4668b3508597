import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { batchesAhead, type TableMessage, type TableOrder, type TableWorker } from './order.ts';
import { lookInto, rowsOf } from './read-table.ts';
import { TableRefusal, type TableRow } from './table.ts';

/** Size of a transfer between threads: about a millisecond's work for the receiver. */
const batchRows = 250;
const batchCharacters = 128 * 1024;

/** The whole life of a thread: looks into one file, reads its rows, or has work done on them. */
async function serve(port: MessagePort, { bytes, choice, format, work }: TableOrder): Promise<void> {
  const say = (message: TableMessage): void => port.postMessage(message, []);
  try {
    if (format && work) {
      const { default: run } = (await import(work.module)) as { default: TableWorker<unknown, unknown> };
      say({ type: 'result', value: await run(rowsOf(bytes, format), work.input) });
    } else if (format) await sendRows(port, say, rowsOf(bytes, format));
    else {
      const { rows, ...look } = await lookInto(bytes, choice ?? {});
      say({ type: 'look', look });
      await sendRows(port, say, rows);
    }
    say({ type: 'end' });
  } catch (thrown) {
    say({
      type: 'failed',
      fault: thrown instanceof TableRefusal ? thrown.fault : null,
      reason: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    });
  }
  port.close();
}

/** Sends rows in batches; waits while enough of them are on their way. */
async function sendRows(
  port: MessagePort,
  say: (message: TableMessage) => void,
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
): Promise<void> {
  let free = batchesAhead;
  let wake: () => void = () => undefined;
  const more = (): void => {
    free += 1;
    wake();
  };
  port.on('message', more);
  let batch: TableRow[] = [];
  let characters = 0;
  const send = async (): Promise<void> => {
    while (free === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    free -= 1;
    say({ type: 'rows', rows: batch });
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    batch.push(row);
    for (const cell of row.cells) characters += cell.length + 8;
    if (batch.length >= batchRows || characters >= batchCharacters) await send();
  }
  if (batch.length > 0) await send();
  port.off('message', more);
}

if (parentPort) await serve(parentPort, workerData as TableOrder);

import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { connectInThread } from '../db/in-thread.ts';
import { Refusal } from '../http/refuse.ts';
import { yieldToOthers } from '../yield-to-others.ts';
import { csvOf } from './csv.ts';
import { piecesAhead, type SheetFormat, type SheetKind, type SheetMessage, type SheetOrder } from './kind.ts';
import { writeSheet, type Sheet } from './sheet.ts';

/** Pieces of this size cross between threads. */
const pieceBytes = 128 * 1024;

/** The whole life of a worker thread: writes the one sheet it was started for, through a connection of its own. */
async function serveSheet(): Promise<void> {
  if (!parentPort) throw new Error('sheets are written in a worker thread');
  yieldToOthers();
  // What the main thread hands over; it is of the kind that it names.
  const {
    kind: { module, name },
    format,
    params,
    connection,
  } = workerData as SheetOrder;
  const database = connectInThread(connection, 'lampyris sheet');
  const say = speaker(parentPort);
  try {
    // It loads the module of the one sheet alone, which is most of what a short sheet costs.
    const { [name]: kind } = (await import(module)) as Readonly<Record<string, SheetKind<never> | undefined>>;
    if (kind?.module !== module) throw new Error(`there is no sheet named ${name}`);
    const rows = await write(kind.open(database.db, params as never), format, say);
    await database.stop();
    await say({ type: 'end', rows });
  } catch (thrown) {
    await say({ type: 'failed', ...failureOf(thrown) });
  }
  parentPort.close();
}

/** Sends a message; bytes wait until the reader has taken enough of the earlier ones. */
function speaker(port: MessagePort): (message: SheetMessage) => Promise<void> {
  let free = piecesAhead;
  let wake: () => void = () => undefined;
  port.on('message', () => {
    free += 1;
    wake();
  });
  return async (message) => {
    if (message.type !== 'bytes') return port.postMessage(message);
    while (free === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    free -= 1;
    port.postMessage(message, [message.bytes.buffer as ArrayBuffer]);
  };
}

/** Returns how many rows were written. */
async function write(
  sheet: Sheet,
  format: SheetFormat,
  say: (message: SheetMessage) => Promise<void>,
): Promise<number> {
  let rows = 0;
  async function* counted() {
    for await (const batch of sheet.rows) {
      yield batch;
      rows += batch.length;
    }
  }
  let piece = new Uint8Array(pieceBytes);
  let filled = 0;
  const send = async () => {
    await say({ type: 'bytes', bytes: piece.subarray(0, filled), rows });
    piece = new Uint8Array(pieceBytes);
    filled = 0;
  };
  const bytes: AsyncIterable<Uint8Array> =
    format === 'csv' ? csvOf({ ...sheet, rows: counted() }) : writeSheet({ ...sheet, rows: counted() });
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      const part = chunk.subarray(from, from + pieceBytes - filled);
      piece.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled === pieceBytes) await send();
    }
  }
  if (filled > 0) await send();
  return rows;
}

function failureOf(thrown: unknown): Pick<Extract<SheetMessage, { type: 'failed' }>, 'refusal' | 'reason'> {
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (!(thrown instanceof Refusal)) return { refusal: null, reason };
  const values = Object.entries(thrown.values).filter(
    (entry): entry is [string, string | number] => typeof entry[1] !== 'function',
  );
  return { refusal: { code: thrown.code, values: Object.fromEntries(values) }, reason };
}

await serveSheet();

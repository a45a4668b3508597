import { Worker } from 'node:worker_threads';
import type { TableMessage, TableOrder } from './order.ts';
import { TableRefusal, type TableChoice, type TableFormat, type TableLook, type TableRow } from './table.ts';

/** What a thread may hold; a file that unpacks to more ends its thread and nothing else. */
const resourceLimits = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 32 };

/**
 * Looks into a file of unknown origin, in a thread of its own: .xlsx by its first bytes, else text with the encoding
 * and delimiter that were chosen or that fit best. Throws TableRefusal for what is no table, is damaged, unpacks to too
 * much, or names entities of its own. Takes the bytes.
 */
export async function inspectTable(bytes: Uint8Array, choice: TableChoice = {}): Promise<TableLook> {
  let look: Omit<TableLook, 'rows'> | undefined;
  const rows: TableRow[] = [];
  for await (const message of messages({ bytes, choice })) {
    if (message.type === 'look') ({ look } = message);
    else if (message.type === 'rows') rows.push(...message.rows);
  }
  if (!look) throw new TableRefusal('fileDamaged');
  return { ...look, rows };
}

/**
 * Every row that holds anything, in order, read by a thread of its own and no faster than it is taken; memory does not
 * grow with their number. Throws TableRefusal where the file breaks off. Takes the bytes.
 */
export async function* readTable(bytes: Uint8Array, format: TableFormat): AsyncGenerator<TableRow> {
  for await (const message of messages({ bytes, format })) if (message.type === 'rows') yield* message.rows;
}

/**
 * Has a module (its URL; its default function is a TableWorker) work on the rows of a file in the thread that reads
 * them: what would hold up requests for long. Takes the bytes.
 */
export async function workOnTable<Input, Result>(
  bytes: Uint8Array,
  format: TableFormat,
  module: URL,
  input: Input,
): Promise<Result> {
  for await (const message of messages({ bytes, format, work: { module: module.href, input } }))
    if (message.type === 'result') return message.value as Result;
  throw new TableRefusal('fileDamaged');
}

type Taken = Extract<TableMessage, { type: 'look' | 'rows' | 'result' }>;

/** What the thread says, one after the other; it ends when nobody listens any more. */
async function* messages(order: TableOrder): AsyncGenerator<Taken> {
  const { buffer, byteOffset, byteLength } = order.bytes;
  // Bytes that are a part of something larger are copied, others handed over.
  const own =
    buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength
      ? new Uint8Array(buffer)
      : new Uint8Array(order.bytes);
  const worker = new Worker(new URL('table-thread.ts', import.meta.url), {
    workerData: { ...order, bytes: own },
    transferList: [own.buffer],
    resourceLimits,
    execArgv: [],
    name: 'table',
  });
  const waiting: (TableMessage | Error)[] = [];
  let wake: () => void = () => undefined;
  const take = (one: TableMessage | Error): void => {
    waiting.push(one);
    wake();
  };
  worker.on('message', take);
  worker.on('error', take);
  worker.on('exit', (code) => take(new Error(`the thread of a table ended with ${code}`)));
  try {
    for (;;) {
      while (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const next = waiting.shift();
      if (next instanceof Error)
        throw (next as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new TableRefusal('fileTooLarge', { cause: next })
          : next;
      if (next?.type === 'failed')
        throw next.fault === null
          ? new Error('a table could not be read', { cause: next.reason })
          : new TableRefusal(next.fault, { cause: next.reason });
      if (next === undefined || next.type === 'end') return;
      if (next.type === 'rows') worker.postMessage('more', []);
      yield next;
    }
  } finally {
    await worker.terminate();
  }
}

import type { Db, Transaction } from '../../platform/db/index.ts';
import { lastIdGiven, logs, readRows, sealOf, type ChainRow, type LogName, type NotedHead } from './chain.ts';

export type FindingKind =
  /** Its content, or its seal, is not what was sealed. */
  | 'changed'
  /** It was sealed and is gone; `id` is the last of the missing, `after` the row before the gap. */
  | 'missing'
  /** It was never sealed at its place. */
  | 'inserted'
  /** The chain is whole but does not contain the noted head: its end was cut off, or it was rewritten. */
  | 'notTheNotedHead'
  /** The noted head lies before the beginning of the chain: it cannot be compared any more. */
  | 'notedHeadPruned'
  /** The record of where the chain begins and ends is gone. */
  | 'noChain';

export interface Finding {
  readonly kind: FindingKind;
  readonly id: number;
  readonly after?: number;
}

export interface Verdict {
  readonly log: LogName;
  /** Sealed rows found in order, until the finding if there is one. */
  readonly rows: number;
  readonly unsealed: number;
  readonly head: { readonly id: number; readonly seal: Buffer };
  readonly finding: Finding | undefined;
}

const batch = 1000;

/**
 * Walks both logs from their sealed beginning to their head, in one snapshot; in each, names the first row that is not
 * as it was sealed.
 */
export function verifyLogs(db: Db, noted: readonly NotedHead[] = []): Promise<Verdict[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const verdicts: Verdict[] = [];
      for (const log of logs)
        verdicts.push(
          await verify(
            tx,
            log,
            noted.filter((head) => head.log === log),
          ),
        );
      return verdicts;
    });
}

interface Link {
  readonly id: number;
  readonly seal: Buffer;
}

async function verify(tx: Transaction, log: LogName, noted: readonly NotedHead[]): Promise<Verdict> {
  const chain = await tx.selectFrom('log_chain').selectAll().where('log', '=', log).executeTakeFirst();
  if (!chain)
    return { log, rows: 0, unsealed: 0, head: { id: 0, seal: Buffer.alloc(0) }, finding: { kind: 'noChain', id: 0 } };
  const start = { id: chain.start_id, seal: chain.start_seal };
  const head = { id: chain.head_id, seal: chain.head_seal };
  const walk = new Walk(log, start, head, noted, await lastIdGiven(tx, log));
  let row: ChainRow | undefined;
  for await (const next of allRows(tx, log)) {
    if (row) walk.step(row, next);
    if (walk.finding) break;
    row = next;
  }
  if (row && !walk.finding) walk.step(row, undefined);
  walk.finish();
  return { log, rows: walk.rows, unsealed: walk.unsealed, head, finding: walk.finding };
}

async function* allRows(tx: Transaction, log: LogName): AsyncGenerator<ChainRow> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await readRows(tx, log, { after, most: batch });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.id;
  }
}

/** One pass over one log; stops at its first finding. */
class Walk {
  finding: Finding | undefined;
  rows = 0;
  unsealed = 0;
  readonly #log: LogName;
  readonly #start: Link;
  readonly #head: Link;
  readonly #noted: Map<number, string>;
  readonly #lastGiven: number;
  #before: Link;
  #beforeThat: Link | undefined;
  #ended = false;

  constructor(log: LogName, start: Link, head: Link, noted: readonly NotedHead[], lastGiven: number) {
    this.#log = log;
    this.#start = start;
    this.#head = head;
    this.#before = start;
    this.#lastGiven = lastGiven;
    this.#noted = new Map(noted.map(({ id, seal }) => [id, seal]));
    const pruned = noted.find(({ id }) => id < start.id);
    if (pruned) this.finding = { kind: 'notedHeadPruned', id: pruned.id };
    this.#compare(start);
  }

  step(row: ChainRow, next: ChainRow | undefined): void {
    if (this.finding) return;
    if (row.id <= this.#start.id) this.#found('inserted', row.id);
    else if (row.id > this.#head.id) this.#stepBeyond(row);
    else if (row.seal === null) this.#found('inserted', row.id);
    else if (
      row.sealedAfter === this.#before.id &&
      row.seal.equals(sealOf(this.#log, this.#before.seal, row, row.sealedAfter))
    )
      this.#advance({ id: row.id, seal: row.seal });
    else this.#name(row, next);
  }

  finish(): void {
    if (!this.finding) this.#end();
    const [cut] = this.#noted.keys();
    if (!this.finding && cut !== undefined) this.#found('notTheNotedHead', cut);
  }

  #stepBeyond(row: ChainRow): void {
    this.#end();
    if (this.finding) return;
    // Not sealed yet, unless nobody ever got that id from the program, or it carries a seal of its own making.
    if (row.seal !== null || row.id > this.#lastGiven) this.#found('inserted', row.id);
    else this.unsealed += 1;
  }

  #advance(link: Link): void {
    this.rows += 1;
    this.#beforeThat = this.#before;
    this.#before = link;
    this.#compare(link);
  }

  #compare({ id, seal }: Link): void {
    const expected = this.#noted.get(id);
    if (expected === undefined) return;
    this.#noted.delete(id);
    if (expected !== seal.toString('hex')) this.#found('notTheNotedHead', id);
  }

  /** What happened, from what the rows around it say they followed. */
  #name(row: ChainRow, next: ChainRow | undefined): void {
    const after = row.sealedAfter ?? 0;
    if (next && next.sealedAfter === this.#before.id && next.id <= this.#head.id) this.#found('inserted', row.id);
    else if (after > this.#before.id && after < row.id)
      this.finding ??= { kind: 'missing', id: after, after: this.#before.id };
    else if (this.#beforeThat && after === this.#beforeThat.id) this.#found('inserted', this.#before.id);
    else this.#found('changed', row.id);
  }

  #end(): void {
    if (this.#ended || this.finding) return;
    this.#ended = true;
    if (this.#before.id < this.#head.id) this.finding = { kind: 'missing', id: this.#head.id, after: this.#before.id };
    else if (!this.#before.seal.equals(this.#head.seal)) this.#found('changed', this.#before.id);
  }

  #found(kind: FindingKind, id: number): void {
    this.finding ??= { kind, id };
  }
}

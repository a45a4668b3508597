import type pg from 'pg';
import { from } from 'pg-copy-streams';

/** Rows on their way into one table, in COPY's text format; one call at a time. */
export interface RowsIn {
  /**
   * Resolves when the next bytes may come; pieces may end anywhere. Throws what ended the copy: a row that the database
   * refuses, a lost connection, `giveUp`.
   */
  write(bytes: Buffer): Promise<void>;
  /** All rows were written: resolves with their count when the database has them. Throws as `write` does. */
  end(): Promise<number>;
  /**
   * The rest does not come: the database takes back what came, and the connection is free again. Nothing after an end.
   * Never throws.
   */
  giveUp(reason: string): Promise<void>;
}

/**
 * Begins `statement` (COPY … FROM STDIN) on a connection of its own. The stream below has no connection any more once
 * the database ended the copy, and throws outside of any promise when it still holds bytes then: so it gets a piece
 * only after it passed on the one before, and none after an error.
 */
export function copyRows(client: pg.Client, statement: string): RowsIn {
  const stream = client.query(from(statement));
  let ended: Error | undefined;
  let endStep: (thrown: Error) => void = () => undefined;
  const fail = (thrown: Error) => {
    ended ??= thrown;
    endStep(ended);
  };
  stream.on('error', fail);

  async function step(begin: (done: (thrown?: Error | null) => void) => void): Promise<void> {
    if (ended) throw ended;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    endStep = reject;
    begin((thrown) => (thrown ? reject(ended ?? thrown) : resolve()));
    await promise;
  }

  return {
    write: (bytes) => step((done) => stream.write(bytes, done)),
    async end() {
      await step((done) => stream.end(done));
      return stream.rowCount;
    },
    async giveUp(reason) {
      if (ended || stream.writableFinished) return;
      const closed = Promise.withResolvers<void>();
      stream.once('close', closed.resolve);
      fail(new Error(reason));
      // It tells the database, and closes with its answer or with the connection.
      stream.destroy(ended);
      await closed.promise;
    },
  };
}

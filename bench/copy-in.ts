import type pg from 'pg';

interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * COPY … FROM STDIN of rows that are in memory, in text format: the quickest way into PostgreSQL from this process, and
 * the anchor that stored readings are measured against. The driver's own protocol messages, so that nothing stands
 * between.
 */
export function copyIn(client: pg.Client, statement: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | undefined;
    const copying = {
      submit: (wire: Wire) => wire.query(statement),
      handleCopyInResponse(wire: Wire) {
        wire.sendCopyFromChunk(rows);
        wire.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleRowDescription: () => undefined,
      handleError: (thrown: Error) => {
        failed = thrown;
        reject(thrown);
      },
      handleReadyForQuery: () => {
        if (!failed) resolve();
      },
    };
    client.query(copying as unknown as pg.Submittable);
  });
}

/** A value as COPY's text format wants it. */
export const copyText = (value: string): string =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`);

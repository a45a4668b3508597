import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';

interface Ends {
  readonly receive: (text: string) => void;
  /** The line was broken and is open again. */
  readonly resumed: () => void;
  /** More messages waited than the line takes: other processes miss some of them. */
  readonly overflowed: () => void;
}

const channel = 'lampyris_bus';
const retryMs = 1000;
/** A dead connection does not always report its end: it is detected by missing answers. */
const beatMs = 5000;
const answerMs = 10_000;
/** Limit of messages that wait for the line. Further ones are dropped, and other processes are asked to reload. */
const mostWaiting = 5000;
/** Messages in one statement. */
const mostAtOnce = 100;

/** The connection to PostgreSQL that listens and notifies. */
export class Line {
  readonly #connection: pg.ClientConfig;
  readonly #log: Log;
  readonly #ends: Ends;
  #client: pg.Client | undefined;
  #closed = false;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(connection: pg.ClientConfig, log: Log, ends: Ends) {
    this.#connection = connection;
    this.#log = log;
    this.#ends = ends;
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'lampyris bus',
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.#ends.receive(payload ?? ''));
    await client.connect();
    try {
      // A notification is a transaction like any other and need not wait for the disk.
      await client.query(`SET synchronous_commit = off; LISTEN ${channel}`);
    } catch (thrown) {
      await client.end().catch(() => undefined);
      throw thrown;
    }
    this.#client = client;
    const beat = setInterval(() => void client.query('SELECT 1').catch(() => this.#drop(client)), beatMs);
    beat.unref();
    client.once('end', () => {
      clearInterval(beat);
      if (this.#client === client) void this.#reopen();
    });
    this.#flush();
  }

  send(text: string): void {
    if (this.#closed) return;
    if (this.#waiting.length < mostWaiting) this.#waiting.push(text);
    else this.#dropped += 1;
    this.#flush();
  }

  async close(): Promise<void> {
    while (this.#sending) await this.#sending;
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
  }

  /** Sends in order; messages that came meanwhile go together. */
  #flush(): void {
    const client = this.#client;
    if (!client || this.#sending) return;
    if (this.#waiting.length === 0 && this.#dropped > 0) {
      this.#log.warn(
        { messages: this.#dropped },
        'more bus messages than the database takes: other processes look anew',
      );
      this.#dropped = 0;
      this.#ends.overflowed();
    }
    if (this.#waiting.length === 0) return;
    const texts = this.#waiting.splice(0, mostAtOnce);
    this.#sending = client
      .query('SELECT pg_notify($1, text) FROM unnest($2::text[]) WITH ORDINALITY AS t(text, place) ORDER BY place', [
        channel,
        texts,
      ])
      .then(
        () => undefined,
        (thrown: unknown) => {
          this.#log.debug(
            { reason: reasonOf(thrown), messages: texts.length },
            'bus messages did not reach other processes',
          );
          this.#drop(client);
        },
      )
      .finally(() => {
        this.#sending = undefined;
        this.#flush();
      });
  }

  /** Gives up a connection that does not answer, in any state. */
  #drop(client: pg.Client): void {
    void client.end().catch(() => undefined);
    if (this.#client === client) void this.#reopen();
  }

  async #reopen(): Promise<void> {
    this.#client = undefined;
    while (!this.#closed) {
      try {
        await this.open();
        this.#ends.resumed();
        return;
      } catch (thrown) {
        this.#log.debug({ reason: reasonOf(thrown) }, 'the bus is not connected');
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }
}

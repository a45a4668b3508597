/**
 * What a page shows when it begins to listen may have been kept for so long (`createQueryClient`), and read a little
 * before.
 */
const KEPT_MS = 25_000;

/**
 * From when on a topic's changes are still to be told: the server's time of what is shown, or when it began to be shown
 * here (`performance.now()`).
 */
interface Need {
  readonly at: string | undefined;
  readonly from: number;
  /** Told, once so many pings were answered. */ ping: number;
}

/**
 * Up to when everything was told, in the server's own words: the times of its messages and answers, never the browser's
 * clock. What passed since is counted by a clock that nobody sets.
 */
export class LiveMarks {
  readonly #needs = new Map<string, Need[]>();
  readonly #now: () => number;
  #server: { readonly at: number; readonly heard: number } | undefined;
  #told: string | undefined;
  #pings = 0;
  #pongs = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A new connection; nothing that was asked on the one before will be answered. */
  welcome(at: string): void {
    this.#hear(at);
    this.#pings = this.#pongs = 0;
    for (const need of [...this.#needs.values()].flat()) need.ping = Number.POSITIVE_INFINITY;
  }

  /** A ping was sent, behind all that was asked so far. */
  ping(): void {
    this.#pings += 1;
    for (const need of [...this.#needs.values()].flat())
      if (need.ping === Number.POSITIVE_INFINITY) need.ping = this.#pings;
  }

  /** A ping was answered: what was asked before it has been told, and with `at` everything up to then. */
  pong(at: string | undefined): void {
    this.#pongs += 1;
    for (const [topic, needs] of this.#needs) {
      const left = needs.filter(({ ping }) => ping > this.#pongs);
      if (left.length === 0) this.#needs.delete(topic);
      else this.#needs.set(topic, left);
    }
    if (at !== undefined) this.tell(at);
  }

  /** Everything up to then was told. */
  tell(at: string): void {
    this.#hear(at);
    if (Number.isFinite(Date.parse(at)) && (this.#told === undefined || Date.parse(at) > Date.parse(this.#told)))
      this.#told = at;
  }

  /** A topic is shown from now on; `at`: as it was then by the server. */
  need(topic: string, at?: string): void {
    this.#needs.set(topic, [
      ...(this.#needs.get(topic) ?? []),
      { at, from: this.#now(), ping: Number.POSITIVE_INFINITY },
    ]);
  }

  /** Nobody shows it any more. */
  leave(topic: string): void {
    this.#needs.delete(topic);
  }

  /** What was told belongs to something else. */
  forget(): void {
    this.#told = undefined;
    this.#needs.clear();
  }

  /** Since when a topic's changes are to be told; undefined: everything is to be fetched. */
  since(topic: string): string | undefined {
    const needs = this.#needs.get(topic)?.flatMap(({ at, from }) => at ?? this.#shownAt(from) ?? []);
    return needs === undefined ? this.#told : needs.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0];
  }

  #shownAt(from: number): string | undefined {
    return this.#server && new Date(this.#server.at - (this.#server.heard - from) - KEPT_MS).toISOString();
  }

  #hear(at: string): void {
    if (Number.isFinite(Date.parse(at))) this.#server = { at: Date.parse(at), heard: this.#now() };
  }
}

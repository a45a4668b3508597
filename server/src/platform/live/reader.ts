import { setTimeout as sleep } from 'node:timers/promises';
import { Compile } from 'typebox/compile';
import type { WebSocket } from 'ws';
import { ClientMessage, closeCodes, type ServerMessage } from '../../../../contract/live.ts';
import { Budget } from '../budget.ts';
import type { Stop } from '../clock.ts';
import { Refusal, type Caller } from '../http/index.ts';
import { reasonOf } from '../start-error.ts';
import type { LiveParts } from './live.ts';

const helloMs = 5000;
const silenceMs = 75_000;
const mostBuffered = 1024 * 1024;
/** Characters of messages that have come and wait for the one before them. */
const mostUnread = 512 * 1024;
const mostTopics = 200;
/**
 * A message costs one, each topic it names one more. The burst is more than any page needs at once, the rate little
 * work a second.
 */
const asking = { burst: 2000, perSecond: 200 };
const longestPauseMs = 1000;
const decode = Compile(ClientMessage);
/** The client comes again by itself, later. */
export const tryLater = 1013;
const bearer = (token: string) => token.replace(/^Bearer\s+/i, '');

const goodByeMs = 1000;
/** Ends a connection whose other end does not answer the close: until then it holds its memory and its socket. */
export function endSoon(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), goodByeMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Services of all connections together for one of them. */
export interface Place {
  /** A valid hello came. false: there is no room among signed-in readers. */
  admitted(): boolean;
  /** The session of a token; the connection keeps its place meanwhile. */
  check(token: string): Promise<Caller | undefined>;
  gone(): void;
}

/** One connection. */
export class Reader {
  caller: Caller | undefined;
  readonly #socket: WebSocket;
  readonly #parts: LiveParts;
  readonly #dropped: { count: number };
  readonly #open = new Map<string, Stop>();
  readonly #stale = new Set<string>();
  readonly #helloTimer: Stop;
  #rights = '';
  #heard: number;
  #work = Promise.resolve();
  #ended = false;
  readonly #place: Place;
  readonly #budget: Budget;

  constructor(socket: WebSocket, parts: LiveParts, dropped: { count: number }, place: Place) {
    this.#place = place;
    this.#budget = new Budget(parts.asking ?? asking, performance.now());
    this.#socket = socket;
    this.#parts = parts;
    this.#dropped = dropped;
    this.#heard = Date.now();
    this.#helloTimer = parts.clock.after(helloMs, () => {
      if (!this.caller) this.close(closeCodes.sessionEnded, 'no hello');
    });
    let inWork = 0;
    let unread = 0;
    socket.on('message', (data, binary) => {
      this.#heard = Date.now();
      if (this.#ended) return;
      const text = binary ? '' : String(data);
      // Nothing more is read until everything received is answered: what does not fit into one piece of the network
      // waits with its sender.
      socket.pause();
      inWork += 1;
      unread += text.length;
      // Only compressed messages can exceed this when unpacked.
      if (unread > mostUnread) return this.close(1009, 'too much at once');
      // One after the other: a subscription waits for the hello before it.
      this.#work = this.#work
        .then(() => this.#take(text))
        .then(() => {
          inWork -= 1;
          unread -= text.length;
          if (inWork > 0) return;
          // Unread messages are no silence.
          this.#heard = Date.now();
          socket.resume();
        })
        .catch((thrown: unknown) => {
          if (thrown instanceof Refusal) return this.close(tryLater, thrown.code);
          parts.log.warn(
            { accountId: this.caller?.accountId, reason: reasonOf(thrown) },
            'a live message could not be answered',
          );
          this.close(1011, 'internal');
        });
    });
    socket.on('pong', () => {
      this.#heard = Date.now();
    });
    socket.once('close', () => {
      this.#helloTimer();
      this.#ended = true;
      this.#closeTopics();
      place.gone();
    });
  }

  /** Takes over changed rights: topics are opened again under them. */
  async allow(caller: Caller): Promise<void> {
    if (!this.caller) return;
    const rights = rightsOf(caller);
    if (rights === this.#rights) return;
    this.#rights = rights;
    const { workAreaId } = this.caller;
    this.caller = { ...caller, workAreaId };
    const names = [...this.#open.keys()];
    this.#closeTopics();
    this.#send({ type: 'menus' });
    // The account may no longer see the area: nothing of it is sent, on any topic.
    if (workAreaId !== null && caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId))
      return this.close(closeCodes.foreignWorkArea, 'foreign work area');
    for (const name of names) await this.#subscribe(name);
    for (const topic of names) this.#send({ type: 'stale', topic });
  }

  /** Messages may have been missed: the reader fetches everything again. */
  missSomething(): void {
    for (const topic of this.#open.keys()) this.#sendTopic(topic, { type: 'stale', topic });
  }

  endSession(): void {
    this.#send({ type: 'session', event: 'ended' });
    this.close(closeCodes.sessionEnded, 'session ended');
  }

  beat(): void {
    if (Date.now() - this.#heard > silenceMs) this.#socket.terminate();
    else this.#socket.ping();
  }

  close(code: number, reason: string): void {
    this.#ended = true;
    this.#closeTopics();
    this.#socket.close(code, reason);
    // The answer to it has to be read.
    this.#socket.resume();
    endSoon(this.#socket);
  }

  async #take(text: string): Promise<void> {
    if (this.#ended) return;
    const message = parse(text);
    if (!message) return this.close(1008, 'not a message');
    await this.#rest(1 + ('topics' in message ? message.topics.length : 0));
    // Messages behind a refused hello are dropped.
    if (this.#isOver()) return;
    // A reader with a pending `stale` has not received everything up to now.
    if (message.type === 'ping')
      return this.#send({
        type: 'pong',
        ...(this.#stale.size === 0 ? { at: this.#parts.clock.now().toISOString() } : {}),
      });
    if (message.type === 'hello') return this.#greet(message.token, message.workAreaId ?? null);
    if (!this.caller) return this.close(closeCodes.sessionEnded, 'hello first');
    if (message.type === 'unsubscribe') return message.topics.forEach((name) => this.#stopTopic(name));
    for (const name of message.topics) await this.#subscribe(name, message.since ?? null);
  }

  #isOver(): boolean {
    return this.#ended;
  }

  /** A reader above its budget is not read until the debt is paid. */
  async #rest(cost: number): Promise<void> {
    let wait = this.#budget.take(cost, performance.now());
    if (wait === 0) return;
    this.#parts.slowed?.();
    for (; wait > 0 && !this.#ended; wait -= longestPauseMs)
      await sleep(Math.min(wait, longestPauseMs), undefined, { ref: false });
  }

  async #greet(token: string, workAreaId: number | null): Promise<void> {
    // The hello came in time: the duration of the database lookup does not count.
    this.#helloTimer();
    const caller = this.caller ? undefined : await this.#place.check(bearer(token));
    if (!caller) return this.close(closeCodes.sessionEnded, 'no such session');
    if (workAreaId !== null && caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId))
      return this.close(closeCodes.foreignWorkArea, 'foreign work area');
    if (this.#isOver()) return;
    if (!this.#place.admitted()) return this.close(tryLater, 'too many readers');
    this.#rights = rightsOf(caller);
    this.caller = { ...caller, workAreaId };
    this.#send({ type: 'welcome', at: this.#parts.clock.now().toISOString() });
  }

  async #subscribe(name: string, since: string | null = null): Promise<void> {
    const { caller } = this;
    const before = this.#open.get(name);
    // An open topic is subscribed to again to get what changed since a fetch.
    if (!caller || (before && since === null)) return;
    const topic = this.#parts.topics.find((candidate) => candidate.name.test(name));
    if (!topic || (!before && this.#open.size >= mostTopics))
      return this.#send({ type: 'refused', topic: name, reason: topic ? 'tooManyTopics' : 'unknownTopic' });
    const opened = await topic.open({
      caller,
      topic: name,
      id: Number(/\d+/.exec(name)?.[0] ?? 0),
      since,
      send: (message) => this.#sendTopic(name, message),
    });
    if (typeof opened !== 'function') return this.#send({ type: 'refused', topic: name, reason: opened.refused });
    if (this.#socket.readyState !== this.#socket.OPEN || this.#open.get(name) !== before) return opened();
    if (this.caller !== caller) {
      // The rights changed while it was opened under the old ones.
      opened();
      return this.#subscribe(name, since);
    }
    before?.();
    this.#open.set(name, opened);
  }

  #stopTopic(name: string): void {
    this.#open.get(name)?.();
    this.#open.delete(name);
    this.#stale.delete(name);
  }

  #closeTopics(): void {
    for (const name of [...this.#open.keys()]) this.#stopTopic(name);
  }

  /** Nothing piles up for a slow reader: it gets `stale` as soon as it has caught up. */
  #sendTopic(topic: string, message: ServerMessage): void {
    if (this.#socket.bufferedAmount > mostBuffered) {
      this.#dropped.count += 1;
      this.#stale.add(topic);
      return;
    }
    this.#catchUp();
    this.#send(message);
  }

  /** Also without further messages: what was left out has to be fetched some day. */
  #catchUp(): void {
    if (this.#stale.size === 0 || this.#socket.bufferedAmount > mostBuffered) return;
    const missed = [...this.#stale];
    this.#stale.clear();
    for (const topic of missed) this.#send({ type: 'stale', topic });
  }

  #send(message: ServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(textOf(message), () => this.#catchUp());
  }
}

/** Many readers get the same message: it is serialised once. */
const texts = new WeakMap<ServerMessage, string>();
function textOf(message: ServerMessage): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify(message);
  texts.set(message, text);
  return text;
}

const rightsOf = (caller: Caller): string =>
  JSON.stringify([[...caller.permissions].toSorted(), caller.workAreas, caller.level]);

function parse(text: string): ClientMessage | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return decode.Check(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

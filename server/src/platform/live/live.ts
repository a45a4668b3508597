import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Compile } from 'typebox/compile';
import { WebSocketServer, type WebSocket } from 'ws';
import { ClientMessage, closeCodes, livePath, type ServerMessage } from '../../../../contract/live.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock, Stop } from '../clock.ts';
import type { Caller } from '../http/index.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';

/** Sends to one reader; a reader that is too slow gets `stale` once instead of everything it missed. */
export type Send = (message: ServerMessage) => void;

/** Who wants to watch. `topic`: the whole name; `id`: the first number in it; `since`: it was away from then on; null: it begins. */
export interface Opening { readonly caller: Caller; readonly topic: string; readonly id: number; readonly since: string | null; readonly send: Send }

/** Something that can be watched. `open` returns how to stop, or a refusal. Opened anew when the caller's rights change. */
export interface LiveTopic {
  /** The whole name, e.g. /^device:(\d+)$/. */
  readonly name: RegExp;
  open(reader: Opening): Promise<Stop | { readonly refused: 'missingPermission' | 'foreignWorkArea' | 'notFound' }>;
}

export interface LiveParts {
  readonly topics: readonly LiveTopic[];
  /** Whose token this is now. */
  readonly authenticate: (token: string) => Promise<Caller | undefined>;
  /** What these sessions allow now; ended ones are absent. */
  readonly callers: (sessionIds: readonly number[]) => Promise<ReadonlyMap<number, Caller>>;
  readonly allowedOrigins: readonly string[];
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

export interface Live {
  /** Takes over the WebSocket requests of an HTTP server. */
  attach(server: Server): void;
  /** Open connections, and messages that slow ones did not get since the start. */
  stats(): { readonly readers: number; readonly dropped: number };
  stop(): Promise<void>;
}

const helloMs = 5000;
const recheckMs = 800;
const silenceMs = 75_000;
const resumeMs = 1000;
const goodbyeMs = 1000;
const mostBuffered = 1024 * 1024;
const mostTopics = 200;
const mostConnections = 2000;
const decode = Compile(ClientMessage);
const bearer = (token: string) => token.replace(/^Bearer\s+/i, '');

/** Live messages: who says hello with a good token may watch topics; what the session may no longer see ends within a second. */
export function createLive(parts: LiveParts): Live {
  const { clock, bus, log } = parts;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024, perMessageDeflate: { threshold: 2048, concurrencyLimit: 4 } });
  const readers = new Set<Reader>();
  const stops: Stop[] = [];
  let resuming = false;
  const droppedMessages = { count: 0 };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Whoever hangs up half-way, or breaks the protocol after a refusal, is an error nobody else hears: it would end the process.
    socket.on('error', () => undefined);
    if ((request.url ?? '/').split('?')[0] !== livePath) return void socket.destroy();
    if (readers.size >= mostConnections) return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => undefined);
      if (!isOurs(request, parts.allowedOrigins)) return opened.close(closeCodes.foreignOrigin, 'foreign origin');
      const reader = new Reader(opened, parts, droppedMessages, () => readers.delete(reader));
      readers.add(reader);
    });
  }

  function endSessions(ids: readonly number[]): void {
    const ended = new Set(ids);
    for (const reader of readers) if (reader.caller && ended.has(reader.caller.sessionId)) reader.endSession();
  }

  /** Sessions end by themselves too, and rights change on other processes. */
  async function recheck(): Promise<void> {
    const known = [...readers].filter((reader) => reader.caller !== undefined);
    const callers = await parts.callers([...new Set(known.map((reader) => reader.caller?.sessionId ?? 0))]);
    for (const reader of known) {
      const now = callers.get(reader.caller?.sessionId ?? 0);
      if (now) await reader.allow(now);
      else reader.endSession();
    }
  }

  /** A database that comes back is told of by every process: once for all of them. */
  function resumed(): void {
    if (resuming) return;
    resuming = true;
    stops.push(clock.after(resumeMs, () => {
      resuming = false;
      readers.forEach((reader) => reader.missSomething());
    }));
  }

  stops.push(
    bus.subscribe('session.ended', ({ sessionIds }) => endSessions(sessionIds)),
    bus.subscribe('rights.changed', () => void recheck().catch((thrown: unknown) => log.warn({ reason: reasonOf(thrown) }, 'live sessions could not be checked'))),
    bus.subscribe('bus.resumed', resumed),
    clock.every(recheckMs, recheck),
    clock.every(silenceMs / 3, () => readers.forEach((reader) => reader.beat())),
  );
  return {
    attach: (server) => void server.on('upgrade', upgrade),
    stats: () => ({ readers: readers.size, dropped: droppedMessages.count }),
    stop() {
      stops.forEach((stop) => stop());
      for (const reader of readers) reader.close(1001, 'stopping');
      // Whoever does not answer the good-bye is not waited for.
      const impatience = setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), goodbyeMs);
      return new Promise((resolve) => sockets.close(() => {
        clearTimeout(impatience);
        resolve();
      }));
    },
  };
}

/** A browser says which page asks; only pages of this very server, or of a named origin, are answered. Other programs say nothing. */
function isOurs(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** One connection. */
class Reader {
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

  constructor(socket: WebSocket, parts: LiveParts, dropped: { count: number }, gone: () => void) {
    this.#socket = socket;
    this.#parts = parts;
    this.#dropped = dropped;
    this.#heard = Date.now();
    this.#helloTimer = parts.clock.after(helloMs, () => {
      if (!this.caller) this.close(closeCodes.sessionEnded, 'no hello');
    });
    socket.on('message', (data, binary) => {
      this.#heard = Date.now();
      // One after the other: a subscription waits for the hello before it.
      this.#work = this.#work.then(() => this.#take(binary ? '' : String(data))).catch((thrown: unknown) => {
        parts.log.warn({ accountId: this.caller?.accountId, reason: reasonOf(thrown) }, 'a live message could not be answered');
        this.close(1011, 'internal');
      });
    });
    socket.on('pong', () => { this.#heard = Date.now(); });
    socket.once('close', () => {
      this.#helloTimer();
      this.#closeTopics();
      gone();
    });
  }

  /** Takes changed rights over: topics are opened anew under them. */
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
    // An area it may not see any more: nothing of it flows, whatever the topic.
    if (workAreaId !== null && caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId)) return this.close(closeCodes.foreignWorkArea, 'foreign work area');
    for (const name of names) await this.#subscribe(name);
    for (const topic of names) this.#send({ type: 'stale', topic });
  }

  /** Something may have happened that nobody here was told: everything is fetched again. */
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
    this.#closeTopics();
    this.#socket.close(code, reason);
  }

  async #take(text: string): Promise<void> {
    const message = parse(text);
    if (!message) return this.close(1008, 'not a message');
    // Whoever is owed something has not been told everything up to now.
    if (message.type === 'ping') return this.#send({ type: 'pong', ...(this.#stale.size === 0 ? { at: this.#parts.clock.now().toISOString() } : {}) });
    if (message.type === 'hello') return this.#greet(message.token, message.workAreaId ?? null);
    if (!this.caller) return this.close(closeCodes.sessionEnded, 'hello first');
    if (message.type === 'unsubscribe') return message.topics.forEach((name) => this.#stopTopic(name));
    for (const name of message.topics) await this.#subscribe(name, message.since ?? null);
  }

  async #greet(token: string, workAreaId: number | null): Promise<void> {
    const caller = this.caller ? undefined : await this.#parts.authenticate(bearer(token));
    if (!caller) return this.close(closeCodes.sessionEnded, 'no such session');
    if (workAreaId !== null && caller.workAreas !== 'all' && !caller.workAreas.includes(workAreaId)) return this.close(closeCodes.foreignWorkArea, 'foreign work area');
    this.#rights = rightsOf(caller);
    this.caller = { ...caller, workAreaId };
    this.#send({ type: 'welcome', at: this.#parts.clock.now().toISOString() });
  }

  async #subscribe(name: string, since: string | null = null): Promise<void> {
    const { caller } = this;
    const before = this.#open.get(name);
    // Who watches already asks for what changed since it fetched anew.
    if (!caller || (before && since === null)) return;
    const topic = this.#parts.topics.find((candidate) => candidate.name.test(name));
    if (!topic || (!before && this.#open.size >= mostTopics)) return this.#send({ type: 'refused', topic: name, reason: topic ? 'tooManyTopics' : 'unknownTopic' });
    const opened = await topic.open({ caller, topic: name, id: Number(/\d+/.exec(name)?.[0] ?? 0), since, send: (message) => this.#sendTopic(name, message) });
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

  /** Nothing piles up for a slow reader: it is told to fetch again as soon as it has caught up. */
  #sendTopic(topic: string, message: ServerMessage): void {
    if (this.#socket.bufferedAmount > mostBuffered) {
      this.#dropped.count += 1;
      this.#stale.add(topic);
      return;
    }
    this.#catchUp();
    this.#send(message);
  }

  /** Also when nothing more is to be told: what was left out has to be fetched some day. */
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

/** Many readers are told the very same message: it is written out once. */
const texts = new WeakMap<ServerMessage, string>();
function textOf(message: ServerMessage): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const text = JSON.stringify(message);
  texts.set(message, text);
  return text;
}

const rightsOf = (caller: Caller): string => JSON.stringify([[...caller.permissions].toSorted(), caller.workAreas, caller.level]);

function parse(text: string): ClientMessage | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return decode.Check(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { closeCodes, livePath, type ServerMessage } from '../../../../contract/live.ts';
import type { BudgetLimits } from '../budget.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock, Stop } from '../clock.ts';
import { addressKey, callerAddress, refuse, type Caller } from '../http/index.ts';
import { InTurn } from '../in-turn.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../start-error.ts';
import { WaitingRoom } from '../waiting-room.ts';
import { endSoon, Reader, tryLater } from './reader.ts';

/** Sends to one reader; a reader that is too slow gets `stale` once instead of everything it missed. */
export type Send = (message: ServerMessage) => void;

/**
 * Who wants to watch. `topic`: the whole name; `id`: the first number in it; `since`: it was away from then on; null:
 * it begins.
 */
export interface Opening {
  readonly caller: Caller;
  readonly topic: string;
  readonly id: number;
  readonly since: string | null;
  readonly send: Send;
}

/**
 * Something that can be watched. `open` returns how to stop, or a refusal. Opened anew when the caller's rights change.
 */
export interface LiveTopic {
  /** The whole name, e.g. /^device:(\d+)$/. */
  readonly name: RegExp;
  open(reader: Opening): Promise<Stop | { readonly refused: 'missingPermission' | 'foreignWorkArea' | 'notFound' }>;
}

export interface LiveParts {
  readonly topics: readonly LiveTopic[];
  /** Whose token this is now. */
  readonly authenticate: (token: string, address: string) => Promise<Caller | undefined>;
  /** What these sessions allow now; ended ones are absent. */
  readonly callers: (sessionIds: readonly number[]) => Promise<ReadonlyMap<number, Caller>>;
  readonly allowedOrigins: readonly string[];
  /** Whose word on the address of a caller is believed. */
  readonly trustedProxies?: readonly string[];
  /** What a reader may ask for; a message costs one, each topic it names one more. */
  readonly asking?: BudgetLimits;
  /** Told each time somebody asks for more than his budget, and has to wait. */
  readonly slowed?: () => void;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

export interface Live {
  /** Takes over the WebSocket requests of an HTTP server. */
  attach(server: Server): void;
  /** Open connections, and messages that slow ones did not get since the start. */
  stats(): { readonly readers: number; readonly waiting: number; readonly dropped: number };
  stop(): Promise<void>;
}

const recheckMs = 800;
const silenceMs = 75_000;
const resumeMs = 1000;
const goodbyeMs = 1000;
const mostConnections = 2000;
/**
 * Connections whose hello was not said or is not checked yet: of all, and of one address, behind which all screens of a
 * control room come back at the same moment. They are counted apart from those that are in.
 */
const mostWaiting = { all: 2000, ofAddress: 200 };
/** Hellos of one address that are checked at once; the others wait their turn. */
const checksAtOnce = 20;

/**
 * Live messages: who says hello with a good token may watch topics; what the session may no longer see ends within a
 * second.
 */
export function createLive(parts: LiveParts): Live {
  const { clock, bus, log } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    perMessageDeflate: { threshold: 2048, concurrencyLimit: 4 },
  });
  /** Everybody, and of these who said a good hello. */
  const connected = new Set<Reader>();
  const readers = new Set<Reader>();
  const waiting = new WaitingRoom<Reader>(mostWaiting, (reader) => reader.close(tryLater, 'no hello, and others wait'));
  const checks = new InTurn(checksAtOnce);
  const addressOf = callerAddress(parts.trustedProxies ?? []);
  const stops: Stop[] = [];
  let resuming = false;
  const droppedMessages = { count: 0 };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Whoever hangs up half-way, or breaks the protocol after a refusal, is an error nobody else hears: it would end
    // the process.
    socket.on('error', () => undefined);
    if ((request.url ?? '/').split('?')[0] !== livePath) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (opened) => {
      opened.on('error', () => undefined);
      if (!isOurs(request, parts.allowedOrigins)) {
        opened.close(closeCodes.foreignOrigin, 'foreign origin');
        return endSoon(opened);
      }
      const address = addressKey(addressOf(request));
      const reader: Reader = new Reader(opened, parts, droppedMessages, {
        check: async (token) => {
          waiting.check(reader, address);
          try {
            // Who went away meanwhile still stands in this line, though not among the connections any more.
            if (checks.waiting(address) >= mostWaiting.ofAddress) throw refuse('tooManyTries', { seconds: 1 });
            return await checks.run(address, async () =>
              connected.has(reader) ? parts.authenticate(token, address) : undefined,
            );
          } finally {
            waiting.leave(reader, address);
          }
        },
        admitted: () => {
          if (readers.size >= mostConnections) return false;
          readers.add(reader);
          return true;
        },
        gone: () => {
          waiting.leave(reader, address);
          connected.delete(reader);
          readers.delete(reader);
        },
      });
      connected.add(reader);
      waiting.enter(reader, address);
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

  /** Every process reports that the database is back; readers get `stale` once. */
  function resumed(): void {
    if (resuming) return;
    resuming = true;
    stops.push(
      clock.after(resumeMs, () => {
        resuming = false;
        readers.forEach((reader) => reader.missSomething());
      }),
    );
  }

  stops.push(
    bus.subscribe('session.ended', ({ sessionIds }) => endSessions(sessionIds)),
    bus.subscribe(
      'rights.changed',
      () =>
        void recheck().catch((thrown: unknown) =>
          log.warn({ reason: reasonOf(thrown) }, 'live sessions could not be checked'),
        ),
    ),
    bus.subscribe('bus.resumed', resumed),
    clock.every(recheckMs, recheck),
    clock.every(silenceMs / 3, () => connected.forEach((reader) => reader.beat())),
  );
  return {
    attach: (server) => void server.on('upgrade', upgrade),
    stats: () => ({ readers: readers.size, waiting: waiting.size, dropped: droppedMessages.count }),
    stop() {
      stops.forEach((stop) => stop());
      for (const reader of connected) reader.close(1001, 'stopping');
      // Whoever does not answer the good-bye is not waited for.
      const impatience = setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), goodbyeMs);
      return new Promise((resolve) =>
        sockets.close(() => {
          clearTimeout(impatience);
          resolve();
        }),
      );
    },
  };
}

/**
 * A browser says which page asks; only pages of this very server, or of a named origin, are answered. Other programs
 * say nothing.
 */
function isOurs(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

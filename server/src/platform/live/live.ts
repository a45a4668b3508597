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
 * A request to watch. `topic`: the whole name; `id`: the first number in it; `since`: the reader was away from then on;
 * null: it begins.
 */
export interface Opening {
  readonly caller: Caller;
  readonly topic: string;
  readonly id: number;
  readonly since: string | null;
  readonly send: Send;
}

/**
 * Something that can be watched. `open` returns how to stop, or a refusal. It is opened again when the caller's rights
 * change.
 */
export interface LiveTopic {
  /** The whole name, e.g. /^device:(\d+)$/. */
  readonly name: RegExp;
  open(reader: Opening): Promise<Stop | { readonly refused: 'missingPermission' | 'foreignWorkArea' | 'notFound' }>;
}

export interface LiveParts {
  readonly topics: readonly LiveTopic[];
  /** The session of a token. */
  readonly authenticate: (token: string, address: string) => Promise<Caller | undefined>;
  /** Current rights of these sessions; ended ones are absent. */
  readonly callers: (sessionIds: readonly number[]) => Promise<ReadonlyMap<number, Caller>>;
  readonly allowedOrigins: readonly string[];
  /** Proxies that are trusted to name the address of a caller. */
  readonly trustedProxies?: readonly string[];
  /** A reader's budget: a message costs one, each topic it names one more. */
  readonly asking?: BudgetLimits;
  /** Called each time a reader exceeds its budget and has to wait. */
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
 * Connections whose hello has not come or is not checked: in all, and of one address, behind which all screens of a
 * control room return at the same moment. They are counted apart from signed-in ones.
 */
const mostWaiting = { all: 2000, ofAddress: 200 };
/** Hellos of one address that are checked at once; the others wait. */
const checksAtOnce = 20;

/**
 * Live messages: a reader with a valid token may watch topics. What the session may no longer see ends within a second.
 */
export function createLive(parts: LiveParts): Live {
  const { clock, bus, log } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    perMessageDeflate: { threshold: 2048, concurrencyLimit: 4 },
  });
  /** All readers, and those after a valid hello. */
  const connected = new Set<Reader>();
  const readers = new Set<Reader>();
  const waiting = new WaitingRoom<Reader>(mostWaiting, (reader) => reader.close(tryLater, 'no hello, and others wait'));
  const checks = new InTurn(checksAtOnce);
  const addressOf = callerAddress(parts.trustedProxies ?? []);
  const stops: Stop[] = [];
  let resuming = false;
  const droppedMessages = { count: 0 };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener the error of a reader that hangs up half-way, or breaks the protocol after a refusal, would
    // end the process.
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
            // A reader that went away is still in this line, but no longer among the connections.
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

  /** Sessions also end by themselves, and rights change in other processes. */
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
      // A reader that does not answer the close is not waited for.
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
 * A browser names the page that asks. Only pages of this server, or of a named origin, are answered. Other programs
 * name none.
 */
function isOurs(request: IncomingMessage, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

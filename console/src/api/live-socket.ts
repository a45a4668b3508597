import { livePath, type ClientMessage, type ServerMessage } from '../../../contract/live.ts';
import { currentTag, storedToken, storedWorkId } from '../session/index.ts';
import { LiveMarks } from './live-marks.ts';

/** `live`: messages flow; `connecting`: first try or trying again; `offline`: the browser has no network. */
export type LiveState = 'live' | 'connecting' | 'offline';

type Handler = (message: ServerMessage) => void;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const PING_EVERY_MS = 25_000;
const SILENCE_LIMIT_MS = 60_000;
/** Whoever just fetched everything is not told to again sooner: a server that cannot keep up would get no rest. */
const STALE_EVERY_MS = 10_000;
const SESSION_ENDED = 4401;

/** The topic a message belongs to; undefined for those of the connection itself. */
export function topicOf(message: ServerMessage): string | undefined {
  switch (message.type) {
    case 'lamps':
    case 'home':
    case 'menus':
    case 'inbox':
    case 'commands':
    case 'plans':
    case 'publications':
    case 'nights':
    case 'session':
      return message.type;
    case 'task':
      return 'tasks';
    case 'devices':
    case 'register':
      return message.topic;
    case 'device':
    case 'command':
      return `${message.type}:${message.id}`;
    case 'stale':
    case 'refused':
      return message.topic;
    default:
      return undefined;
  }
}

export interface LiveConnection {
  /**
   * Receives a topic's messages, and `stale` whenever some may have been missed, also a little before. `tells`: of when
   * it is what is shown is told by `catchUp` as soon as it is there. Returns the stop function.
   */
  subscribe(topic: string, handler: Handler, tells?: boolean): () => void;
  /** What is shown of a topic is of then, by the server's clock: what changed since is told. */
  catchUp(topic: string, at: string): void;
  state(): { state: LiveState; since: number };
  onState(listen: () => void): () => void;
  /** Connects anew: another work area or language is in force. */
  restart(): void;
  stop(): void;
}

export interface LiveParts {
  url: string;
  /** The session has ended on the server. */
  signedOut(): void;
}

/**
 * One WebSocket for the whole console: says hello with the token, subscribes, reconnects with growing pauses, catches
 * up.
 */
export function connectLive({ url, signedOut }: LiveParts): LiveConnection {
  const handlers = new Map<string, Set<Handler>>();
  const listeners = new Set<() => void>();
  let socket: WebSocket | undefined;
  let current: { state: LiveState; since: number } = {
    state: navigator.onLine ? 'connecting' : 'offline',
    since: Date.now(),
  };
  let pause = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heard = Date.now();
  let usedToken: string | undefined;
  const marks = new LiveMarks();
  /** When each topic's readers were told last to fetch again. */
  const fetchedAt = new Map<string, number>();
  const later = new Map<string, ReturnType<typeof setTimeout>>();
  /** Topics of which nothing is shown yet: nothing is missed before it is there. */
  const untold = new Set<string>();
  let stopped = false;

  const setState = (state: LiveState): void => {
    if (state === current.state) return;
    current = { state, since: Date.now() };
    for (const listen of listeners) listen();
  };
  const say = (message: ClientMessage): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const deliver = (topic: string, message: ServerMessage): void => {
    for (const handler of [...(handlers.get(topic) ?? [])]) handler(message);
  };

  /** Fetch again; at once, unless that was told a moment ago. */
  function deliverStale(topic: string): void {
    if (later.has(topic)) return;
    const pauseMs = (fetchedAt.get(topic) ?? Number.NEGATIVE_INFINITY) + STALE_EVERY_MS - performance.now();
    const tell = (): void => {
      later.delete(topic);
      fetchedAt.set(topic, performance.now());
      deliver(topic, { type: 'stale', topic });
    };
    if (pauseMs <= 0) tell();
    else later.set(topic, setTimeout(tell, pauseMs));
  }

  /** Those that are of the same time together; the answer to the ping behind them says that all of it was told. */
  function ask(topics: readonly string[]): void {
    if (topics.length === 0) return;
    for (const [since, same] of Map.groupBy(topics, (topic) => marks.since(topic))) {
      for (let from = 0; from < same.length; from += 100)
        say({ type: 'subscribe', topics: same.slice(from, from + 100), ...(since === undefined ? {} : { since }) });
    }
    ping();
  }
  function ping(): void {
    say({ type: 'ping' });
    marks.ping();
  }

  function welcomed(at: string): void {
    pause = FIRST_RETRY_MS;
    setState('live');
    marks.welcome(at);
    const topics = [...handlers.keys()];
    for (const topic of topics) {
      if (untold.has(topic)) continue;
      const since = marks.since(topic);
      if (since === undefined) deliverStale(topic);
      marks.need(topic, since ?? at);
    }
    ask(topics);
  }

  function receive(event: MessageEvent): void {
    heard = Date.now();
    let message: ServerMessage;
    try {
      message = JSON.parse(String(event.data)) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === 'welcome') return welcomed(message.at);
    const topic = topicOf(message);
    if (message.type === 'pong') marks.pong(message.at);
    else if (message.type === 'lamps' || message.type === 'devices') marks.tell(message.at);
    if (message.type === 'stale') deliverStale(message.topic);
    else if (topic !== undefined) deliver(topic, message);
    // A session ended by another tab is that tab's story (onSessionElsewhere); ours is over only while its token is the
    // stored one.
    if (message.type === 'session' && usedToken === storedToken()) signedOut();
  }

  function closed(event: CloseEvent): void {
    if (socket !== event.target) return;
    socket = undefined;
    if (stopped) return;
    // A token refreshed meanwhile deserves one more try before the session counts as over.
    if (event.code === SESSION_ENDED && usedToken === storedToken()) {
      stopped = true;
      return signedOut();
    }
    setState(navigator.onLine ? 'connecting' : 'offline');
    retry = setTimeout(open, pause * (0.75 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_RETRY_MS);
  }

  function forget(topic: string): void {
    clearTimeout(later.get(topic));
    later.delete(topic);
    fetchedAt.delete(topic);
    untold.delete(topic);
    marks.leave(topic);
  }

  function open(): void {
    clearTimeout(retry);
    if (stopped || socket !== undefined) return;
    usedToken = storedToken();
    if (usedToken === undefined) return;
    heard = Date.now();
    const opened = new WebSocket(url);
    socket = opened;
    opened.onopen = () => {
      const workId = Number(storedWorkId());
      say({
        type: 'hello',
        token: usedToken ?? '',
        workAreaId: Number.isInteger(workId) && workId > 0 ? workId : null,
        language: currentTag(),
      });
    };
    opened.onmessage = receive;
    opened.onclose = closed;
    // What went wrong is told by the close that follows.
    opened.onerror = () => undefined;
  }

  function drop(): void {
    const old = socket;
    socket = undefined;
    if (old === undefined) return;
    old.onclose = null;
    old.onmessage = null;
    old.close();
  }
  const again = (): void => {
    drop();
    pause = FIRST_RETRY_MS;
    setState('connecting');
    open();
  };
  const offline = (): void => setState('offline');
  const pinging = setInterval(() => {
    if (Date.now() - heard > SILENCE_LIMIT_MS && socket !== undefined) again();
    else ping();
  }, PING_EVERY_MS);
  window.addEventListener('online', again);
  window.addEventListener('offline', offline);
  open();

  return {
    subscribe(topic, handler, tells = false) {
      const known = handlers.get(topic);
      if (known) known.add(handler);
      else handlers.set(topic, new Set([handler]));
      if (!tells) marks.need(topic);
      else if (!known) untold.add(topic);
      if (current.state === 'live' && !(known && tells)) ask([topic]);
      return () => {
        const left = handlers.get(topic);
        left?.delete(handler);
        if (left?.size !== 0) return;
        handlers.delete(topic);
        forget(topic);
        if (current.state === 'live') say({ type: 'unsubscribe', topics: [topic] });
      };
    },
    catchUp(topic, at) {
      if (!handlers.has(topic)) return;
      untold.delete(topic);
      marks.need(topic, at);
      if (current.state === 'live') ask([topic]);
    },
    state: () => current,
    onState(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    restart() {
      // Of another work area everything is to be fetched.
      marks.forget();
      again();
    },
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(pinging);
      later.forEach((timer) => clearTimeout(timer));
      window.removeEventListener('online', again);
      window.removeEventListener('offline', offline);
      drop();
    },
  };
}

/** Where the live messages come from: the console's own origin. */
export const liveUrl = (): string =>
  `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}${livePath}`;

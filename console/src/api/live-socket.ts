import { livePath, type ClientMessage, type ServerMessage } from '../../../contract/live.ts';
import { currentTag, storedToken, storedWorkId } from '../session/index.ts';

/** `live`: messages flow; `connecting`: first try or trying again; `offline`: the browser has no network. */
export type LiveState = 'live' | 'connecting' | 'offline';

type Handler = (message: ServerMessage) => void;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
const PING_EVERY_MS = 25_000;
const SILENCE_LIMIT_MS = 60_000;
const SESSION_ENDED = 4401;

/** The topic a message belongs to; undefined for those of the connection itself. */
export function topicOf(message: ServerMessage): string | undefined {
  switch (message.type) {
    case 'lamps': case 'home': case 'menus': case 'inbox': case 'commands': case 'session': return message.type;
    case 'task': return 'tasks';
    case 'devices': case 'register': return message.topic;
    case 'device': case 'command': return `${message.type}:${message.id}`;
    case 'stale': case 'refused': return message.topic;
    default: return undefined;
  }
}

/** Topics that tell what changed, not only that something did: after a loss the server tells what was missed, or `stale`. */
const tellsWhat = (topic: string): boolean => topic === 'lamps' || topic.startsWith('devices');

export interface LiveConnection {
  /** Receives a topic's messages, and `stale` whenever some may have been missed. Returns the stop function. */
  subscribe(topic: string, handler: Handler): () => void;
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

/** One WebSocket for the whole console: says hello with the token, subscribes, reconnects with growing pauses, catches up. */
export function connectLive({ url, signedOut }: LiveParts): LiveConnection {
  const handlers = new Map<string, Set<Handler>>();
  const listeners = new Set<() => void>();
  let socket: WebSocket | undefined;
  let current: { state: LiveState; since: number } = { state: navigator.onLine ? 'connecting' : 'offline', since: Date.now() };
  let pause = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let heard = Date.now();
  let usedToken: string | undefined;
  let greetedBefore = false;
  // Server minus browser clock.
  let clockOffset = 0;
  /** When something was heard last while messages flowed: nothing before it is missed. */
  let told: number | undefined;
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

  function subscribe(topics: readonly string[], since?: string): void {
    for (let from = 0; from < topics.length; from += 100) say({ type: 'subscribe', topics: topics.slice(from, from + 100), ...(since === undefined ? {} : { since }) });
  }

  function welcomed(at: string): void {
    pause = FIRST_RETRY_MS;
    setState('live');
    const topics = [...handlers.keys()];
    const since = greetedBefore && told !== undefined ? new Date(told + clockOffset).toISOString() : undefined;
    if (Number.isFinite(Date.parse(at))) clockOffset = Date.parse(at) - Date.now();
    const caughtUp = since === undefined ? [] : topics.filter(tellsWhat);
    const others = topics.filter((topic) => !caughtUp.includes(topic));
    subscribe(caughtUp, since);
    subscribe(others);
    if (greetedBefore) for (const topic of others) deliver(topic, { type: 'stale', topic });
    greetedBefore = true;
  }

  function receive(event: MessageEvent): void {
    heard = Date.now();
    if (current.state === 'live') told = heard;
    let message: ServerMessage;
    try {
      message = JSON.parse(String(event.data)) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === 'welcome') return welcomed(message.at);
    const topic = topicOf(message);
    if (topic !== undefined) deliver(topic, message);
    // A session ended by another tab is that tab's story (onSessionElsewhere); ours is over only while its token is the stored one.
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
      say({ type: 'hello', token: usedToken ?? '', workAreaId: Number.isInteger(workId) && workId > 0 ? workId : null, language: currentTag() });
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
    else say({ type: 'ping' });
  }, PING_EVERY_MS);
  window.addEventListener('online', again);
  window.addEventListener('offline', offline);
  open();

  return {
    subscribe(topic, handler) {
      const known = handlers.get(topic);
      if (known) known.add(handler);
      else {
        handlers.set(topic, new Set([handler]));
        if (current.state === 'live') say({ type: 'subscribe', topics: [topic] });
      }
      return () => {
        const left = handlers.get(topic);
        left?.delete(handler);
        if (left?.size !== 0) return;
        handlers.delete(topic);
        if (current.state === 'live') say({ type: 'unsubscribe', topics: [topic] });
      };
    },
    state: () => current,
    onState(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    restart() {
      // Of another work area everything is to be fetched.
      told = undefined;
      again();
    },
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(pinging);
      window.removeEventListener('online', again);
      window.removeEventListener('offline', offline);
      drop();
    },
  };
}

/** Where the live messages come from: the console's own origin. */
export const liveUrl = (): string => `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}${livePath}`;

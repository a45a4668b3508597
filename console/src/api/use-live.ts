import { QueryClientContext } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import type { ServerMessage } from '../../../contract/live.ts';
import { RegionContext } from './freshness.ts';
import { fetchAfterStep } from './light-again.ts';
import type { LiveConnection, LiveState } from './live-socket.ts';

/** The console's one live connection; null outside the shell (tests of a single part). */
export const LiveContext = createContext<LiveConnection | null>(null);

/**
 * Receives the live messages of a topic while the component is shown (a kept-alive page in a hidden tab does not
 * listen; it gets `stale` when it is shown again and should fetch). `stale` also comes after a reconnection. `null`: no
 * topic now. `shown`: of when it is what the page shows, by the server (`at` of its answer; null: it is not there yet):
 * what changed since is told, whenever that is a new one. After a step that the server took the page fetches once more,
 * six seconds later (`light-again.ts`).
 */
export function useLive(topic: string | null, handler: (message: ServerMessage) => void, shown?: string | null): void {
  const live = useContext(LiveContext);
  const client = useContext(QueryClientContext);
  const region = useContext(RegionContext);
  const latest = useEffectEvent((message: ServerMessage) => {
    handler(message);
    if (client && message.type === topic) fetchAfterStep(topic, { client, region });
  });
  const heard = useRef<string>(undefined);
  const tells = shown !== undefined;
  const told = useRef<string>(undefined);
  useEffect(() => {
    if (live === null || topic === null) return undefined;
    // The page was hidden meanwhile: what happened then was not heard.
    if (heard.current === topic) latest({ type: 'stale', topic });
    heard.current = topic;
    return live.subscribe(topic, (message) => latest(message), tells);
  }, [live, topic, tells]);
  useEffect(() => {
    if (
      live === null ||
      topic === null ||
      shown === undefined ||
      shown === null ||
      told.current === `${topic} ${shown}`
    )
      return;
    told.current = `${topic} ${shown}`;
    live.catchUp(topic, shown);
  }, [live, topic, shown]);
}

const nowhere = { state: 'connecting' as LiveState, since: 0 };

/** The connection's state and since when (milliseconds), for the header's mark and for stale notes. */
export function useLiveState(): { state: LiveState; since: number } {
  const live = useContext(LiveContext);
  return useSyncExternalStore(
    (listen) => live?.onState(listen) ?? (() => undefined),
    () => live?.state() ?? nowhere,
  );
}

import type { ServerMessage } from '../../../../contract/live.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock, Stop } from '../clock.ts';
import type { Caller } from '../http/index.ts';
import { Lately } from './lately.ts';
import type { LiveTopic, Send } from './live.ts';

/** Says a message to everybody who watches; with an account, to that account alone. */
export type Say = (message: ServerMessage, accountId?: number | null) => void;

/** A topic that only says "fetch again". */
export interface Hint {
  /** Its name, as `TopicName` of the contract has it. */
  readonly topic: string;
  /** One of these is needed; without: a session is enough. */
  readonly permissions?: readonly Permission[];
  /** It is about things of one account, which nobody else hears. */
  readonly own?: boolean;
  /** What comes within two seconds is said once, by its last message. */
  readonly gathered?: boolean;
  /** Subscribes to what it is about. */
  listen(bus: Bus, say: Say): readonly Stop[];
}

interface Watching { readonly caller: Caller; readonly send: Send }
const gatherMs = 2000;

/** The topics of these hints. Whoever begins to watch with a `since` hears `stale` when something happened meanwhile. */
export function createHints(hints: readonly Hint[], { bus, clock }: { readonly bus: Bus; readonly clock: Clock }): { readonly topics: readonly LiveTopic[]; start(): Stop } {
  const now = (): number => clock.now().getTime();
  const lately = new Lately(now());
  const all = hints.map((hint) => ({ hint, watching: new Set<Watching>(), waiting: undefined as ServerMessage | undefined }));
  const keyOf = ({ topic, own }: Hint, accountId: number | null | undefined): string => (own ? `${topic} ${accountId}` : topic);
  return {
    topics: all.map(({ hint, watching }) => ({
      name: new RegExp(`^${hint.topic}$`),
      open({ caller, topic, since, send }) {
        if (hint.permissions && !hint.permissions.some((permission) => caller.permissions.has(permission))) return Promise.resolve({ refused: 'missingPermission' });
        const one = { caller, send };
        watching.add(one);
        if (since !== null && lately.since(keyOf(hint, caller.accountId), Date.parse(since))) send({ type: 'stale', topic });
        return Promise.resolve(() => void watching.delete(one));
      },
    })),
    start() {
      const stops = all.flatMap((each) => {
        const { hint, watching } = each;
        const toAll = (message: ServerMessage): void => watching.forEach(({ send }) => send(message));
        const heard = hint.listen(bus, (message, accountId) => {
          lately.note(keyOf(hint, accountId), now());
          if (hint.gathered) each.waiting = message;
          else if (!hint.own) toAll(message);
          else watching.forEach(({ caller, send }) => { if (caller.accountId === accountId) send(message); });
        });
        if (!hint.gathered) return heard;
        return [...heard, clock.every(gatherMs, () => {
          if (each.waiting) toAll(each.waiting);
          each.waiting = undefined;
        })];
      });
      // What other processes said meanwhile was not heard: whoever comes back fetches everything.
      stops.push(bus.subscribe('bus.resumed', () => lately.forget(now())));
      return () => stops.forEach((stop) => stop());
    },
  };
}

import { hintTopics, type ServerMessage } from '../../../../contract/live.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Bus } from '../bus/index.ts';
import type { Clock, Stop } from '../clock.ts';
import type { Caller } from '../http/index.ts';
import { Lately } from './lately.ts';
import type { LiveTopic, Send } from './live.ts';

interface Topic {
  readonly topic: (typeof hintTopics)[number];
  /** One of these is required; absent: a session is enough. */
  readonly permissions?: readonly Permission[];
}
/** A hint for every watcher. */
interface Shared extends Topic {
  readonly own?: never;
  /** Messages within two seconds are sent once, as the last of them. */
  readonly gathered?: true;
  /** Subscribes to its subject. */
  listen(bus: Bus, say: (message: ServerMessage) => void): readonly Stop[];
}
/** A hint about things of one account; no other account gets it. */
interface Own extends Topic {
  readonly own: true;
  readonly gathered?: never;
  listen(bus: Bus, say: (message: ServerMessage, accountId: number | null) => void): readonly Stop[];
}
/** A topic that only says "fetch again". */
export type Hint = Shared | Own;

interface Watching {
  readonly caller: Caller;
  readonly send: Send;
}
const gatherMs = 2000;

/**
 * The topics of these hints: every one that the contract names, once; throws otherwise. A reader that subscribes with
 * `since` gets `stale` if something happened meanwhile.
 */
export function createHints(
  hints: readonly Hint[],
  { bus, clock }: { readonly bus: Bus; readonly clock: Clock },
): { readonly topics: readonly LiveTopic[]; start(): Stop } {
  const brought = hints.map(({ topic }) => topic);
  const wrong = hintTopics.filter((topic) => brought.filter((one) => one === topic).length !== 1);
  if (wrong.length > 0)
    throw new Error(`one feature brings each live topic; of ${wrong.join(', ')} there are none or several`);
  const now = (): number => clock.now().getTime();
  const lately = new Lately(now());
  const all = hints.map((hint) => ({ hint, watching: new Set<Watching>() }));
  const keyOf = ({ topic, own }: Hint, accountId: number | null): string => (own ? `${topic} ${accountId}` : topic);
  const listen = ({ hint, watching }: (typeof all)[number]): readonly Stop[] => {
    if (hint.own) {
      return hint.listen(bus, (message, accountId) => {
        lately.note(keyOf(hint, accountId), now());
        watching.forEach(({ caller, send }) => {
          if (caller.accountId === accountId) send(message);
        });
      });
    }
    let waiting: ServerMessage | undefined;
    const toAll = (message: ServerMessage): void => watching.forEach(({ send }) => send(message));
    const heard = hint.listen(bus, (message) => {
      lately.note(hint.topic, now());
      if (hint.gathered) waiting = message;
      else toAll(message);
    });
    if (!hint.gathered) return heard;
    return [
      ...heard,
      clock.every(gatherMs, () => {
        if (waiting) toAll(waiting);
        waiting = undefined;
      }),
    ];
  };
  return {
    topics: all.map(({ hint, watching }) => ({
      name: new RegExp(`^${hint.topic}$`),
      open({ caller, topic, since, send }) {
        if (hint.permissions && !hint.permissions.some((permission) => caller.permissions.has(permission)))
          return Promise.resolve({ refused: 'missingPermission' });
        const one = { caller, send };
        watching.add(one);
        if (since !== null && lately.since(keyOf(hint, caller.accountId), Date.parse(since)))
          send({ type: 'stale', topic });
        return Promise.resolve(() => void watching.delete(one));
      },
    })),
    start() {
      // Messages of other processes during a break are missing: every returning reader fetches everything.
      const stops = [...all.flatMap(listen), bus.subscribe('bus.resumed', () => lately.forget(now()))];
      return () => stops.forEach((stop) => stop());
    },
  };
}

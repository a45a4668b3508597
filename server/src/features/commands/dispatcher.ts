import { commandOut } from '../../../../protocols/index.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { announceChanges, measureSteps, type StepMeter } from './changes.ts';
import { keepCounts } from './counts.store.ts';
import { createFlow } from './flow.ts';
import { claim, endCancelled, holdClaimed, leaseSeconds, markSent, nextFree, release, timeOut, type Claimed } from './queue.store.ts';
import type { CommandLimits } from './settings.ts';

export interface DispatcherParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly broker: Pick<Broker, 'publish' | 'problem'>;
  readonly log: Log;
  readonly limits: () => Promise<CommandLimits>;
  /** Told how long each item waited until it was sent. */
  readonly meter?: StepMeter;
}

export interface Dispatcher {
  /** Lets go what may go and sends it, soon. */
  wake(): void;
  /** Lets go what may go and sends what the gateways take now. */
  send(): Promise<void>;
  /** Ends what waited too long: unsent ones expire, unanswered and unproved ones time out. */
  endOverdue(): Promise<void>;
  /** Keeps what the commands came to that have ended. */
  keepCounts(): Promise<void>;
  start(): Stop;
}

/** Takes queued items from the table (so a restart loses none), the strongest first, publishes them at each gateway's pace, and watches their time. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, clock, bus, broker, log, limits } = parts;
  const flow = createFlow(parts);
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let paced: Stop | undefined;

  /** What is to be held back is held back before anything goes; what is queued goes while the next parts of large commands are let go. */
  async function send(): Promise<void> {
    for (let more = await flow.step(); ;) {
      const further = more;
      [more] = await Promise.all([further ? flow.step() : false, sendQueued()]);
      if (stopped || !further) return;
    }
  }

  async function sendQueued(): Promise<void> {
    let before = Promise.resolve(true);
    while (!stopped && broker.problem() === null) {
      const inForce = await limits();
      const now = clock.now();
      // The next step is taken while the one before is on its way.
      const [claimed, allTaken] = await Promise.all([claim(db, now, inForce), before]);
      before = sendStep(claimed, now, inForce.acknowledgeSeconds);
      if (claimed.length === 0) return waitForPace(now);
      // What the broker did not take is tried again with the next tick, not at once.
      if (!allTaken) break;
    }
    await before;
  }

  /** false: the broker did not take all of it. */
  async function sendStep(claimed: readonly Claimed[], now: Date, acknowledgeSeconds: number): Promise<boolean> {
    const of = (wanted: string) => claimed.filter(({ phase }) => phase === wanted);
    announceChanges(bus, [...await endCancelled(db, of('cancelled'), now), ...await holdClaimed(db, of('halted'), now)]);
    return publish(claimed.filter(({ phase }) => phase !== 'cancelled' && phase !== 'halted'), now, acknowledgeSeconds);
  }

  /** Comes again when the first gateway is free. */
  async function waitForPace(now: Date): Promise<void> {
    const at = await nextFree(db, now);
    paced?.();
    paced = at === null || stopped ? undefined : clock.after(Math.max(1, at.getTime() - now.getTime()), wake);
  }

  async function publish(items: readonly Claimed[], claimedAt: Date, acknowledgeSeconds: number): Promise<boolean> {
    if (items.length === 0) return true;
    const now = clock.now();
    // Whoever was held up so long does not send any more: others may, and it could have ended meanwhile.
    if (now.getTime() - claimedAt.getTime() > leaseSeconds * 500) return true;
    const answerBy = now.getTime() + acknowledgeSeconds * 1000;
    const results = await Promise.allSettled(items.map((item) => {
      const expiresAt = Math.min(answerBy, item.expiresAt?.getTime() ?? answerBy);
      const { topic, payload } = commandOut({ ...item, issuedAt: now.getTime(), expiresAt, until: item.until?.getTime() ?? null });
      return broker.publish(topic, payload, { expirySeconds: (expiresAt - now.getTime()) / 1000 });
    }));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) log.warn({ reason: reasonOf(failed.reason), ...whose(items.filter((_item, index) => results[index]?.status === 'rejected')) }, 'commands could not be handed to the broker; trying on');
    const sent = await markSent(db, items.filter((_item, index) => results[index]?.status === 'fulfilled'), now);
    measureSteps(parts.meter, sent);
    announceChanges(bus, sent);
    await release(db, items.filter((_item, index) => results[index]?.status === 'rejected'));
    return failed === undefined;
  }

  function wake(): void {
    again = true;
    running ??= (async () => {
      try {
        while (again && !stopped) {
          again = false;
          await send();
        }
      } catch (thrown) {
        log.warn({ reason: reasonOf(thrown) }, 'queued commands could not be sent; trying on');
      } finally {
        running = undefined;
      }
    })();
  }

  async function endOverdue(): Promise<void> {
    announceChanges(bus, await timeOut(db, clock.now(), await limits()));
  }

  /** One line for each command that has ended, by the process that found it. */
  const keep = () => keepCounts(db, (ended) => log.info(ended, 'a command has ended'));

  return {
    wake, send, endOverdue,
    keepCounts: keep,
    start() {
      const stops = [clock.every(1000, wake), clock.every(1000, endOverdue), clock.every(60_000, keep)];
      wake();
      return () => {
        stopped = true;
        paced?.();
        stops.forEach((stop) => stop());
      };
    },
  };
}

const namedInLog = 10;
/** Which commands and devices a line is about; of many the first ones, and how many there are. */
function whose(items: readonly Claimed[]): { count: number; commandIds: number[]; deviceIds: number[] } {
  return { count: items.length, commandIds: [...new Set(items.map(({ commandId }) => commandId))].slice(0, namedInLog), deviceIds: items.slice(0, namedInLog).map(({ deviceId }) => deviceId) };
}

import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import type { DeviceLink, NotSent } from '../../wires/link/index.ts';
import { claimUnanswered, markRepeated } from './again.store.ts';
import { announceChanges, measureSteps, type StepMeter } from './changes.ts';
import { keepCounts } from './counts.store.ts';
import { createFlow } from './flow.ts';
import { forgetHands, keyOf, leaseSeconds, letGo } from './hands.store.ts';
import {
  claim,
  endClaimed,
  holdClaimed,
  markSent,
  moveOn,
  nextFree,
  stepMs,
  timeOut,
  type Claimed,
} from './queue.store.ts';
import type { StepSizes } from './giving.rules.ts';
import type { CommandLimits } from './settings.ts';

export interface DispatcherParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly link: Pick<DeviceLink, 'send' | 'problem' | 'process'>;
  readonly log: Log;
  readonly limits: () => Promise<CommandLimits>;
  readonly steps?: StepSizes;
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

/**
 * Takes queued items from the table (so a restart loses none), the strongest first, publishes them at each gateway's
 * pace, and watches their time.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { db, clock, bus, link, log, limits } = parts;
  const flow = createFlow(parts);
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let paced: Stop | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = longestPauseMs;

  /**
   * What is to be held back is held back before anything goes, but for emergencies; what is queued goes while the next
   * parts of large commands are let go.
   */
  async function send(): Promise<void> {
    for (let more = await flow.step(() => sendQueued(strongest)); ;) {
      const further = more;
      [more] = await Promise.all([further ? flow.step() : false, sendQueued()]);
      if (stopped || !further) return;
    }
  }

  async function sendQueued(weakest?: number): Promise<void> {
    let before = Promise.resolve(idle);
    while (!stopped && link.problem() === null) {
      // The next step is taken while the one before is on its way. Both are awaited from their begin on: a failure that
      // nobody awaits ends the program.
      const [{ inForce, now, queued }, { allTaken, freed }] = await Promise.all([take(weakest), before]);
      // What the link did not take is tried again with the next tick, not at once.
      if (!allTaken) return void (await letGo(db, queued, now, true));
      const claimed = queued.length === 0 && weakest === undefined ? await claimAgain(now, inForce) : queued;
      before = sendStep(claimed, now, inForce.acknowledgeSeconds);
      if (claimed.length === 0 && !freed && !(await waitForPace(now))) return;
    }
    await before;
  }

  async function take(
    weakest: number | undefined,
  ): Promise<{ readonly inForce: CommandLimits; readonly now: Date; readonly queued: Claimed[] }> {
    const inForce = await limits();
    const now = clock.now();
    return { inForce, now, queued: await claim(db, now, inForce, weakest, link.process) };
  }

  /**
   * What was not answered, when nothing is queued: looked for once a second, and as long as gateways are still owed
   * some, whenever these are free again.
   */
  async function claimAgain(now: Date, inForce: CommandLimits): Promise<Claimed[]> {
    if (Math.abs(now.getTime() - lookedAt) < pauseMs) return [];
    const claimed = await claimUnanswered(db, now, inForce, link.process);
    const owed = claimed.some(({ viaId }) => viaId !== null);
    if (owed || claimed.length === 0) [lookedAt, pauseMs] = [now.getTime(), owed ? stepMs : longestPauseMs];
    return claimed;
  }

  async function sendStep(claimed: readonly Claimed[], now: Date, acknowledgeSeconds: number): Promise<Step> {
    const {
      cancelled = [],
      halted = [],
      disabled = [],
      going = [],
    } = Object.groupBy(claimed, ({ phase, enabled }) =>
      phase === 'cancelled' || phase === 'halted' ? phase : enabled ? 'going' : 'disabled',
    );
    announceChanges(bus, [
      ...(await endClaimed(db, cancelled, now, { state: 'cancelled', error: null })),
      ...(await endClaimed(db, disabled, now, { state: 'failed', error: 'disabled' })),
      ...(await holdClaimed(db, halted, now)),
    ]);
    const freed = await letGo(db, [...cancelled, ...disabled, ...halted], now, true);
    const step = await publish(going, now, acknowledgeSeconds);
    return { ...step, freed: step.freed || freed };
  }

  /**
   * Comes again when the first gateway is free, for what is queued or for what it is still owed; true: there is more to
   * send at once.
   */
  async function waitForPace(now: Date): Promise<boolean> {
    const { at, gone } = await nextFree(db, now);
    if (gone.length > 0 && (await moveOn(db, gone))) return true;
    paced?.();
    const next = Math.min(
      at?.getTime() ?? Number.POSITIVE_INFINITY,
      pauseMs < longestPauseMs ? lookedAt + pauseMs : Number.POSITIVE_INFINITY,
    );
    paced = !Number.isFinite(next) || stopped ? undefined : clock.after(Math.max(1, next - now.getTime()), wake);
    return false;
  }

  async function publish(items: readonly Claimed[], claimedAt: Date, acknowledgeSeconds: number): Promise<Step> {
    if (items.length === 0) return idle;
    const now = clock.now();
    // Whoever was held up so long does not send any more: others may, and it could have ended meanwhile.
    if (now.getTime() - claimedAt.getTime() > leaseSeconds * 500) return idle;
    const { going = [], over = [] } = Object.groupBy(items, (item) =>
      Math.min(endOf(item, now, acknowledgeSeconds), item.until?.getTime() ?? Number.POSITIVE_INFINITY) > now.getTime()
        ? 'going'
        : 'over',
    );
    const results = await Promise.allSettled(
      going.map((item) => hand(item, now, endOf(item, now, acknowledgeSeconds))),
    );
    const failed = results.find((result) => result.status === 'rejected');
    const notSent = new Map(
      going.map((item, index) => {
        const result = results[index];
        return [item, result?.status === 'fulfilled' ? result.value : undefined] as const;
      }),
    );
    const {
      taken = [],
      refused = [],
      away = [],
      unsupported = [],
    } = Object.groupBy(going, (item, index) => {
      if (results[index]?.status !== 'fulfilled') return 'refused';
      const why = notSent.get(item);
      if (!why) return 'taken';
      return 'away' in why ? 'away' : 'unsupported';
    });
    if (failed)
      log.warn(
        { reason: reasonOf(failed.reason), ...whose(refused) },
        'commands could not be handed to the broker; trying on',
      );
    const errorOf = (item: Claimed): string | null => {
      const why = notSent.get(item);
      return why && 'unsupported' in why ? why.unsupported : null;
    };
    for (const [error, items] of Map.groupBy(unsupported, errorOf))
      announceChanges(bus, await endClaimed(db, items, now, { state: 'failed', error }));
    const sent = await markSent(
      db,
      taken.filter(({ sentAt }) => sentAt === null),
      now,
      claimedAt,
    );
    measureSteps(parts.meter, sent);
    announceChanges(bus, [
      ...sent,
      ...(await markRepeated(
        db,
        // What cannot be said any more is not owed at once again either.
        [...taken, ...unsupported].filter(({ sentAt }) => sentAt !== null),
      )),
    ]);
    const marked = new Set(sent.map(keyOf));
    const freed = [
      await letGo(
        db,
        taken.filter((item) => !marked.has(keyOf(item))),
        claimedAt,
        false,
      ),
      await letGo(db, [...refused, ...over, ...away, ...unsupported], claimedAt, true),
    ];
    return { allTaken: failed === undefined, freed: freed.includes(true) };
  }

  /** Gives one command to the link, with when it is over. */
  const hand = (item: Claimed, now: Date, expiresAt: number): Promise<NotSent | undefined> =>
    link.send({
      ...item,
      issuedAt: now.getTime(),
      expiresAt,
      until: item.until?.getTime() ?? null,
    });

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
  const keep = async () => {
    await forgetHands(db, clock.now());
    await keepCounts(db, (ended) => log.info(ended, 'a command has ended'));
  };

  return {
    wake,
    send,
    endOverdue,
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

/**
 * What became of one step: whether the way to the devices was open for all of it, and whether something waited for it
 * that may go now.
 */
interface Step {
  readonly allTaken: boolean;
  readonly freed: boolean;
}
const idle: Step = { allTaken: true, freed: false };
const strongest = 0;
const longestPauseMs = 1000;
/** When nobody executes it any more: after its command's end, and when its answer would not count any more. */
const endOf = ({ sentAt, expiresAt }: Claimed, now: Date, acknowledgeSeconds: number): number =>
  Math.min((sentAt ?? now).getTime() + acknowledgeSeconds * 1000, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);

const namedInLog = 10;
/** Which commands and devices a line is about; of many the first ones, and how many there are. */
function whose(items: readonly Claimed[]): { count: number; commandIds: number[]; deviceIds: number[] } {
  return {
    count: items.length,
    commandIds: [...new Set(items.map(({ commandId }) => commandId))].slice(0, namedInLog),
    deviceIds: items.slice(0, namedInLog).map(({ deviceId }) => deviceId),
  };
}

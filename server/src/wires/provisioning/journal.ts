import { deviceOfAccount } from '../../../../protocols/wire.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { LinkEvent } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { speakerAt } from '../link/index.ts';
import { Buckets } from './buckets.ts';
import { createRefusalBook } from './refusal-book.ts';
import { pruneEvents } from './refusal-book.store.ts';
import { clean } from './texts.ts';

const watchedMs = 10 * 60_000;
const pruneMs = 3_600_000;
const mostWaiting = 500;

interface Event {
  readonly deviceId: number;
  readonly kind: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly address: string | null;
}

/**
 * Writes down what happens on the lines of devices that somebody is connecting; of all others what they are refused.
 */
export function createJournal({
  db,
  bus,
  clock,
  log,
}: {
  readonly db: Db;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const watched = new Map<number, number>();
  const flow = new Buckets(30, 3);
  const book = createRefusalBook({ db, clock, log });
  let writing: Promise<void> = Promise.resolve();
  let waiting = 0;

  const isWatched = (deviceId: number, now: number): boolean => (watched.get(deviceId) ?? 0) > now;

  function note(event: Event): void {
    const at = clock.now();
    if (!isWatched(event.deviceId, at.getTime())) return book.note(event);
    if (waiting >= mostWaiting || !flow.take(String(event.deviceId), at.getTime())) return;
    waiting += 1;
    const { deviceId, kind, reason, detail, address } = event;
    writing = writing
      .then(async () => {
        await db.insertInto('link_event').values({ device_id: deviceId, at, kind, reason, detail, address }).execute();
        bus.publish('devices.changed', { ids: [deviceId] });
      })
      .catch((thrown: unknown) =>
        log.debug({ reason: reasonOf(thrown) }, 'what happened on a line could not be written down'),
      )
      .finally(() => {
        waiting -= 1;
      });
  }

  return {
    /** Told of everything on connections. The one who tries may have only one of the names right. */
    witness({ kind, username, clientId, address, reason, topic, before, bytes }: LinkEvent): void {
      const deviceId = deviceOfAccount(username) ?? deviceOfAccount(clientId);
      if (deviceId === undefined) return;
      // Why a line ended stands in the connection log.
      const told =
        kind === 'disconnected'
          ? null
          : kind === 'denied' && reason === 'unknownUser' && deviceOfAccount(username) === undefined
            ? 'wrongUsername'
            : (reason ?? null);
      const detail =
        topic ??
        (bytes === undefined ? undefined : `${bytes} bytes`) ??
        before ??
        (told === 'wrongUsername' ? username : told === 'wrongClientId' ? clientId : undefined);
      note({
        deviceId,
        kind,
        reason: told,
        detail: detail === undefined ? null : clean(detail, 120),
        address: address === '' ? null : address,
      });
    },
    /** Told of every message that was refused, and why. */
    refused(reason: string, { topic, detail }: { readonly topic: string; readonly detail?: string }): void {
      const to = speakerAt(topic);
      for (const deviceId of new Set([to?.deviceId, to?.viaId]))
        if (typeof deviceId === 'number')
          note({
            deviceId,
            kind: 'messageRefused',
            reason,
            detail: detail === undefined ? null : clean(detail),
            address: null,
          });
    },
    start(): Stop {
      const stops = [
        bus.subscribe('link.watched', ({ deviceId }) => {
          const now = clock.now().getTime();
          for (const [id, until] of watched) if (until <= now) watched.delete(id);
          watched.set(deviceId, now + watchedMs);
          void book.show(deviceId);
        }),
        clock.every(pruneMs, () => pruneEvents(db, clock.now())),
        book.start(),
      ];
      return () => stops.forEach((stop) => stop());
    },
    /** Everything told so far is written. */
    async settled(): Promise<void> {
      await writing;
      await book.settled();
    },
  };
}

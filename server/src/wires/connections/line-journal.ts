import { deviceOfAccount } from '../../../../protocols/wire.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import type { LinkEvent } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { writeDowns, writeMoments, writeUps } from './line-journal.store.ts';
import { lockLog, type ConnectionReason } from './outages.ts';

/** Something that happened on a device's line. */
export interface LineEvent {
  readonly deviceId: number;
  readonly at: Date;
  readonly what: 'up' | 'down' | 'refused' | 'takenOver';
  readonly reason: ConnectionReason | null;
  readonly address: string | null;
}

const flushMs = 500;
/** What waits to be written; whoever floods beyond it is only counted. */
const mostWaiting = 20_000;
const lineReasons: ReadonlySet<string> = new Set<ConnectionReason>([
  'network',
  'keepAlive',
  'signedOff',
  'revoked',
  'foreignTopic',
  'packetTooLarge',
]);
const refusalReasons: ReadonlySet<string> = new Set<ConnectionReason>([
  'wrongPassword',
  'wrongClientId',
  'foreignWill',
]);

/**
 * Writes down when lines of devices went and came, in bundles: a city that connects again at once is a few statements.
 */
export function createLineJournal({ db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log }) {
  let waiting: LineEvent[] = [];
  let dropped = 0;
  let writing: Promise<void> | undefined;

  function note(event: LineEvent): void {
    if (waiting.length >= mostWaiting) dropped += 1;
    else waiting.push(event);
  }

  /** Of each device one event after the other, of all devices together. */
  async function write(events: readonly LineEvent[]): Promise<void> {
    for (let left = events; left.length > 0;) {
      const seen = new Set<number>();
      const round: LineEvent[] = [];
      const later: LineEvent[] = [];
      for (const event of left) {
        (seen.has(event.deviceId) ? later : round).push(event);
        seen.add(event.deviceId);
      }
      const of = (...kinds: LineEvent['what'][]) =>
        round.filter(({ what }) => kinds.includes(what)).toSorted((a, b) => a.deviceId - b.deviceId);
      await db.transaction().execute(async (tx) => {
        await lockLog(tx);
        await writeUps(tx, of('up'));
        await writeDowns(tx, of('down'));
        await writeMoments(tx, of('refused', 'takenOver'));
      });
      left = later;
    }
  }

  function flush(): Promise<void> {
    if (writing) return writing;
    if (waiting.length === 0) return Promise.resolve();
    const events = waiting;
    waiting = [];
    if (dropped > 0) log.warn({ dropped }, 'more happened on the lines of devices than could be written down');
    dropped = 0;
    writing = write(events)
      .catch((thrown: unknown) =>
        log.warn({ reason: reasonOf(thrown) }, 'what happened on the lines of devices could not be written down'),
      )
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return {
    /** Told of everything on connections to the broker of this process. */
    witness({ kind, username, clientId, address, reason, before }: LinkEvent): void {
      const deviceId = deviceOfAccount(username) ?? deviceOfAccount(clientId);
      if (deviceId === undefined) return;
      const event = (what: LineEvent['what'], why: ConnectionReason | null, from = address) =>
        note({ deviceId, at: clock.now(), what, reason: why, address: from === '' ? null : from });
      if (kind === 'connected') event('up', null);
      else if (kind === 'takenOver') event('takenOver', 'takenOver', before ?? '');
      else if (kind === 'denied' && reason !== undefined && refusalReasons.has(reason))
        event('refused', reason as ConnectionReason);
      // The older one of two with the same name: the line of the device is up.
      else if (kind === 'disconnected' && reason !== 'takenOver')
        event('down', reason !== undefined && lineReasons.has(reason) ? (reason as ConnectionReason) : 'network');
    },
    /** Told what a device, or in its name a site's broker, says of its line. */
    status(deviceId: number, online: boolean, ofWill: boolean): void {
      note({
        deviceId,
        at: clock.now(),
        what: online ? 'up' : 'down',
        reason: online ? null : ofWill ? 'lastWill' : 'signedOff',
        address: null,
      });
    },
    start: (): Stop => clock.every(flushMs, flush),
    /** Everything told so far is written. */
    async settled(): Promise<void> {
      while (writing || waiting.length > 0) await flush();
    },
  };
}

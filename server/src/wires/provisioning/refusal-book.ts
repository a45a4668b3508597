import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log.ts';
import { reasonOf } from '../../platform/start-error.ts';
import { refusalKinds, writeRefusals, type Gathered } from './refusal-book.store.ts';

const flushMs = 2000;
/**
 * A device is written down again after so long at the earliest: what it is refused meanwhile waits, the same words as
 * one.
 */
const restMs = 30_000;
const mostDevices = 10_000;
const mostOfDevice = 20;
const devicesAtOnce = 500;

const kept: ReadonlySet<string> = new Set(refusalKinds);

/**
 * Keeps what devices are refused, whether somebody looks or not: gathered, so that a device that is refused all the
 * time costs two writes a minute.
 */
export function createRefusalBook({ db, clock, log }: { readonly db: Db; readonly clock: Clock; readonly log: Log }) {
  const gathered = new Map<number, Map<string, Gathered>>();
  const writtenAt = new Map<number, number>();
  let writing: Promise<void> | undefined;

  async function write(events: readonly Gathered[]): Promise<void> {
    await db
      .transaction()
      .execute((tx) => writeRefusals(tx, events))
      .catch((thrown: unknown) =>
        log.warn({ reason: reasonOf(thrown) }, 'what devices were refused could not be written down'),
      );
  }

  async function flush(due: (deviceId: number) => boolean): Promise<void> {
    while (writing) await writing;
    const taken: Gathered[] = [];
    const now = clock.now().getTime();
    let devices = 0;
    for (const [deviceId, events] of gathered) {
      if (!due(deviceId)) continue;
      if ((devices += 1) > devicesAtOnce) break;
      taken.push(...events.values());
      gathered.delete(deviceId);
      writtenAt.set(deviceId, now);
    }
    if (taken.length === 0) return;
    writing = write(taken).finally(() => {
      writing = undefined;
    });
    await writing;
  }

  return {
    /** Notes a refusal; events of other kinds are none. */
    note({ deviceId, kind, reason, detail, address }: Omit<Gathered, 'at' | 'times'>): void {
      if (!kept.has(kind)) return;
      const own = gathered.get(deviceId) ?? new Map<string, Gathered>();
      if (own.size === 0 && gathered.size >= mostDevices) return;
      const key = JSON.stringify([kind, reason, detail]);
      const before = own.get(key);
      // Again: it is the newest.
      own.delete(key);
      own.set(key, { deviceId, at: clock.now(), kind, reason, detail, address, times: (before?.times ?? 0) + 1 });
      const [oldest] = own.keys();
      if (own.size > mostOfDevice && oldest !== undefined) own.delete(oldest);
      gathered.set(deviceId, own);
    },
    /** Writes down now what waits of this device: somebody looks. */
    show: (deviceId: number): Promise<void> => flush((id) => id === deviceId),
    start: (): Stop =>
      clock.every(flushMs, async () => {
        const now = clock.now().getTime();
        for (const [id, at] of writtenAt) if (Math.abs(now - at) >= restMs) writtenAt.delete(id);
        await flush((id) => !writtenAt.has(id));
      }),
    /** Everything told so far is written. */
    async settled(): Promise<void> {
      while (writing || gathered.size > 0) await flush(() => true);
    },
  };
}

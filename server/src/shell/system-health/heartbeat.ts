import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { reasonOf } from '../../platform/start-error.ts';
import type { ProcessFigures } from './facts.ts';
import { forgetLost, forgetProcess, tellProcess, type ProcessIdentity } from './system-health.store.ts';

/** What the path of readings says of itself. */
export interface IngestCounts {
  readonly messages: number;
  readonly readings: number;
  readonly waiting: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly lastMessageAt?: number | null;
  readonly slowed?: readonly number[];
  readonly examples?: ProcessFigures['ingest']['examples'];
}

/** The parts a process is asked about. */
export interface Watched {
  readonly pool: pg.Pool;
  readonly usage: Database['usage'];
  readonly broker: Pick<Broker, 'kind' | 'stats' | 'problem' | 'limits'>;
  readonly ingest: () => IngestCounts;
  readonly live: () => { readonly readers: number; readonly dropped: number };
  readonly jobs: Jobs;
  readonly leases: () => readonly string[];
  /**
   * The longest way of a message into the database, and the longest wait of the event loop, since each was asked last;
   * milliseconds.
   */
  readonly longestCommitMs: () => number;
  readonly longestDelayMs: () => number;
  /** Folders whose file systems may run full. */
  readonly folders: Readonly<Partial<Record<'data' | 'files', string>>>;
  /** The certificate of TLS_CERT. */
  readonly certificate: Buffer | null;
}

export interface HeartbeatParts extends Watched {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly identity: ProcessIdentity;
}

interface Counts {
  at: number;
  messages: number;
  readings: number;
  dropped: number;
  refused: Readonly<Record<string, number>>;
  turnedAway: Readonly<Record<string, number>>;
  cpuMs: number;
}

const beatMs = 5000;
const minuteMs = 60_000;
const mostSlowed = 100;

/** Writes down every five seconds how this process is doing, for every process to read. */
export function createHeartbeat(parts: HeartbeatParts) {
  const { db, clock, log, identity } = parts;
  const minute: Counts[] = [];
  const certificateEndsAt = parts.certificate ? endOf(parts.certificate) : null;
  // Each peak is kept for a minute, so that no reader of the figures misses it.
  const peaks: { at: number; commitMs: number; loopMs: number }[] = [];
  let failed = false;

  async function figures(): Promise<ProcessFigures> {
    const counts = countsOf(parts);
    const begun = minute[0] ?? counts;
    const last = minute.at(-1) ?? counts;
    minute.push(counts);
    peaks.push({ at: counts.at, commitMs: parts.longestCommitMs(), loopMs: parts.longestDelayMs() });
    for (const list of [minute, peaks]) while (list[0] && counts.at - list[0].at > minuteMs) list.shift();
    const ingest = parts.ingest();
    const mqtt = parts.broker.stats();
    const { keeps, packetBytes } = parts.broker.limits();
    const databaseMs = await latency(parts.pool);
    const { connections: databaseConnections, waiting: databaseWaiting } = parts.usage();
    return {
      at: counts.at,
      memoryBytes: process.memoryUsage.rss(),
      memoryLimitBytes: memoryLimit(),
      cpuPercent: percentOf(counts, last),
      eventLoopMs: Math.max(...peaks.map(({ loopMs }) => loopMs)),
      databaseConnections,
      databaseWaiting,
      databaseMs,
      broker: {
        kind: parts.broker.kind,
        problem: parts.broker.problem(),
        connections: mqtt.connections,
        refused: mqtt.refused,
        keeps,
        packetBytes: Number.isFinite(packetBytes) ? packetBytes : null,
      },
      ingest: {
        refused: ingest.refused,
        waiting: ingest.waiting,
        longestCommitMs: Math.max(...peaks.map(({ commitMs }) => commitMs)),
        lastMessageAt: ingest.lastMessageAt ?? null,
        slowed: (ingest.slowed ?? []).slice(0, mostSlowed),
        examples: ingest.examples ?? [],
      },
      perMinute: {
        messages: counts.messages - begun.messages,
        readings: counts.readings - begun.readings,
        dropped: counts.dropped - begun.dropped,
        refused: growth(counts.refused, begun.refused),
        turnedAway: growth(counts.turnedAway, begun.turnedAway),
      },
      live: { readers: parts.live().readers },
      jobs: parts.jobs.states(),
      leases: parts.leases(),
      storage: await storage(parts.folders),
      certificateEndsAt,
    };
  }

  return {
    async beat(): Promise<void> {
      try {
        await tellProcess(db, identity, await figures());
        failed = false;
      } catch (thrown) {
        // The database is away: whoever reads this row sees that nothing is told. One line each time it begins.
        if (!failed) log.warn({ reason: reasonOf(thrown) }, 'this process cannot tell of itself');
        failed = true;
      }
    },
    /** Tells now and by the clock; returns how to stop, after which nothing stands here of this process. */
    async start(): Promise<() => Promise<void>> {
      await forgetLost(db, identity);
      await this.beat();
      let beating = Promise.resolve();
      const stops = [
        clock.every(beatMs, () => (beating = this.beat())),
        clock.every(minuteMs * 10, () => forgetLost(db, identity)),
      ];
      return async () => {
        stops.forEach((stop) => stop());
        await beating;
        await forgetProcess(db, identity.id).catch(() => undefined);
      };
    },
  };
}

function countsOf({ clock, ingest, broker, live }: HeartbeatParts): Counts {
  const { messages, readings, refused } = ingest();
  const { user, system } = process.cpuUsage();
  return {
    at: clock.now().getTime(),
    messages,
    readings,
    dropped: live().dropped,
    refused,
    turnedAway: broker.stats().refused,
    cpuMs: (user + system) / 1000,
  };
}

function growth(
  now: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(now)
      .map(([reason, count]): [string, number] => [reason, count - (before[reason] ?? 0)])
      .filter(([, count]) => count > 0),
  );
}

const percentOf = (now: Counts, before: Counts): number =>
  now.at > before.at ? Math.round(((now.cpuMs - before.cpuMs) / (now.at - before.at)) * 1000) / 10 : 0;

/** What a container allows, where there is one. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

async function latency(pool: pg.Pool): Promise<number> {
  const begin = performance.now();
  await pool.query('SELECT 1');
  return Math.round((performance.now() - begin) * 10) / 10;
}

async function storage(folders: Watched['folders']): Promise<ProcessFigures['storage']> {
  const found = await Promise.allSettled(
    Object.entries(folders).map(async ([place, folder]) => {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { place: place as 'data' | 'files', freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    }),
  );
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function endOf(certificate: Buffer): number | null {
  const end = Date.parse(new X509Certificate(certificate).validTo);
  return Number.isNaN(end) ? null : end;
}

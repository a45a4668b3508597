import type { ReplyOf } from '../../../../contract/route.ts';
import type { getSystemHealth, HealthState, HealthSubject } from '../../../../contract/shell/system-health.ts';
import type { Clock, Stop } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import type { ProcessFact, SlowFacts, SystemFacts } from './facts.ts';
import { isLost, judge, worst, type Judged } from './judge.ts';
import {
  lastChanges,
  loadSamples,
  loadSlow,
  loadSystem,
  noteChanges,
  recentChanges,
  writeSample,
  type Change,
  type SampleFigures,
} from './system-health.store.ts';
import { healthThresholds } from './thresholds.ts';

export interface SystemHealthParts {
  readonly db: Db;
  /** For those who ask; what is looked at by the clock takes its time. */
  readonly answering: Db;
  readonly clock: Clock;
  /** The row of this process. */
  readonly ownId: string;
}

/** The state of the system as other parts read it. */
export interface SystemFigures {
  readonly sizes: SlowFacts['sizes'];
  readonly oldestTransactionSeconds: number;
  readonly commands: SystemFacts['commands'];
  readonly tasks: SystemFacts['tasks'];
  readonly rollup: SystemFacts['rollup'];
  /** Of every process the file systems that may run full. */
  readonly disks: readonly {
    readonly process: string;
    readonly place: string;
    readonly freeBytes: number;
    readonly totalBytes: number;
  }[];
  readonly processes: number;
  readonly subjects: readonly { readonly subject: HealthSubject; readonly state: HealthState }[];
}

interface Examined {
  readonly at: number;
  readonly system: SystemFacts;
  readonly slow: SlowFacts;
  readonly judged: readonly Judged[];
  readonly changes: readonly Change[];
}

const freshMs = 5000;
const slowMs = 60_000;
const examineMs = 15_000;
const mostChanges = 30;
const mostRefused = 40;

export type SystemHealth = ReturnType<typeof createSystemHealth>;

/**
 * Looks at every subject, writes down when one is in another state than before, and answers for the page and for the
 * metrics.
 */
export function createSystemHealth({ db: beside, answering, clock, ownId }: SystemHealthParts) {
  let latest: Examined | undefined;
  let slow: { readonly at: number; readonly facts: SlowFacts } | undefined;
  let examining: Promise<Examined> | undefined;

  async function look(db: Db): Promise<Examined> {
    const at = clock.now().getTime();
    const system = await loadSystem(db);
    const slowed = living(system.processes).flatMap(({ figures }) => figures.ingest.slowed ?? []);
    if (!slow || Math.abs(at - slow.at) >= slowMs) slow = { at, facts: await loadSlow(db, slowed, new Date(at)) };
    const judged = judge({ system, slow: slow.facts, thresholds: healthThresholds });
    const before = new Map((await lastChanges(db)).map(({ subject, state }) => [subject, state]));
    if (judged.some(({ subject, state }) => before.get(subject) !== state)) await noteChanges(db, judged);
    latest = { at, system, slow: slow.facts, judged, changes: await lastChanges(db) };
    return latest;
  }

  /** At most five seconds old; who asks meanwhile shares the answer. */
  async function examined(db: Db): Promise<Examined> {
    if (latest && Math.abs(clock.now().getTime() - latest.at) < freshMs) return latest;
    examining ??= look(db).finally(() => {
      examining = undefined;
    });
    return examining;
  }

  return {
    async page(): Promise<ReplyOf<typeof getSystemHealth>> {
      const {
        at,
        system,
        slow: { sizes },
        judged,
        changes,
      } = await examined(answering);
      const [samples, recent] = await Promise.all([loadSamples(answering), recentChanges(answering, mostChanges)]);
      const since = new Map(changes.map((change) => [change.subject, change]));
      return {
        at: new Date(at).toISOString(),
        state: worst(judged.map(({ state }) => state)),
        subjects: judged.map((one) => ({
          ...one,
          findings: [...one.findings],
          since:
            since.get(one.subject)?.state === one.state ? (since.get(one.subject)?.at.toISOString() ?? null) : null,
        })),
        processes: system.processes.map((one) => processOf(one, ownId)),
        jobs: jobsOf(system.processes),
        refused: refusedOf(system.processes),
        samples: samples.map((sample) => ({ at: sample.at.toISOString(), ...sample.figures })),
        changes: recent.map((change) => ({ ...change, at: change.at.toISOString() })),
        sizes: [...sizes],
      };
    },

    /** Undefined when the database does not answer. */
    async figures(): Promise<SystemFigures | undefined> {
      const found = await examined(beside).catch(() => undefined);
      return (
        found && {
          sizes: found.slow.sizes,
          oldestTransactionSeconds: found.system.oldestTransaction.seconds,
          commands: found.system.commands,
          tasks: found.system.tasks,
          rollup: found.system.rollup,
          disks: living(found.system.processes).flatMap(({ name, figures }) =>
            figures.storage.map((disk) => ({ process: name, ...disk })),
          ),
          processes: living(found.system.processes).length,
          subjects: found.judged,
        }
      );
    },

    /** Changes are seen whether somebody looks or not; a few figures are kept every minute. */
    start(): Stop {
      const stops = [
        clock.every(examineMs, async () => void (await examined(beside))),
        clock.every(60_000, async () => writeSample(beside, sampleOf(await examined(beside)))),
      ];
      return () => stops.forEach((stop) => stop());
    },
  };
}

const living = (processes: readonly ProcessFact[]): readonly ProcessFact[] =>
  processes.filter((one) => !isLost(one, healthThresholds));

function sampleOf({ system, judged }: Examined): SampleFigures {
  const figure = (subject: HealthSubject, name: string): number | null => {
    const value = judged.find((one) => one.subject === subject)?.figures[name];
    return typeof value === 'number' ? value : null;
  };
  const alive = living(system.processes);
  return {
    readings: alive.length === 0 ? null : figure('ingestion', 'readings'),
    commitMs: figure('ingestion', 'commitMs'),
    databaseMs: figure('database', 'ms'),
    queued: figure('commands', 'queued'),
    cpuPercent: alive.length === 0 ? null : figure('processes', 'cpuPercent'),
    readers: figure('live', 'readers'),
    connections: figure('broker', 'connections'),
  };
}

function processOf(one: ProcessFact, ownId: string) {
  const lost = isLost(one, healthThresholds);
  const { memoryBytes, cpuPercent, eventLoopMs, databaseConnections, live, leases } = one.figures;
  return {
    id: one.id,
    name: one.name,
    pid: one.pid,
    version: one.version,
    startedAt: one.startedAt.toISOString(),
    seenAt: one.seenAt.toISOString(),
    lost,
    own: one.id === ownId,
    memoryBytes,
    cpuPercent,
    eventLoopMs,
    databaseConnections,
    liveReaders: live.readers,
    leases: lost ? [] : [...leases],
  };
}

function jobsOf(processes: readonly ProcessFact[]) {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return living(processes)
    .flatMap(({ name, figures }) =>
      figures.jobs.map((job) => ({
        name: job.name,
        process: name,
        everySeconds: job.everyMs / 1000,
        runs: job.runs,
        failures: job.failures,
        lastAt: time(job.lastAt),
        lastMs: job.lastMs === null ? null : Math.round(job.lastMs),
        nextAt: new Date(job.nextAt).toISOString(),
        error: job.error,
      })),
    )
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.process.localeCompare(b.process));
}

/** What was refused, by reason, of all processes together; what comes now first. */
function refusedOf(processes: readonly ProcessFact[]) {
  const found = new Map<
    string,
    {
      where: 'ingestion' | 'broker';
      reason: string;
      count: number;
      lastMinute: number;
      example: { at: string; topic: string; detail: string | null } | null;
    }
  >();
  for (const {
    figures: { ingest, broker, perMinute },
  } of living(processes)) {
    for (const [where, counts, recent] of [
      ['ingestion', ingest.refused, perMinute.refused],
      ['broker', broker.refused, perMinute.turnedAway],
    ] as const) {
      for (const [reason, count] of Object.entries(counts)) {
        const known = found.get(`${where} ${reason}`) ?? { where, reason, count: 0, lastMinute: 0, example: null };
        const example = where === 'ingestion' ? ingest.examples.find((one) => one.reason === reason) : undefined;
        const newer = example && (known.example === null || Date.parse(known.example.at) < example.at);
        found.set(`${where} ${reason}`, {
          ...known,
          count: known.count + count,
          lastMinute: known.lastMinute + (recent[reason] ?? 0),
          example: newer
            ? { at: new Date(example.at).toISOString(), topic: example.topic, detail: example.detail }
            : known.example,
        });
      }
    }
  }
  return [...found.values()].toSorted((a, b) => b.lastMinute - a.lastMinute || b.count - a.count).slice(0, mostRefused);
}

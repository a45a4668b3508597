import type { HealthFinding, HealthState, HealthSubject } from '../../../../contract/shell/system-health.ts';
import { mostSettingsBytes } from '../../../../protocols/wire.ts';
import type { JobState } from '../../platform/jobs.ts';
import type { ProcessFact, SlowFacts, SystemFacts, Trouble, TroubledDevice } from './facts.ts';
import type { HealthThresholds } from './thresholds.ts';

export interface Finding {
  readonly code: HealthFinding;
  readonly state: 'degraded' | 'failing';
  readonly values: Readonly<Record<string, string | number>>;
  readonly devices?: TroubledDevice[];
}
export interface Judged {
  readonly subject: HealthSubject;
  readonly state: HealthState;
  readonly findings: readonly Finding[];
  readonly figures: Readonly<Record<string, string | number | null>>;
}
export interface Facts {
  readonly system: SystemFacts;
  readonly slow: SlowFacts;
  readonly thresholds: HealthThresholds;
}

/**
 * How every subject is doing, of what the processes and the database say. Pure: the same facts give the same answer in
 * every process.
 */
export function judge(facts: Facts): Judged[] {
  const living = facts.system.processes.filter((one) => !isLost(one, facts.thresholds));
  const subjects: Record<HealthSubject, [(Finding | null)[], Judged['figures']]> = {
    database: database(facts, living),
    storage: storage(facts, living),
    broker: broker(facts, living),
    ingestion: ingestion(facts, living),
    history: history(facts, living),
    commands: commands(facts),
    live: live(facts, living),
    jobs: jobs(facts, living),
    tasks: tasks(facts),
    logs: logs(facts),
    processes: processes(facts, living),
    certificate: certificate(facts, living),
    plans: plans(facts),
  };
  return Object.entries(subjects).map(([subject, [found, figures]]) => {
    const findings = found.filter((finding) => finding !== null);
    const state =
      living.length === 0 && findings.length === 0 ? 'unknown' : worst(findings.map((finding) => finding.state));
    return { subject: subject as HealthSubject, state, findings, figures };
  });
}

const order: readonly HealthState[] = ['well', 'unknown', 'degraded', 'failing'];
/** The worst of several states; of none: well. */
export const worst = (states: readonly HealthState[]): HealthState =>
  order[Math.max(0, ...states.map((state) => order.indexOf(state)))] ?? 'well';

export const isLost = (one: ProcessFact, thresholds: HealthThresholds): boolean =>
  one.silentSeconds > thresholds.processSilentSeconds.degraded;

/** Now, by the clock of that process: those of several machines need not agree. */
const nowOf = ({ figures, silentSeconds }: ProcessFact): number => figures.at + silentSeconds * 1000;

const startingMs = 90_000;

type Limit = { readonly degraded: number; readonly failing: number };
/** A finding when a value has reached its limit. */
const above = (code: HealthFinding, value: number, limit: Limit, values: Finding['values']): Finding | null =>
  value >= limit.failing
    ? { code, state: 'failing', values: { limit: limit.degraded, ...values } }
    : value >= limit.degraded
      ? { code, state: 'degraded', values: { limit: limit.degraded, ...values } }
      : null;
const below = (code: HealthFinding, value: number, limit: Limit, values: Finding['values']): Finding | null =>
  value <= limit.failing
    ? { code, state: 'failing', values: { limit: limit.degraded, ...values } }
    : value <= limit.degraded
      ? { code, state: 'degraded', values: { limit: limit.degraded, ...values } }
      : null;

const most = (living: readonly ProcessFact[], of: (one: ProcessFact) => number): number =>
  Math.max(0, ...living.map(of));
const sum = (living: readonly ProcessFact[], of: (one: ProcessFact) => number): number =>
  living.reduce((total, one) => total + of(one), 0);
const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);
const round = (value: number, digits = 0): number => Math.round(value * 10 ** digits) / 10 ** digits;

function database(
  { system, slow, thresholds }: Facts,
  living: readonly ProcessFact[],
): [(Finding | null)[], Judged['figures']] {
  const ms = most(living, ({ figures }) => figures.databaseMs);
  const waiting = most(living, ({ figures }) => figures.databaseWaiting);
  const { used, allowed } = system.connections;
  const percent = allowed > 0 ? (used / allowed) * 100 : 0;
  const { seconds, who } = system.oldestTransaction;
  return [
    [
      above('databaseSlow', ms, thresholds.databaseMs, { ms: round(ms) }),
      above('databaseWaiting', waiting, thresholds.databaseWaiting, { count: waiting }),
      above('connectionsHigh', percent, thresholds.connectionsPercent, { used, allowed }),
      above('longTransaction', seconds, thresholds.transactionSeconds, { seconds: round(seconds), who }),
    ],
    {
      ms: living.length === 0 ? null : round(ms, 1),
      bytes: slow.sizes.reduce((all, { bytes }) => all + bytes, 0),
      used,
      allowed,
      oldestSeconds: round(seconds),
    },
  ];
}

function storage({ thresholds }: Facts, living: readonly ProcessFact[]): [(Finding | null)[], Judged['figures']] {
  const places = living.flatMap(({ name, figures }) => figures.storage.map((place) => ({ ...place, name })));
  const found = places.map(({ name, place, freeBytes, totalBytes }) => {
    const percent = (freeBytes / Math.max(1, totalBytes)) * 100;
    const values = { name, place, freeBytes, percent: round(percent, 1) };
    // On a small disk the share says more, on a large one the bytes: it is low when both are.
    const byShare = below('diskLow', percent, thresholds.diskFreePercent, values);
    const byBytes = below('diskLow', freeBytes, thresholds.diskFreeBytes, values);
    return byBytes?.state === 'failing'
      ? byBytes
      : byShare && byBytes
        ? byShare
        : percent <= thresholds.diskFreePercent.failing
          ? byShare
          : null;
  });
  const least = places.toSorted((a, b) => a.freeBytes - b.freeBytes)[0];
  return [found, { freeBytes: least?.freeBytes ?? null, totalBytes: least?.totalBytes ?? null }];
}

/** A finding that names devices, while there are any. */
function troubled(code: Trouble, { troubled: found }: SlowFacts): Finding | null {
  const { count, devices } = found[code];
  return count === 0 ? null : { code, state: 'degraded', values: { count }, devices: [...devices] };
}

function broker({ slow, thresholds }: Facts, living: readonly ProcessFact[]): [(Finding | null)[], Judged['figures']] {
  const down = living
    .filter(({ figures }) => figures.broker.problem !== null)
    .map(({ name, figures }): Finding => ({
      code: 'brokerDown',
      state: 'failing',
      values: { name, reason: figures.broker.problem ?? '' },
    }));
  const refused = sum(living, ({ figures }) => total(figures.perMinute.turnedAway));
  const kind = living[0]?.figures.broker.kind ?? null;
  const connections = living.flatMap(({ figures }) => figures.broker.connections ?? []);
  const smallest = Math.min(...living.map(({ figures }) => figures.broker.packetBytes ?? Number.POSITIVE_INFINITY));
  return [
    [
      ...down,
      above('connectionsRefused', refused, thresholds.connectionsRefused, { count: refused }),
      living.some(({ figures }) => figures.broker.keeps === false)
        ? { code: 'brokerKeepsNothing', state: 'degraded', values: {} }
        : null,
      smallest < mostSettingsBytes
        ? { code: 'brokerPacketsSmall', state: 'degraded', values: { bytes: smallest, needed: mostSettingsBytes } }
        : null,
      troubled('deviceSharesId', slow),
      troubled('reconnectStorm', slow),
    ],
    {
      // A broker of the site tells every process of all its clients.
      connections:
        connections.length === 0
          ? null
          : kind === 'external'
            ? Math.max(...connections)
            : connections.reduce((all, one) => all + one, 0),
      refused,
      kind,
    },
  ];
}

function ingestion(
  { slow, thresholds }: Facts,
  living: readonly ProcessFact[],
): [(Finding | null)[], Judged['figures']] {
  const ms = most(living, ({ figures }) => figures.ingest.longestCommitMs);
  const messages = sum(living, ({ figures }) => figures.perMinute.messages);
  const refused = sum(living, ({ figures }) => total(figures.perMinute.refused));
  const share = messages < 20 ? 0 : (refused / messages) * 100;
  const mistakes = sum(living, ({ figures }) => figures.perMinute.refused['internal'] ?? 0);
  const silences = living.map(
    (one) => (nowOf(one) - (one.figures.ingest.lastMessageAt ?? one.startedAt.getTime())) / 1000,
  );
  const silent = living.length === 0 || !slow.hasSpoken ? 0 : Math.min(...silences);
  return [
    [
      above('ingestionLate', ms, thresholds.commitMs, {
        seconds: round(ms / 1000, 1),
        waiting: sum(living, ({ figures }) => figures.ingest.waiting),
      }),
      above('messagesRefused', share, thresholds.messagesRefusedPercent, { count: refused, percent: round(share, 1) }),
      troubled('clocksWrong', slow),
      troubled('devicesSlowed', slow),
      troubled('messagesTooLarge', slow),
      above('mistakes', mistakes, thresholds.mistakes, { count: mistakes }),
      above('nothingComes', silent, thresholds.silentSeconds, { seconds: round(silent) }),
    ],
    {
      messages,
      readings: sum(living, ({ figures }) => figures.perMinute.readings),
      commitMs: living.length === 0 ? null : round(ms),
      waiting: sum(living, ({ figures }) => figures.ingest.waiting),
      refused,
      clocksWrong: slow.troubled.clocksWrong.count,
    },
  ];
}

function history(
  {
    system: {
      rollup: { due, behindSeconds },
    },
    thresholds,
  }: Facts,
  living: readonly ProcessFact[],
): [(Finding | null)[], Judged['figures']] {
  const behind = behindSeconds ?? 0;
  // What stood still catches up first: nobody who runs for a minute is an hour late.
  const running = most(living, (one) => (nowOf(one) - one.startedAt.getTime()) / 1000);
  return [
    [
      above('rollupsBehind', Math.min(behind, running), thresholds.rollupBehindSeconds, { seconds: round(behind) }),
      above('rollupsDue', due, thresholds.rollupsDue, { count: due }),
    ],
    { behindSeconds: behindSeconds === null ? null : round(behind), due },
  ];
}

function commands({ system, slow, thresholds }: Facts): [(Finding | null)[], Judged['figures']] {
  const count = (state: string) =>
    system.commands.filter((one) => one.state === state).reduce((all, one) => all + one.count, 0);
  const seconds = system.oldestQueuedSeconds ?? 0;
  const { sent, unanswered } = slow.answers;
  const share = sent < 20 ? 0 : (unanswered / sent) * 100;
  return [
    [
      above('commandsQueued', seconds, thresholds.queuedSeconds, { count: count('queued'), seconds: round(seconds) }),
      above('commandsUnanswered', share, thresholds.unansweredPercent, { count: unanswered, percent: round(share, 1) }),
      slow.darkeningUnbounded ? { code: 'darkeningUnbounded', state: 'degraded', values: {} } : null,
    ],
    {
      queued: count('queued'),
      waiting: count('waiting'),
      under: count('sent') + count('acknowledged'),
      oldestSeconds: system.oldestQueuedSeconds === null ? null : round(seconds),
      sent,
      unanswered,
    },
  ];
}

function live({ thresholds }: Facts, living: readonly ProcessFact[]): [(Finding | null)[], Judged['figures']] {
  const dropped = sum(living, ({ figures }) => figures.perMinute.dropped);
  return [
    [above('readersSlow', dropped, thresholds.readersSlow, { count: dropped })],
    { readers: sum(living, ({ figures }) => figures.live.readers), dropped },
  ];
}

function jobs({ thresholds }: Facts, living: readonly ProcessFact[]): [(Finding | null)[], Judged['figures']] {
  const all = living.flatMap((one) => one.figures.jobs.map((job) => ({ ...job, process: one.name, now: nowOf(one) })));
  const failed = all.filter(({ error }) => error !== null);
  const late = all.flatMap((job) => lateJob(job, thresholds) ?? []);
  return [
    [
      ...failed.map(({ name, process, error }): Finding => ({
        code: 'jobFailed',
        state: 'degraded',
        values: { job: name, name: process, reason: error ?? '' },
      })),
      ...late,
    ],
    { jobs: all.length, failed: failed.length, late: late.length },
  ];
}

/** A run that is under way counts from its beginning: one that hangs is late as well. */
function lateJob(
  job: JobState & { readonly process: string; readonly now: number },
  { jobPeriods }: HealthThresholds,
): Finding | null {
  const allowed = (periods: number) => Math.max(60_000, job.everyMs * periods);
  const late = job.now - (job.runningSince ?? job.nextAt);
  if (late < allowed(jobPeriods.degraded)) return null;
  return {
    code: 'jobLate',
    state: late >= allowed(jobPeriods.failing) ? 'failing' : 'degraded',
    values: { job: job.name, name: job.process, seconds: round(late / 1000) },
  };
}

function tasks({ system, thresholds }: Facts): [(Finding | null)[], Judged['figures']] {
  const of = (state: string) => system.tasks.find((one) => one.state === state);
  const waiting = of('queued');
  return [
    [
      waiting
        ? above('tasksWaiting', waiting.oldestSeconds, thresholds.taskWaitingSeconds, {
            count: waiting.count,
            seconds: round(waiting.oldestSeconds),
          })
        : null,
    ],
    { waiting: waiting?.count ?? 0, running: of('running')?.count ?? 0 },
  ];
}

function logs({ system, thresholds }: Facts): [(Finding | null)[], Judged['figures']] {
  const seconds = system.unsealedSeconds ?? 0;
  return [
    [above('sealsLate', seconds, thresholds.unsealedSeconds, { seconds: round(seconds) })],
    { unsealedSeconds: system.unsealedSeconds === null ? null : round(seconds) },
  ];
}

function processes(
  { system, thresholds }: Facts,
  living: readonly ProcessFact[],
): [(Finding | null)[], Judged['figures']] {
  const lost = system.processes.filter((one) => isLost(one, thresholds));
  const versions = [...new Set(living.map(({ version }) => version))];
  return [
    [
      ...lost.map(({ name, silentSeconds }): Finding => ({
        code: 'processLost',
        state: 'degraded',
        values: { name, seconds: round(silentSeconds) },
      })),
      versions.length > 1
        ? { code: 'versionsDiffer', state: 'degraded', values: { versions: versions.join(', ') } }
        : null,
      // Whoever has just started had much to read.
      ...living.map((one) =>
        nowOf(one) - one.startedAt.getTime() < startingMs
          ? null
          : above('loopSlow', one.figures.eventLoopMs, thresholds.eventLoopMs, {
              name: one.name,
              ms: one.figures.eventLoopMs,
            }),
      ),
      ...living.map(({ name, figures }) => {
        const percent = (figures.memoryBytes / Math.max(1, figures.memoryLimitBytes)) * 100;
        return above('memoryHigh', percent, thresholds.memoryPercent, {
          name,
          bytes: figures.memoryBytes,
          percent: round(percent),
        });
      }),
    ],
    {
      running: living.length,
      lost: lost.length,
      cpuPercent: round(
        sum(living, ({ figures }) => figures.cpuPercent),
        1,
      ),
      memoryBytes: sum(living, ({ figures }) => figures.memoryBytes),
    },
  ];
}

function certificate({ thresholds }: Facts, living: readonly ProcessFact[]): [(Finding | null)[], Judged['figures']] {
  const [first] = living
    .flatMap((one) =>
      one.figures.certificateEndsAt === null ? [] : [{ end: one.figures.certificateEndsAt, now: nowOf(one) }],
    )
    .toSorted((a, b) => a.end - b.end);
  if (!first) return [[], { endsAt: null, days: null }];
  const { end, now } = first;
  const days = Math.floor((end - now) / 86_400_000);
  const values = { days, date: new Date(end).toISOString().slice(0, 10) };
  return [
    [
      end <= now
        ? { code: 'certificateEnded', state: 'failing', values }
        : below('certificateEnds', days, thresholds.certificateDays, values),
    ],
    { endsAt: new Date(end).toISOString(), days },
  ];
}

/** A finding a country: rules about its holidays never hold in that year. */
function plans({ slow: { holidaysUnknown } }: Facts): [(Finding | null)[], Judged['figures']] {
  return [
    holidaysUnknown.map(({ country, year }): Finding => ({
      code: 'holidaysUnknown',
      state: 'degraded',
      values: { country, calendarYear: String(year) },
    })),
    {},
  ];
}

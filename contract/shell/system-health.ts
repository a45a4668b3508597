import { Type } from 'typebox';
import { Id, Nullable, Timestamp, route } from '../route.ts';

/**
 * The health of the system: what is well, degraded or failing, since when, and what to do. Every process reports to the
 * database.
 */

export const healthStates = ['well', 'degraded', 'failing', 'unknown'] as const;
export type HealthState = (typeof healthStates)[number];

export const healthSubjects = [
  'database',
  'storage',
  'broker',
  'ingestion',
  'history',
  'commands',
  'live',
  'jobs',
  'tasks',
  'logs',
  'processes',
  'certificate',
  'plans',
] as const;
export type HealthSubject = (typeof healthSubjects)[number];

/** Findings. Each has a text that names it and one with the remedy, both filled with the finding's values. */
export const healthFindings = [
  'databaseSlow',
  'databaseWaiting',
  'connectionsHigh',
  'longTransaction',
  'diskLow',
  'brokerDown',
  'brokerKeepsNothing',
  'brokerPacketsSmall',
  'connectionsRefused',
  'deviceSharesId',
  'reconnectStorm',
  'ingestionLate',
  'messagesRefused',
  'clocksWrong',
  'devicesSlowed',
  'messagesTooLarge',
  'nothingComes',
  'mistakes',
  'rollupsBehind',
  'rollupsDue',
  'commandsQueued',
  'commandsUnanswered',
  'darkeningUnbounded',
  'readersSlow',
  'jobFailed',
  'jobLate',
  'tasksWaiting',
  'sealsLate',
  'processLost',
  'versionsDiffer',
  'loopSlow',
  'memoryHigh',
  'certificateEnds',
  'certificateEnded',
  'holidaysUnknown',
] as const;
export type HealthFinding = (typeof healthFindings)[number];

const State = Type.Enum(healthStates);
const Value = Type.Union([Type.String(), Type.Number()]);
const Finding = Type.Object({
  code: Type.Enum(healthFindings),
  state: State,
  /** Values for its texts: amounts, limits, names. */
  values: Type.Record(Type.String(), Value),
  /** Only for findings about devices: the first of them. The value `count` is their number. */
  devices: Type.Optional(Type.Array(Type.Object({ id: Id, family: Type.String(), name: Type.String() }))),
});

const Subject = Type.Object({
  subject: Type.Enum(healthSubjects),
  state: State,
  /** When it was first found in this state; null: just now. */
  since: Nullable(Timestamp),
  findings: Type.Array(Finding),
  /** The main figures of the subject; null: not known. */
  figures: Type.Record(Type.String(), Nullable(Value)),
});

const Job = Type.Object({
  name: Type.String(),
  process: Type.String(),
  everySeconds: Type.Number(),
  runs: Type.Integer(),
  failures: Type.Integer(),
  lastAt: Nullable(Timestamp),
  lastMs: Nullable(Type.Integer()),
  nextAt: Timestamp,
  error: Nullable(Type.String()),
});

const Process = Type.Object({
  id: Type.String(),
  name: Type.String(),
  pid: Type.Integer(),
  version: Type.String(),
  startedAt: Timestamp,
  seenAt: Timestamp,
  /** Its report is overdue: the process was killed, or its machine is gone. */
  lost: Type.Boolean(),
  /** The process that answers. */
  own: Type.Boolean(),
  memoryBytes: Type.Integer(),
  cpuPercent: Type.Number(),
  eventLoopMs: Type.Integer(),
  databaseConnections: Type.Integer(),
  liveReaders: Type.Integer(),
  /** Leases that it holds: work that one process does at a time. */
  leases: Type.Array(Type.String()),
});

const Refused = Type.Object({
  /** `ingestion`: messages; `broker`: connections and packets. */
  where: Type.Enum(['ingestion', 'broker']),
  reason: Type.String(),
  count: Type.Integer(),
  lastMinute: Type.Integer(),
  /** The latest stored example. */
  example: Nullable(Type.Object({ at: Timestamp, topic: Type.String(), detail: Nullable(Type.String()) })),
});

const Sample = Type.Object({
  at: Timestamp,
  readings: Nullable(Type.Number()),
  commitMs: Nullable(Type.Number()),
  databaseMs: Nullable(Type.Number()),
  queued: Nullable(Type.Number()),
  cpuPercent: Nullable(Type.Number()),
  readers: Nullable(Type.Number()),
  connections: Nullable(Type.Number()),
});

export const getSystemHealth = route({
  method: 'GET',
  path: '/api/v1/system-health',
  tag: 'system health',
  access: 'system.health',
  summary: 'What is well, degraded or failing, since when, with the numbers of every process and of the last hour.',
  reply: Type.Object({
    at: Timestamp,
    state: State,
    subjects: Type.Array(Subject),
    processes: Type.Array(Process),
    jobs: Type.Array(Job),
    refused: Type.Array(Refused),
    /** One a minute, oldest first. */
    samples: Type.Array(Sample),
    /** The latest changes of state, newest first. */
    changes: Type.Array(Type.Object({ at: Timestamp, subject: Type.Enum(healthSubjects), state: State })),
    /** Bytes by group of tables, indexes included. */
    sizes: Type.Array(Type.Object({ group: Type.String(), bytes: Type.Integer() })),
  }),
});

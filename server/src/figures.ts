import type { Database } from './platform/db/index.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Live } from './platform/live/index.ts';
import { briefSeconds, longSeconds, metricsFrom, type MetricSource, type Registry } from './platform/metrics/index.ts';

/** What is observed while it happens: handed to the parts that see it. */
export function createMeters(registry: Registry) {
  const commit = registry.histogram(
    'lampyris_ingest_commit_seconds',
    'From the arrival of a message to its commit.',
    briefSeconds,
  );
  const age = registry.histogram(
    'lampyris_ingest_age_seconds',
    'From the device time of a message, its clock corrected, to its arrival.',
    longSeconds,
  );
  const http = registry.histogram(
    'lampyris_http_request_seconds',
    'Time of HTTP requests by class of route.',
    briefSeconds,
    ['class', 'status'],
  );
  const command = registry.histogram(
    'lampyris_command_step_seconds',
    'From one state of a command to the next, by lane: queued to sent, sent to acknowledged, acknowledged to confirmed.',
    longSeconds,
    ['step', 'lane'],
  );
  const planned = registry.histogram(
    'lampyris_plan_switch_delay_seconds',
    'From a planned step, by the clock of the lamp, to the first reading that shows it.',
    longSeconds,
  );
  const recent = { longestCommitMs: 0 };
  return {
    ingest: {
      committed(milliseconds: number) {
        commit.observe(milliseconds / 1000);
        recent.longestCommitMs = Math.max(recent.longestCommitMs, milliseconds);
      },
      aged: (milliseconds: number) => age.observe(Math.max(0, milliseconds) / 1000),
    },
    served: (route: { readonly class: string; readonly status: number; readonly milliseconds: number }) =>
      http.observe(route.milliseconds / 1000, { class: route.class, status: `${Math.floor(route.status / 100)}xx` }),
    command: (step: 'sent' | 'acknowledged' | 'confirmed', lane: string, milliseconds: number) =>
      command.observe(Math.max(0, milliseconds) / 1000, { step, lane }),
    planned: (milliseconds: number) => planned.observe(Math.max(0, milliseconds) / 1000),
    /** The longest way of a message into the database since this was asked last, milliseconds. */
    longestCommitMs() {
      const { longestCommitMs } = recent;
      recent.longestCommitMs = 0;
      return longestCommitMs;
    },
  };
}

/** What the floor counts: connections to the database and work by the clock. */
export const floorMetrics = ({
  database,
  jobs,
}: {
  readonly database: Database['usage'];
  readonly jobs: Pick<Jobs, 'states'>;
}): readonly MetricSource[] => [
  metricsFrom(database, [
    {
      name: 'lampyris_database_connections',
      help: 'Database connections of this process.',
      type: 'gauge',
      value: ({ connections }) => connections,
    },
    {
      name: 'lampyris_database_waiting',
      help: 'Queries waiting for a database connection.',
      type: 'gauge',
      value: ({ waiting }) => waiting,
    },
  ]),
  metricsFrom(
    () => jobs.states(),
    [
      {
        name: 'lampyris_job_runs_total',
        help: 'Runs of background work.',
        type: 'counter',
        labels: ['job'],
        value: (states) => states.map(({ name, runs }) => [runs, { job: name }]),
      },
      {
        name: 'lampyris_job_failures_total',
        help: 'Runs of background work that failed.',
        type: 'counter',
        labels: ['job'],
        value: (states) => states.map(({ name, failures }) => [failures, { job: name }]),
      },
      {
        name: 'lampyris_job_last_run_timestamp_seconds',
        help: 'When background work last ended a run.',
        type: 'gauge',
        labels: ['job'],
        value: (states) =>
          states.flatMap(({ name, lastAt }) => (lastAt === null ? [] : [[lastAt / 1000, { job: name }] as const])),
      },
    ],
  ),
];

/** What the live line counts. */
export const liveMetrics = (live: Pick<Live, 'stats'>): MetricSource =>
  metricsFrom(
    () => live.stats(),
    [
      {
        name: 'lampyris_live_sockets',
        help: 'Open live connections of consoles.',
        type: 'gauge',
        value: ({ readers }) => readers,
      },
      {
        name: 'lampyris_live_waiting',
        help: 'Live connections that have not said hello yet.',
        type: 'gauge',
        value: ({ waiting }) => waiting,
      },
      {
        name: 'lampyris_live_dropped_total',
        help: 'Messages that slow readers did not get: they were told to fetch again.',
        type: 'counter',
        value: ({ dropped }) => dropped,
      },
    ],
  );

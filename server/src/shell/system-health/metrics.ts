import { commandLanes } from '../../../../contract/light/commands.ts';
import { openStates } from '../../light/commands/index.ts';
import { metricsFrom, type Metric, type MetricSource, type Values } from '../../platform/metrics/index.ts';
import type { SystemFigures } from './system-health.service.ts';

const grades = ['well', 'degraded', 'failing'];

/** A metric of which nothing is known while the database does not answer. */
const known = (
  metric: Omit<Metric<unknown>, 'type' | 'value'>,
  value: (found: SystemFigures) => Values,
): Metric<SystemFigures | undefined> => ({
  ...metric,
  type: 'gauge',
  value: (found) => (found ? value(found) : null),
});

/**
 * What only the database knows, at most some seconds old: the same numbers from every process. Undefined: it does not
 * answer.
 */
export const systemMetrics = (system: () => Promise<SystemFigures | undefined>): MetricSource =>
  metricsFrom(system, [
    {
      name: 'lampyris_database_up',
      help: '1 while the database answers.',
      type: 'gauge',
      value: (found) => (found ? 1 : 0),
    },
    known(
      {
        name: 'lampyris_database_bytes',
        help: 'Size of the database by group of tables, indexes included.',
        labels: ['group'],
      },
      ({ sizes }) => sizes.map(({ group, bytes }) => [bytes, { group }]),
    ),
    known(
      { name: 'lampyris_database_oldest_transaction_seconds', help: 'Age of the longest transaction.' },
      ({ oldestTransactionSeconds }) => oldestTransactionSeconds,
    ),
    known(
      {
        name: 'lampyris_commands_open',
        help: 'Commands that are not at their end, by lane and state.',
        labels: ['lane', 'state'],
      },
      // An empty queue is a number too: without it a curve would break off as if the program said nothing.
      ({ commands }) => [
        ...commandLanes.flatMap((lane) => openStates.map((state) => [0, { lane, state }] as const)),
        ...commands.map(({ lane, state, count }) => [count, { lane, state }] as const),
      ],
    ),
    known({ name: 'lampyris_tasks', help: 'Tasks that wait or run.', labels: ['state'] }, ({ tasks }) => [
      [0, { state: 'queued' }],
      [0, { state: 'running' }],
      ...tasks.map(({ state, count }) => [count, { state }] as const),
    ]),
    known(
      {
        name: 'lampyris_rollup_due',
        help: 'Hours of devices that are to be counted again because readings came late; of more than 100,000 that many.',
      },
      ({ rollup }) => rollup.due,
    ),
    known(
      {
        name: 'lampyris_rollup_behind_seconds',
        help: 'How late the oldest hour is that is over and not counted yet.',
      },
      ({ rollup: { behindSeconds } }) => (behindSeconds === null ? null : Math.round(behindSeconds)),
    ),
    known(
      {
        name: 'lampyris_disk_free_bytes',
        help: 'Free space of the file systems of the data and files folders.',
        labels: ['process', 'place'],
      },
      ({ disks }) => disks.map(({ process, place, freeBytes }) => [freeBytes, { process, place }]),
    ),
    known(
      { name: 'lampyris_disk_bytes', help: 'Size of these file systems.', labels: ['process', 'place'] },
      ({ disks }) => disks.map(({ process, place, totalBytes }) => [totalBytes, { process, place }]),
    ),
    known(
      { name: 'lampyris_processes', help: 'Server processes that told of themselves lately.' },
      ({ processes }) => processes,
    ),
    known(
      {
        name: 'lampyris_health',
        help: 'State of a subject of the system: 0 well, 1 degraded, 2 failing.',
        labels: ['subject'],
      },
      ({ subjects }) =>
        subjects.flatMap(({ subject, state }) =>
          state === 'unknown' ? [] : [[grades.indexOf(state), { subject }] as const],
        ),
    ),
  ]);

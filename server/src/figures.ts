import { commandLanes } from '../../contract/light/commands.ts';
import { openStates } from './light/commands/index.ts';
import type { Ingest } from './ingest/index.ts';
import type { Database } from './platform/db/index.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Live } from './platform/live/index.ts';
import { briefSeconds, longSeconds, type Counter, type Registry } from './platform/metrics/index.ts';
import type { Broker } from './platform/mqtt/index.ts';
import type { SystemFigures } from './shell/system-health/index.ts';

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
    /** The longest way of a message into the database since this was asked last, milliseconds. */
    longestCommitMs() {
      const { longestCommitMs } = recent;
      recent.longestCommitMs = 0;
      return longestCommitMs;
    },
  };
}

export interface Counted {
  readonly ingest: {
    stats(): Pick<
      ReturnType<Ingest['stats']>,
      'messages' | 'readings' | 'duplicates' | 'batches' | 'waiting' | 'refused' | 'slowed' | 'rests'
    >;
  };
  readonly broker: Pick<Broker, 'stats' | 'problem'>;
  readonly database: Database['usage'];
  readonly live: Pick<Live, 'stats'>;
  readonly jobs: Pick<Jobs, 'states'>;
  /** What the database tells of the whole system, at most some seconds old; undefined: it does not answer. */
  readonly system: () => Promise<SystemFigures | undefined>;
}

/** What /metrics gathers before each answer: what the parts count themselves, and what the database says. */
export function gatherFigures(registry: Registry, parts: Counted): void {
  gatherReadings(registry, parts);
  gatherWork(registry, parts);
  gatherSystem(registry, parts.system);
}

function gatherReadings(registry: Registry, { ingest, broker }: Counted): void {
  const messages = registry.counter('lampyris_ingest_messages_total', 'Messages from devices.');
  const readings = registry.counter('lampyris_ingest_readings_total', 'Readings committed.');
  const duplicates = registry.counter('lampyris_ingest_duplicates_total', 'Readings that were there already.');
  const batches = registry.counter('lampyris_ingest_batches_total', 'Transactions of readings.');
  const waiting = registry.gauge('lampyris_ingest_waiting', 'Messages waiting for their batch.');
  const refused = registry.counter('lampyris_ingest_refused_total', 'Messages refused, by reason.', ['reason']);
  const connections = registry.gauge(
    'lampyris_mqtt_connections',
    'Devices connected to the embedded broker; on a broker of the site what it says of all its clients, the program among them.',
  );
  const received = registry.counter('lampyris_mqtt_received_total', 'MQTT messages received.');
  const acknowledged = registry.counter('lampyris_mqtt_acknowledged_total', 'MQTT messages acknowledged.');
  const published = registry.counter('lampyris_mqtt_published_total', 'MQTT messages published to devices.');
  const slowed = registry.gauge(
    'lampyris_ingest_slowed_devices',
    'Devices that said more than their budget within the last five minutes and are read more slowly.',
  );
  const rests = registry.counter(
    'lampyris_ingest_rests_total',
    'How often the socket of such a device was not read on for a while.',
  );
  const turnedAway = registry.counter('lampyris_mqtt_refused_total', 'Connections and packets refused, by reason.', [
    'reason',
  ]);
  const usable = registry.gauge('lampyris_mqtt_up', '1 while the broker is usable.');
  registry.gather(() => {
    const read = ingest.stats();
    const mqtt = broker.stats();
    messages.set(read.messages);
    readings.set(read.readings);
    duplicates.set(read.duplicates);
    batches.set(read.batches);
    waiting.set(read.waiting);
    // There from the beginning: what first appears with its first mistake has not grown, and no rule would see it.
    slowed.set(read.slowed.length);
    rests.set(read.rests);
    byReason(refused, { internal: 0, storage: 0, ...read.refused });
    if (mqtt.connections !== null) connections.set(mqtt.connections);
    received.set(mqtt.received);
    acknowledged.set(mqtt.acknowledged);
    published.set(mqtt.published);
    byReason(turnedAway, mqtt.refused);
    usable.set(broker.problem() === null ? 1 : 0);
  });
}

function gatherWork(registry: Registry, { database, live, jobs }: Counted): void {
  const connections = registry.gauge('lampyris_database_connections', 'Database connections of this process.');
  const waiting = registry.gauge('lampyris_database_waiting', 'Queries waiting for a database connection.');
  const sockets = registry.gauge('lampyris_live_sockets', 'Open live connections of consoles.');
  const unknown = registry.gauge('lampyris_live_waiting', 'Live connections that have not said hello yet.');
  const dropped = registry.counter(
    'lampyris_live_dropped_total',
    'Messages that slow readers did not get: they were told to fetch again.',
  );
  const runs = registry.counter('lampyris_job_runs_total', 'Runs of background work.', ['job']);
  const failures = registry.counter('lampyris_job_failures_total', 'Runs of background work that failed.', ['job']);
  const last = registry.gauge('lampyris_job_last_run_timestamp_seconds', 'When background work last ended a run.', [
    'job',
  ]);
  registry.gather(() => {
    const used = database();
    connections.set(used.connections);
    waiting.set(used.waiting);
    const { readers, waiting: silent, dropped: lost } = live.stats();
    sockets.set(readers);
    unknown.set(silent);
    dropped.set(lost);
    for (const job of jobs.states()) {
      runs.set(job.runs, { job: job.name });
      failures.set(job.failures, { job: job.name });
      if (job.lastAt !== null) last.set(job.lastAt / 1000, { job: job.name });
    }
  });
}

/** What only the database knows: the same numbers from every process. */
function gatherSystem(registry: Registry, system: Counted['system']): void {
  const up = registry.gauge('lampyris_database_up', '1 while the database answers.');
  const bytes = registry.gauge(
    'lampyris_database_bytes',
    'Size of the database by group of tables, indexes included.',
    ['group'],
  );
  const oldest = registry.gauge('lampyris_database_oldest_transaction_seconds', 'Age of the longest transaction.');
  const commands = registry.gauge('lampyris_commands_open', 'Commands that are not at their end, by lane and state.', [
    'lane',
    'state',
  ]);
  const tasks = registry.gauge('lampyris_tasks', 'Tasks that wait or run.', ['state']);
  const due = registry.gauge(
    'lampyris_rollup_due',
    'Hours of devices that are to be counted again because readings came late; of more than 100,000 that many.',
  );
  const behind = registry.gauge(
    'lampyris_rollup_behind_seconds',
    'How late the oldest hour is that is over and not counted yet.',
  );
  const free = registry.gauge(
    'lampyris_disk_free_bytes',
    'Free space of the file systems of the data and files folders.',
    ['process', 'place'],
  );
  const room = registry.gauge('lampyris_disk_bytes', 'Size of these file systems.', ['process', 'place']);
  const processes = registry.gauge('lampyris_processes', 'Server processes that told of themselves lately.');
  const health = registry.gauge('lampyris_health', 'State of a subject of the system: 0 well, 1 degraded, 2 failing.', [
    'subject',
  ]);
  const all = [bytes, oldest, commands, tasks, due, behind, free, room, processes, health];
  registry.gather(async () => {
    const found = await system();
    up.set(found ? 1 : 0);
    for (const gauge of all) gauge.clear();
    if (!found) return;
    for (const group of found.sizes) bytes.set(group.bytes, { group: group.group });
    oldest.set(found.oldestTransactionSeconds);
    // An empty queue is a number too: without it a curve would break off, and nobody could tell that from a program
    // that says nothing.
    for (const lane of commandLanes) for (const state of openStates) commands.set(0, { lane, state });
    for (const { lane, state, count } of found.commands) commands.set(count, { lane, state });
    for (const state of ['queued', 'running']) tasks.set(0, { state });
    for (const { state, count } of found.tasks) tasks.set(count, { state });
    due.set(found.rollup.due);
    if (found.rollup.behindSeconds !== null) behind.set(Math.round(found.rollup.behindSeconds));
    for (const { process, place, freeBytes, totalBytes } of found.disks) {
      free.set(freeBytes, { process, place });
      room.set(totalBytes, { process, place });
    }
    processes.set(found.processes);
    for (const { subject, state } of found.subjects)
      if (state !== 'unknown') health.set(['well', 'degraded', 'failing'].indexOf(state), { subject });
  });
}

const byReason = (counter: Counter, counts: Readonly<Record<string, number>>): void => {
  for (const [reason, count] of Object.entries(counts)) counter.set(count, { reason });
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createMeters, floorMetrics, liveMetrics } from './figures.ts';
import { ingestMetrics } from './ingest/index.ts';
import { checkoutFolder } from './platform/db/index.ts';
import { createRegistry, watchProcess } from './platform/metrics/index.ts';
import { brokerMetrics } from './platform/mqtt/index.ts';
import { settingsMetrics } from './wires/device-settings/index.ts';
import { testDatabase } from './testing/database.ts';
import { givenArea, givenDevice } from './testing/devices.ts';
import { nightMetrics } from './light/nights/metrics.ts';
import { publicationMetrics } from './light/publications/index.ts';
import { systemMetrics } from './shell/system-health/index.ts';

const { db } = await testDatabase();
// Of two nights the last one counts: one lamp of fifty will probably not light.
await givenArea(db);
const lamp = await givenDevice(db);
await sql`INSERT INTO plan_night (work_area_id, day, rehearsal, listed_at, lit, unasked, report, reported_at, counts) VALUES
  (1, '2025-11-23', 'over', '2025-11-23T08:00Z', 9, 9, 'done', '2025-11-24T02:00Z', '{"ran": 9}'),
  (1, '2025-11-24', 'over', '2025-11-24T08:00Z', 50, 3, 'done', '2025-11-25T02:00Z', '{"ran": 42, "diverged": 8}')`.execute(
  db,
);
await sql`INSERT INTO plan_night_lamp (day, part, work_area_id, device_id, outcome, reason)
  VALUES ('2025-11-24', 'rehearsal', 1, ${lamp}, 'dark', 'away')`.execute(db);
const registry = createRegistry();
const watch = watchProcess(registry, { version: '1', node: 'v24' });
const meters = createMeters(registry);
for (const declare of [
  ingestMetrics({
    stats: () => ({
      messages: 5,
      readings: 4,
      duplicates: 0,
      batches: 1,
      waiting: 0,
      refused: { notJson: 1 },
      slowed: [7],
      rests: 3,
    }),
  }),
  brokerMetrics({
    stats: () => ({ connections: 2, received: 5, acknowledged: 5, published: 1, refused: {} }),
    problem: () => null,
  }),
  ...floorMetrics({
    database: () => ({ connections: 3, waiting: 0 }),
    jobs: {
      states: () => [
        {
          name: 'seals',
          everyMs: 1000,
          runs: 2,
          failures: 1,
          lastAt: 1000,
          lastMs: 1,
          nextAt: 2000,
          error: null,
          runningSince: null,
        },
      ],
    },
  }),
  liveMetrics({ stats: () => ({ readers: 1, waiting: 0, dropped: 0 }) }),
  settingsMetrics({ counts: { published: 6, retold: 1 } }),
  ...publicationMetrics(db, {
    counts: { told: 9, reported: 8, proven: 7, diverged: 1, away: 0 },
    proofs: { outcomes: { agreed: 7, missed: 2, unseen: 1 }, devices: { proven: 7, diverged: 1 } },
  }),
  ...nightMetrics(db, { workSeconds: { rehearsal: 1.5, report: 2 } }),
  systemMetrics(() =>
    Promise.resolve({
      sizes: [{ group: 'readings', bytes: 10 }],
      oldestTransactionSeconds: 0,
      commands: [{ lane: 'manual', state: 'queued', count: 3 }],
      tasks: [{ state: 'queued', count: 1, oldestSeconds: 1 }],
      rollup: { due: 7, behindSeconds: 12.4 },
      disks: [{ process: 'lamp-1:8080', place: 'data', freeBytes: 5, totalBytes: 9 }],
      processes: 1,
      subjects: [{ subject: 'database', state: 'degraded' }],
    }),
  ),
])
  declare(registry);
meters.ingest.committed(12);
meters.ingest.aged(300);
meters.command('sent', 'manual', 40);
meters.planned(4000);
meters.served({ class: 'devices', status: 200, milliseconds: 3 });
watch.stop();

/** Names with what a histogram adds to its own. */
const offered = new Set(registry.names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
const file = (name: string) => readFileSync(join(checkoutFolder, 'docs/ops', name), 'utf8');
const namedIn = (text: string) => [...new Set(text.match(/lampyris_[a-z_]+/g) ?? [])];

test('the figures that /metrics answers', async () => {
  const text = await registry.text();
  for (const line of [
    'lampyris_ingest_readings_total 4',
    'lampyris_ingest_refused_total{reason="notJson"} 1',
    'lampyris_mqtt_connections 2',
    'lampyris_database_bytes{group="readings"} 10',
    'lampyris_commands_open{lane="manual",state="queued"} 3',
    'lampyris_commands_open{lane="emergency",state="sent"} 0',
    'lampyris_tasks{state="queued"} 1',
    'lampyris_tasks{state="running"} 0',
    'lampyris_settings_published_total 6',
    'lampyris_publication_items_total{outcome="diverged"} 1',
    'lampyris_publications_open{phase="judging"} 0',
    'lampyris_plan_devices{state="proven"} 7',
    'lampyris_plan_devices{state="given"} 0',
    'lampyris_night_work_seconds_total{part="rehearsal"} 1.5',
    'lampyris_night_last_timestamp_seconds{part="report"} 1764036000',
    'lampyris_night_rehearsal_lamps{kind="lit"} 50',
    'lampyris_night_rehearsal_lamps{kind="dark"} 1',
    'lampyris_night_report_lamps{outcome="ran"} 42',
    'lampyris_night_report_lamps{outcome="silent"} 0',
    'lampyris_health{subject="database"} 1',
    'lampyris_rollup_due 7',
    'lampyris_rollup_behind_seconds 12',
    'lampyris_disk_free_bytes{process="lamp-1:8080",place="data"} 5',
    'lampyris_ingest_refused_total{reason="internal"} 0',
    'lampyris_job_failures_total{job="seals"} 1',
    'lampyris_ingest_commit_seconds_bucket{le="0.025"} 1',
    'lampyris_command_step_seconds_count{step="sent",lane="manual"} 1',
    'lampyris_http_request_seconds_count{class="devices",status="2xx"} 1',
  ])
    expect(text).toContain(`${line}\n`);
});

test('the example dashboard is valid, and every metric that it names exists', () => {
  const board = JSON.parse(file('grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(board.panels.length).toBeGreaterThan(10);
  for (const { title, targets } of board.panels)
    for (const { expr } of targets)
      for (const name of namedIn(expr)) expect(offered.has(name), `${title}: ${name}`).toBe(true);
});

test('every alert rule has an expression over metrics that exist, its severity and what it means', () => {
  const rules = file('alert-rules.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(rules.length).toBeGreaterThan(10);
  for (const rule of rules) {
    const expr = /^ {8}expr: '(.+)'$/m.exec(rule)?.[1] ?? '';
    expect(expr, rule).not.toBe('');
    expect((expr.match(/\(/g) ?? []).length, expr).toBe((expr.match(/\)/g) ?? []).length);
    for (const name of namedIn(expr)) expect(offered.has(name), name).toBe(true);
    expect(rule).toMatch(/^ {8}for: \d+m$/m);
    expect(rule).toMatch(/^ {10}severity: (critical|warning|info)$/m);
    expect(rule).toMatch(/^ {10}summary: '.+'$/m);
  }
});

test('every metric is told of in the operator’s handbook, and of every alert what to do', () => {
  const handbook = file('monitoring.md');
  expect(registry.names.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  const alerts = [...file('alert-rules.yml').matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name]) => name ?? '');
  const told = handbook.slice(handbook.indexOf('### What to do when an alert comes'), handbook.indexOf('## The log'));
  expect(alerts.filter((name) => !new RegExp(`\\b${name}\\b`).test(told))).toEqual([]);
  expect(
    [...told.matchAll(/Lampyris[A-Z]\w+/g)].map(([name]) => name).filter((name) => !alerts.includes(name)),
  ).toEqual([]);
});

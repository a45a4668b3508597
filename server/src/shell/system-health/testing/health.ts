import { sql } from 'kysely';
import { beforeEach } from 'vitest';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getSystemHealth } from '../../../../../contract/shell/system-health.ts';
import { testApp } from '../../../testing/app.ts';
import { createSystemHealth, systemHealthRoutes } from '../index.ts';
import type { ProcessFigures } from '../facts.ts';

type Page = ReplyOf<typeof getSystemHealth>;

/** The page of the system's health, and processes that tell of themselves. Call it at the top of a test file. */
export async function healthOffice() {
  let health!: ReturnType<typeof createSystemHealth>;
  const app = await testApp({
    routes: ({ db, clock }) => {
      health = createSystemHealth({ db, answering: db, clock, ownId: 'me' });
      return systemHealthRoutes(health);
    },
  });
  const { db, clock, log, database } = app;
  const page = async (): Promise<Page> => {
    // An answer is kept for five seconds.
    clock.set(new Date(clock.now().getTime() + 6000));
    return (await app.call<Page>('/api/v1/system-health')).body;
  };
  const subjectOf = (told: Page, name: Page['subjects'][number]['subject']) =>
    told.subjects.find(({ subject }) => subject === name);

  const good = (): ProcessFigures => ({
    at: clock.now().getTime(),
    memoryBytes: 2e8,
    memoryLimitBytes: 8e9,
    cpuPercent: 12.5,
    eventLoopMs: 20,
    databaseConnections: 3,
    databaseWaiting: 0,
    databaseMs: 1.2,
    broker: { kind: 'embedded', problem: null, connections: 40, refused: { badCredentials: 2 } },
    ingest: {
      refused: { notJson: 4 },
      waiting: 0,
      longestCommitMs: 12,
      lastMessageAt: clock.now().getTime(),
      examples: [
        { reason: 'notJson', at: clock.now().getTime(), topic: 'lampyris/v1/devices/9/readings', detail: 'no JSON' },
      ],
    },
    perMinute: { messages: 100, readings: 90, dropped: 0, refused: { notJson: 1 }, turnedAway: {} },
    live: { readers: 2 },
    jobs: [],
    leases: ['judging'],
    storage: [{ place: 'data', freeBytes: 5e11, totalBytes: 1e12 }],
    certificateEndsAt: null,
  });
  async function given(id: string, figures: ProcessFigures, { seconds = 0, version = '0.1.0' } = {}): Promise<void> {
    await sql`INSERT INTO server_process (id, name, pid, version, started_at, seen_at, figures)
    VALUES (${id}, ${`${id}:8080`}, 7, ${version}, ${clock.now()},
      clock_timestamp() - make_interval(secs => ${seconds}), ${JSON.stringify(figures)}::jsonb)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, figures = excluded.figures,
      version = excluded.version`.execute(db);
  }
  beforeEach(async () => {
    for (const table of ['server_process', 'health_change', 'health_sample'] as const)
      await db.deleteFrom(table).execute();
  });

  return { health, db, clock, log, database, page, subjectOf, good, given };
}

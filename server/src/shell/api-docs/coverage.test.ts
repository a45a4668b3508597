import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RouteShape } from '../../../../contract/route.ts';
import { startBus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { startScript } from '../../testing/child.ts';
import { testDatabase } from '../../testing/database.ts';
import { createSessions } from '../../people/sessions/index.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../../contract/*/*.ts', { eager: true });
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
const declared = Object.values(modules).flatMap((exports) => Object.values(exports).filter(isRoute));

const database = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-docs-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('the running product serves and describes every route of the contract', async () => {
  const server = startScript('server/src/main.ts', [], {
    env: { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0' },
  });
  const { address } = JSON.parse(await server.line(/"Lampyris is ready"/)) as { address: string };
  const log = createLog('warn');
  const bus = await startBus(database.connection, log);
  const sessions = createSessions({ db: database.db, clock: systemClock(() => undefined), bus });
  const token = await sessions.begin({ accountId: 1, remember: false, address: '127.0.0.1', userAgent: undefined });
  const { paths, tags } = (await (
    await fetch(`${address}/api/openapi.json`, { headers: { authorization: token } })
  ).json()) as {
    paths: Record<string, Record<string, { summary: string }>>;
    tags: { name: string; description?: string }[];
  };
  server.process.kill('SIGTERM');
  await bus.stop();
  await server.ended;
  expect(declared.length).toBeGreaterThan(30);
  expect(tags.filter(({ description }) => description === undefined)).toEqual([]);
  const missing = declared
    .flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((spelling) => ({ method, spelling })))
    .filter(({ method, spelling }) => !paths[spelling.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]);
  expect(missing.map(({ method, spelling }) => `${method} ${spelling}`)).toEqual([]);
});

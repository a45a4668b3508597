import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startScript } from './testing/child.ts';
import { testDatabase } from './testing/database.ts';

const { url } = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-patience-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test.each([
  ['database', { DATABASE_URL: 'postgres://me:geheim@127.0.0.1:1/x' }],
  ['broker', { DATABASE_URL: url, MQTT_URL: 'mqtt://me:geheim@127.0.0.1:1' }],
])('an unreachable %s is tried for 60 s, then one line and exit 1', async (_name, env) => {
  const begin = performance.now();
  const server = startScript('server/src/main.ts', [], {
    env: { DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', ...env },
  });
  expect(await server.ended).toBe(1);
  expect((performance.now() - begin) / 1000).toBeGreaterThan(58);
  expect(server.said().split('\n').at(-1)).toMatch(/127\.0\.0\.1:1.*60 s/);
  expect(server.said()).not.toContain('geheim');
});

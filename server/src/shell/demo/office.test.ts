import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommandFeature, commandsRoutes, createLimits } from '../../light/commands/index.ts';
import { checkPassword } from '../../people/accounts/index.ts';
import { sealAll, verifyLogs } from '../../people/log-seals/index.ts';
import { createPreviews, previewsRoutes } from '../../people/previews/index.ts';
import { createLogs, logsRoutes } from '../../people/logs/index.ts';
import { openFiles } from '../../platform/files/index.ts';
import { openKeys } from '../../platform/keys/index.ts';
import type { Broker } from '../../platform/mqtt/index.ts';
import { createDevices, devicesRoutes, type Devices } from '../../register/devices/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDemo, demoRoutes, type Demo } from './index.ts';
import { people, roles } from './people-of-the-city.ts';

/** The people of the demo city and a month of their work, in a real database. */
const folder = mkdtempSync(join(tmpdir(), 'lampyris-office-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const files = openFiles(join(folder, 'files'));
const broker = { kind: 'embedded' } as Broker;
let demo!: Demo;
let devices!: Devices;
const app = await testApp({
  routes: (parts) => {
    devices = createDevices({ ...parts, keys: openKeys(join(folder, 'secret.key')) });
    demo = createDemo({ ...parts, answering: parts.db, devices, files, enabled: true, lamps: 300, folder });
    const limits = createLimits(parts);
    return [
      ...demoRoutes(demo),
      ...commandsRoutes(createCommandFeature({ ...parts, limits, queued: () => undefined })),
      ...previewsRoutes(createPreviews(parts)),
      ...logsRoutes(createLogs(parts), { tasks: undefined as never }),
      ...devicesRoutes(devices, {} as never),
    ];
  },
});
const { db, call } = app;
beforeAll(async () => {
  await demo.start(broker, 'mqtt://127.0.0.1:1884');
});
const idOf = async (username: string): Promise<number> =>
  (await db.selectFrom('account').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id;

test('x', async () => {
  expect(await idOf('li.wei')).toBeGreaterThan(1);
});

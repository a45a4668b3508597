import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openKeys } from './platform/keys/index.ts';
import { startScript, type Child } from './testing/child.ts';
import { testDatabase } from './testing/database.ts';

const { url, db } = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-main-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const start = (env: Record<string, string> = {}): Child =>
  startScript('server/src/main.ts', [], {
    env: { DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', ...env },
  });

async function ready(child: Child): Promise<Record<string, string>> {
  return JSON.parse(await child.line(/"Lampyris is ready"/)) as Record<string, string>;
}

test('starts, tells address, account and where the first password stands but never the password, and stops with 0', async () => {
  const server = start();
  const { address, account, initialPasswordFile } = await ready(server);
  expect({ account, initialPasswordFile }).toEqual({
    account: 'admin',
    initialPasswordFile: join(dataDir, 'initial-password'),
  });
  const password = readFileSync(join(dataDir, 'initial-password'), 'utf8').trim();
  expect(password).toMatch(/^([a-z][A-Z][2-9]-){4}[a-z][A-Z][2-9]$/);
  expect(statSync(join(dataDir, 'initial-password')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: 'alive' });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  // Ctrl-C reaches the whole group and is forwarded too: twice is once.
  server.process.kill('SIGINT');
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.said()).not.toContain(password);
});

test('the second start keeps the installation and its password', async () => {
  const before = readFileSync(join(dataDir, 'initial-password'), 'utf8');
  const server = start();
  await ready(server);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(readFileSync(join(dataDir, 'initial-password'), 'utf8')).toBe(before);
  expect(await db.selectFrom('account').select(['id', 'username', 'level']).execute()).toEqual([
    { id: 1, username: 'admin', level: 0 },
  ]);
  const { granted } = await db
    .selectFrom('role_menu')
    .select((row) => row.fn.countAll<number>().as('granted'))
    .where('role_id', '=', 1)
    .executeTakeFirstOrThrow();
  const { entries } = await db
    .selectFrom('menu_entry')
    .select((row) => row.fn.countAll<number>().as('entries'))
    .executeTakeFirstOrThrow();
  expect(entries).toBeGreaterThan(0);
  expect(granted).toBe(entries);
});

test('a taken port is one line and exit 1', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const server = start({ PORT: String(port) });
  expect(await server.ended).toBe(1);
  expect(server.said().split('\n').at(-1)).toBe(
    `127.0.0.1:${port} is taken by another program: set PORT to a free port.`,
  );
  other.close();
});

test('wrong settings are one line each and exit 1, before anything is started', async () => {
  const server = start({ PORT: 'x', CAPTCHA: 'maybe' });
  expect(await server.ended).toBe(1);
  expect(server.said()).toBe(
    'PORT=x is wrong; allowed: a port from 0 (any free one) to 65535.\nCAPTCHA=maybe is wrong; allowed: on or off.',
  );
});

test('a database that refuses is one line without the password', async () => {
  const server = start({
    DATABASE_URL: url.replace('lampyris@', 'lampyris:geheim@').replace(/\/test_\w+/, '/no_such_database'),
  });
  expect(await server.ended).toBe(1);
  expect(server.said()).toMatch(/refuses the connection: database "no_such_database" does not exist$/);
  expect(server.said()).not.toContain('geheim');
});

test('a stop while an unreachable database is being tried does not wait for it', async () => {
  const server = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' });
  await server.line(/the database does not answer yet/);
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('warnings of what is open are told at each start', async () => {
  const server = start({ CAPTCHA: 'off', HOST: '0.0.0.0' });
  await ready(server);
  expect(server.said()).toContain('CAPTCHA=off');
  expect(server.said()).toContain('HOST=0.0.0.0 is beyond this machine');
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a database whose secrets were made with another key, or whose key is missing, is refused by name of the file, and no key is made', async () => {
  const other = mkdtempSync(join(tmpdir(), 'lampyris-other-'));
  const server = start({ DATA_DIR: other });
  expect(await server.ended).toBe(1);
  expect(server.said()).toContain(`set SECRET_KEY_FILE to the key file of this site`);
  // A key made now would open nothing, and look like the one that is missing.
  expect(existsSync(join(other, 'secret.key'))).toBe(false);
  openKeys(join(other, 'secret.key'));
  const again = start({ DATA_DIR: other });
  expect(await again.ended).toBe(1);
  expect(again.said()).toContain('were made with another key than');
  rmSync(other, { recursive: true, force: true });
});

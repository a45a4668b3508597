import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startScript } from './testing/child.ts';
import { signInTestApp } from './testing/sign-in.ts';

const app = await signInTestApp({ captchaOff: true });
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-admin-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function admin(...args: string[]): Promise<{ code: number | NodeJS.Signals; said: string }> {
  const child = startScript('server/src/admin.ts', args, { env: { DATABASE_URL: app.database.url, DATA_DIR: dataDir } });
  return { code: await child.ended, said: child.said() };
}

const password = 'Lantern#Road7';
const from = '10.6.0.1';

test('unlock lifts the locks of an account', async () => {
  await app.makeAccount({ username: 'locked', password });
  for (let count = 0; count < 5; count += 1) await app.login('locked', 'wrong', { from, captcha: {} });
  expect((await app.login('locked', password, { from, captcha: {} })).status).toBe(401);
  expect(await admin('unlock', 'LOCKED')).toMatchObject({ code: 0 });
  expect((await app.login('locked', password, { from, captcha: {} })).status).toBe(200);
});

test('reset gives a new initial password, ends the sessions, and a running server hears of it', async () => {
  const ended = new Promise((resolve) => app.bus.subscribe('session.ended', resolve));
  const { said, code } = await admin('reset', 'admin');
  expect(code).toBe(0);
  await ended;
  const initial = readFileSync(join(dataDir, 'initial-password'), 'utf8').trim();
  expect(said).toContain(initial);
  expect((await app.call('/api/v1/nothing')).status).toBe(404);
  expect((await app.call('/api/tbUsers/tbCurrentUser')).status).toBe(401);
  expect((await app.login('admin', initial, { from, captcha: {} })).body).toMatchObject({ passwordStatus: 1, token: '' });
  const rows = await app.db.selectFrom('operation_log').select(['username', 'ip', 'message']).where('ip', '=', 'local').orderBy('id').execute();
  expect(rows).toEqual([{ username: 'locked', ip: 'local', message: 'account.unlock' }, { username: 'admin', ip: 'local', message: 'account.reset' }]);
});

test.each([[['unlock', 'nobody']], [['frobnicate', 'admin']]])('%j: a line that helps and exit 1', async (args) => {
  const { code, said } = await admin(...args);
  expect(code).toBe(1);
  expect(said).toMatch(/npm run admin|There is no account "nobody"/);
  expect(said).not.toContain('    at ');
});

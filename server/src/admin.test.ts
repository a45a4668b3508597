import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sealAll } from './people/log-seals/index.ts';
import { startEmbedded } from './platform/db/embedded.ts';
import { createLog } from './platform/log.ts';
import { startScript } from './testing/child.ts';
import { emptyDatabase } from './testing/database.ts';
import { signInTestApp } from './testing/sign-in.ts';

const app = await signInTestApp({ captchaOff: true });
const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-admin-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function admin(...args: string[]): Promise<{ code: number | NodeJS.Signals; said: string }> {
  const child = startScript('server/src/admin.ts', args, {
    env: { DATABASE_URL: app.database.url, DATA_DIR: dataDir },
  });
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
  expect((await app.login('admin', initial, { from, captcha: {} })).body).toMatchObject({
    passwordStatus: 1,
    token: '',
  });
  const rows = await app.db
    .selectFrom('operation_log')
    .select(['username', 'ip', 'message'])
    .where('ip', '=', 'local')
    .orderBy('id')
    .execute();
  expect(rows).toEqual([
    { username: 'locked', ip: 'local', message: 'account.unlock' },
    { username: 'admin', ip: 'local', message: 'account.reset' },
  ]);
});

describe('verify-log', () => {
  /** As a superuser who goes around the triggers. */
  const behindTheBack = (statement: string) =>
    app.database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statement}; COMMIT`);
  const last = async () =>
    (await app.db.selectFrom('operation_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id;

  test('says that all is as it was written, with heads to note; then names what is not', async () => {
    // Rows as the program writes them, without a start for each.
    for (let count = 0; count < 4; count += 1)
      await app.operations.write({
        ...{ accountId: null, username: 'admin', uri: 'unlock admin', ip: 'local', at: app.clock.now() },
        ...{ params: undefined, message: 'account.unlock', status: 200 },
      });
    await sealAll(app.db);
    const good = await admin('verify-log');
    expect(good).toMatchObject({ code: 0 });
    const head = /operation_log:\d+:[0-9a-f]{64}/.exec(good.said)?.[0] ?? '';
    expect(await admin('verify-log', head)).toMatchObject({ code: 0 });
    const id = await last();
    await behindTheBack(`DELETE FROM operation_log WHERE id = ${id - 2}`);
    expect(await admin('verify-log', head)).toMatchObject({
      code: 1,
      said: expect.stringContaining(`operation_log: row ${id - 2} is missing.`) as string,
    });
    await behindTheBack(
      `DELETE FROM operation_log WHERE id < ${id - 2}; UPDATE log_chain c
        SET start_id = l.sealed_after, start_seal = ''::bytea FROM operation_log l
        WHERE c.log = 'operation_log' AND l.id = ${id - 1}`,
    );
    expect(await admin('verify-log')).toMatchObject({
      code: 1,
      said: expect.stringContaining(`row ${id - 1} was changed`) as string,
    });
    expect(await admin('verify-log', 'operation_log:1:ab')).toMatchObject({
      code: 1,
      said: expect.stringContaining('is no head of a log') as string,
    });
    // Five starts of the program.
  }, 120_000);
});

describe('migrate --dry-run', () => {
  const dryRun = async (url: string, data = dataDir) => {
    const env = { DATA_DIR: data, ...(url === '' ? {} : { DATABASE_URL: url }) };
    const child = startScript('server/src/admin.ts', ['migrate', '--dry-run'], { env });
    return { code: await child.ended, said: child.said() };
  };

  test('exit 0 where nothing is pending, 2 with the names where something is, 1 for a newer database', async () => {
    expect(await dryRun(app.database.url)).toMatchObject({
      code: 0,
      said: expect.stringContaining('Nothing is pending') as string,
    });
    const empty = await emptyDatabase();
    try {
      const all = await dryRun(empty.url);
      expect(all).toMatchObject({ code: 2, said: expect.stringContaining('0001_foundation.sql') as string });
      expect(all.said).toContain('The first schema.');
      // Nothing was made.
      expect((await dryRun(empty.url)).said).toBe(all.said);
    } finally {
      await empty.drop();
    }
    await app.database.pool.query(`INSERT INTO schema_migration VALUES (9999, '9999_later.sql', 'x')`);
    try {
      expect(await dryRun(app.database.url)).toMatchObject({
        code: 1,
        said: expect.stringContaining('The database is newer than this program') as string,
      });
    } finally {
      await app.database.pool.query('DELETE FROM schema_migration WHERE number = 9999');
    }
  }, 120_000);

  test('the embedded database is asked too, and stops again', async () => {
    const embedded = mkdtempSync(join(tmpdir(), 'lampyris-pending-'));
    try {
      expect((await dryRun('', embedded)).said).toMatch(/^There is no database in /);
      const options = { dataDir: embedded, baseDir: embedded, role: 'test', log: createLog('silent') };
      await (await startEmbedded(options)).stop();
      expect(await dryRun('', embedded)).toMatchObject({
        code: 2,
        said: expect.stringMatching(/^The database is empty\.\n\d+ pending/) as string,
      });
      // Whoever may own it again: the dry run has left it.
      await (await startEmbedded(options)).stop();
    } finally {
      rmSync(embedded, { recursive: true, force: true });
    }
  }, 120_000);
});

test.each([
  [['migrate']],
  [['migrate', 'now']],
  [['unlock', 'nobody']],
  [['frobnicate', 'admin']],
  [['unlock', 'admin', 'now']],
])('%j: a line that helps and exit 1', async (args) => {
  const { code, said } = await admin(...args);
  expect(code).toBe(1);
  expect(said).toMatch(/npm run admin|There is no account "nobody"/);
  expect(said).not.toContain('    at ');
});

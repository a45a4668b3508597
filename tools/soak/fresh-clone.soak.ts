import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startChild } from '../../server/src/testing/child.ts';
import { root } from '../run.ts';
import { freePort } from '../../e2e/fixtures/free-port.ts';

/**
 * The first of the two commands, as a newcomer meets it: a clone of the committed state in a home that is closed to
 * others, with the machine's own Node and npm. As root, and as an ordinary user.
 */
const homes: string[] = [];
// Two installations of packages: removing them takes a while on a slow disk.
afterAll(() => homes.forEach((home) => rmSync(home, { recursive: true, force: true })), 600_000);

const machinePath = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':');
const isRoot = process.getuid?.() === 0;

function cloneInto(owner: { uid: number; gid: number } | undefined): string {
  const home = mkdtempSync(join(tmpdir(), 'lampyris-home-'));
  homes.push(home);
  chmodSync(home, 0o700);
  execFileSync('git', ['clone', '-q', root, join(home, 'lampyris')]);
  if (owner) {
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, home]);
    chownSync(home, owner.uid, owner.gid);
  }
  return home;
}

async function startAndStop(home: string, wrap: readonly string[]): Promise<Record<string, string>> {
  const [program, ...args] = [...wrap, 'npm', 'start'];
  const env = {
    PATH: machinePath,
    HOME: home,
    PORT: String(await freePort()),
    MQTT_PORT: String(await freePort()),
    DEMO_LAMPS: '200',
  };
  const child = startChild(program, args, { cwd: join(home, 'lampyris'), env });
  const ready = JSON.parse(await child.line(/"Lampyris is ready"/)) as Record<string, string>;
  expect((await fetch(`${ready['address']}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${ready['address']}/login`)).text()).toContain('<html');
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  return ready;
}

describe('npm start in a clone under a home of mode 0700', () => {
  test.skipIf(!isRoot)('as root: the data stands where the database user reaches it', async () => {
    const ready = await startAndStop(cloneInto(undefined), []);
    expect(ready['initialPasswordFile']).toMatch(/^\/var\/lib\/lampyris\/data-[0-9a-f]{8}\/demo\/initial-password$/);
    rmSync(join(ready['initialPasswordFile'] ?? '', '../..'), { recursive: true, force: true });
  });

  test.skipIf(!isRoot)('as an ordinary user: the data stands in the clone', async () => {
    const line =
      readFileSync('/etc/passwd', 'utf8')
        .split('\n')
        .find((entry) => entry.startsWith('nobody:'))
        ?.split(':') ?? [];
    const owner = { uid: Number(line[2]), gid: Number(line[3]) };
    const home = cloneInto(owner);
    const ready = await startAndStop(home, [
      'setpriv',
      `--reuid=${owner.uid}`,
      `--regid=${owner.gid}`,
      '--clear-groups',
    ]);
    expect(ready['initialPasswordFile']).toBe(join(home, 'lampyris/data/demo/initial-password'));
    expect(existsSync(join(home, 'lampyris/data/demo/postgres/data/PG_VERSION'))).toBe(true);
  });

  test.skipIf(isRoot)('as who runs this test', async () => {
    await startAndStop(cloneInto(undefined), []);
  });
});

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyPreparedDatabase } from '../../../../e2e/fixtures/prepared-database.ts';
import { startScript, type Child } from '../../testing/child.ts';
import { isAlive } from './cluster.ts';

const script = 'server/src/testing/scripts/open-database.ts';
let dataDir = '';
let children: Child[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'lampyris-embedded-'));
  children = [];
});
afterEach(async () => {
  // Whoever is left adopts the database once more, to stop it.
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map((child) => child.ended));
  const last = open();
  await last.line(/^open/);
  await stop(last);
  rmSync(dataDir, { recursive: true, force: true });
});

function open(role = 'a test'): Child {
  const child = startScript(script, [dataDir, role]);
  children.push(child);
  return child;
}

async function stop(child: Child): Promise<void> {
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
}

const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]);

test('of three first starts at once one runs and two are refused with its name; after a kill the next adopts the database', async () => {
  const three = [open('first'), open('second'), open('third')];
  const said = await Promise.all(three.map((child) => child.line(/^(open|refused)/)));
  expect(said.filter((line) => line === 'open')).toHaveLength(1);
  const winner = three[said.indexOf('open')];
  const pid = postmaster();
  for (const line of said.filter((text) => text !== 'open')) {
    expect(line).toMatch(
      /^refused: The database in .* is in use by another program \((first|second|third), process \d+\)\.$/,
    );
    expect(line).toContain(`process ${winner?.process.pid})`);
  }
  winner?.process.kill('SIGKILL');
  await winner?.ended;
  expect(isAlive(pid)).toBe(true);

  const next = open('next');
  await next.line(/a killed server was found alive and taken over/);
  await next.line(/^open/);
  expect(postmaster()).toBe(pid);
  await stop(next);
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false);
});

test('a database process that is killed is started again under the running program', async () => {
  copyPreparedDatabase(dataDir);
  const program = open();
  await program.line(/^open/);
  const pid = postmaster();
  process.kill(pid, 'SIGKILL');
  await program.line(/the embedded database runs again/);
  expect(postmaster()).not.toBe(pid);
  await stop(program);
});

test('a folder whose database runs elsewhere, because it was copied or moved meanwhile, is refused at once with the process that it names', async () => {
  copyPreparedDatabase(dataDir);
  const program = open();
  await program.line(/^open/);
  const pid = postmaster();
  program.process.kill('SIGKILL');
  await program.ended;
  const away = `${dataDir}-away`;
  renameSync(dataDir, away);
  try {
    // Moved, and at its place a copy of it.
    cpSync(away, dataDir, { recursive: true, filter: (path) => !path.endsWith('.s.PGSQL.5432') });
    expect(await open().line(/^refused/)).toContain(
      `its postmaster.pid names process ${pid}, a PostgreSQL that runs in ${away}/postgres/data (postgres -D ${dataDir}/postgres/data)`,
    );
    // The one that was moved names a database that writes by its former name.
    const moved = startScript(script, [away, 'moved']);
    expect(await moved.line(/^refused/)).toContain(`kill -INT ${pid}`);
    expect(isAlive(pid)).toBe(true);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    renameSync(away, dataDir);
  }
});

test('a database that panics at its start is refused with that line', async () => {
  copyPreparedDatabase(dataDir);
  const program = open();
  await program.line(/^open/);
  await stop(program);
  const wal = join(dataDir, 'postgres/data/pg_wal');
  const away = mkdtempSync(join(tmpdir(), 'lampyris-wal-'));
  const segments = readdirSync(wal).filter((name) => /^[0-9A-F]{24}$/.test(name));
  for (const name of segments) renameSync(join(wal, name), join(away, name));
  try {
    expect(await open().line(/^refused/)).toMatch(
      /^refused: The embedded database ended at its start: PANIC: could not locate a valid checkpoint record/,
    );
  } finally {
    for (const name of segments) renameSync(join(away, name), join(wal, name));
    rmSync(away, { recursive: true });
  }
});

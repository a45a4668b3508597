import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { root } from './run.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A checkout with packages that run and none that build, and a server that only says that it runs. */
function checkout(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-start-'));
  folders.push(folder);
  const runs = { version: '1.0.0' };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  cpSync(join(root, 'tools/start.mjs'), join(folder, 'tools/start.mjs'), { recursive: true });
  write('package-lock.json', JSON.stringify({ packages: { 'a/runs': runs, 'a/builds': { ...runs, dev: true } } }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'a/runs': runs } }));
  write('server/src/main.ts', 'process.stdout.write(`the server runs ${process.argv[2]}`);');
  for (const source of ['console', 'catalogue', 'contract', 'tools/build']) write(`${source}/one.ts`, '');
  write('tsconfig.json', '{}');
  Object.entries(files).forEach(([path, text]) => write(path, text));
  return folder;
}

/** What a start says, both ways. */
function start(folder: string): string {
  try {
    return execFileSync(process.execPath, ['tools/start.mjs', 'demo'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (thrown) {
    const { stdout, stderr } = thrown as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

describe('npm start where only the packages that run are installed', () => {
  test('shows the console that is there, says when it is of other sources, and installs nothing', () => {
    const said = start(checkout({ 'console/dist/index.html': '<html>', 'console/dist/.sources': 'others' }));
    expect(said).toMatch(/^The built console is of other sources[^\n]*\n+the server runs demo$/);
  });

  test('says how a console comes there when there is none', () => {
    expect(start(checkout({}))).toMatch(/^The console is not built[^\n]*npm run build[^\n]*\n$/);
  });
});

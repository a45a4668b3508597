import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startScript } from '../../testing/child.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lampyris-kills-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const script = 'server/src/testing/scripts/open-database.ts';

test('kills at any moment of the first starts, initdb and migrations included: the last one works', async () => {
  for (let round = 0; round < 40; round += 1) {
    const child = startScript(script, [dataDir]);
    await sleep(randomInt(50, 2500));
    child.process.kill('SIGKILL');
    await child.ended;
  }
  const last = startScript(script, [dataDir]);
  await last.line(/^open/);
  last.process.kill('SIGTERM');
  expect(await last.ended).toBe(0);
});

test('twenty rounds of three starts at once: always one runs and two are refused', async () => {
  for (let round = 0; round < 20; round += 1) {
    const three = [1, 2, 3].map((number) => startScript(script, [dataDir, `start ${number}`]));
    const said = await Promise.all(three.map((child) => child.line(/^(open|refused)/)));
    expect(said.filter((line) => line === 'open')).toHaveLength(1);
    const winner = three[said.indexOf('open')];
    winner?.process.kill(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
    await Promise.all(three.map((child) => child.ended));
  }
  const last = startScript(script, [dataDir]);
  await last.line(/^open/);
  last.process.kill('SIGTERM');
  expect(await last.ended).toBe(0);
});

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../run.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Runs one vitest configuration to its end, its report on our output. A run that could not report counts as one failure. */
export async function runVitest(config: string, more: readonly string[] = []): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-report-'));
  const report = join(folder, 'report.json');
  try {
    const code = await new Promise<number>((resolve, reject) => {
      const args = ['run', '--config', config, '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more];
      const child = spawn(join(root, 'node_modules/.bin/vitest'), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
      child.once('error', reject);
      child.once('close', (ended) => resolve(ended ?? 1));
    });
    const counts = read(report);
    // A failing file without failing tests (it could not be loaded), or an error beside the tests.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(path: string): Counts {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8')) as { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number };
    return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests + report.numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../run.ts';
import { reportVariable, type Report } from './report.ts';

export interface VitestRun {
  /** Relative to the folder, as vitest takes it. */
  readonly config: string;
  /** Files and options, as vitest takes them. */
  readonly more?: readonly string[];
  /** The checkout unless said. */
  readonly folder?: string;
  readonly quiet?: boolean;
  /** Its words are kept until it is over, and then come together under this heading. */
  readonly heading?: string;
}

/**
 * Where Node keeps what it compiled: a third of what each start of the server takes, and there are a hundred. Fixtures
 * hand it on to what they start.
 */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compile') };
const lost = (message: string): Report => ({
  files: [],
  lost: [{ file: null, test: null, message, details: message }],
});

/**
 * Runs one vitest configuration to its end, its own words on our output. A run that ends badly without saying of what
 * has a failure that belongs to no file.
 */
export async function runVitest({
  config,
  more = [],
  folder = root,
  quiet = false,
  heading,
}: VitestRun): Promise<Report> {
  const place = mkdtempSync(join(tmpdir(), 'lampyris-report-'));
  const path = join(place, 'report.json');
  try {
    const code = await new Promise<number>((resolve, reject) => {
      const args = [
        'run',
        '--config',
        config,
        '--passWithNoTests',
        ...(quiet ? [] : ['--reporter=default']),
        `--reporter=${fileURLToPath(new URL('reporter.ts', import.meta.url))}`,
        ...more,
      ];
      const [isTold, isKept] = [!quiet, !quiet && heading !== undefined];
      const words = isKept ? 'pipe' : isTold ? 'inherit' : 'ignore';
      const child = spawn(join(root, 'node_modules/.bin/vitest'), args, {
        cwd: folder,
        stdio: ['ignore', words, words],
        env: { ...compileCache, ...process.env, [reportVariable]: path },
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.once('error', reject);
      child.once('close', (ended) => {
        if (isKept) process.stdout.write(`\n${heading}\n${said}`);
        resolve(ended ?? 1);
      });
    });
    const report = read(path);
    if (!report) return lost(`vitest ended with ${code} and without a report (${config})`);
    const isRed = report.lost.length > 0 || report.files.some(({ failures }) => failures.length > 0);
    return code !== 0 && !isRed
      ? { ...report, lost: lost(`vitest ended with ${code} though no test failed (${config})`).lost }
      : report;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function read(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

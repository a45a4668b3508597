import { join } from 'node:path';
import { root } from '../run.ts';
import type { Part } from './parts.ts';
import type { Failure, FileReport } from './report.ts';
import { runVitest, type VitestRun } from './vitest.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface SuiteOutcome {
  readonly counts: Counts;
  /** What failed once and passed when its file was run again, alone. */
  readonly unsteady: readonly Failure[];
  /** Why the run is red; none: it is green. */
  readonly problems: readonly string[];
  readonly files: readonly FileReport[];
}

export interface SuiteOptions {
  readonly parts: readonly Part[];
  /** What mostly waits: it begins with the first part, and its words come together when it is over. */
  readonly beside?: Part & Required<Pick<VitestRun, 'heading'>>;
  /** Tests, as `file: test`, that `docs/unsteady.md` calls mended. */
  readonly mended: ReadonlySet<string>;
  readonly folder?: string;
  readonly quiet?: boolean;
}

/** A run with more unsteady tests than these is red. */
export const mostUnsteady = 2;
/** With more failed files than these nothing is run again: that is no unsteadiness. */
const mostRunAgain = 10;

export const testOf = ({ file, test }: Failure): string => `${file}: ${test ?? '(outside its tests)'}`;

/**
 * Runs the parts, one after the other, and at the end each file that failed once more, alone. A file that fails twice is
 * red; so is a run with too many unsteady tests, or with one that was called mended: these count as failed.
 */
export async function runSuite({
  parts,
  beside,
  mended,
  folder = root,
  quiet = false,
}: SuiteOptions): Promise<SuiteOutcome> {
  const reportOf = async (part: Part) => ({ config: part.config, report: await runVitest({ ...part, folder, quiet }) });
  const waiting = beside && reportOf(beside);
  const reports = [];
  for (const part of parts) reports.push(await reportOf(part));
  if (waiting) reports.push(await waiting);
  const first = reports.flatMap(({ config, report }) => report.files.map((file) => ({ config, file })));
  const lost = reports.flatMap(({ report }) => report.lost);
  const failed = first.filter(({ file }) => file.failures.length > 0);
  const again = new Map<FileReport, FileReport>();
  for (const { config, file } of failed.length > mostRunAgain ? [] : failed) {
    if (!quiet) process.stdout.write(`\n${file.file} failed: once more, alone.\n`);
    again.set(file, await runAlone(config, file, folder, quiet));
  }
  return judge(
    first.map(({ file }) => ({ first: file, last: again.get(file) ?? file })),
    lost,
    mended,
  );
}

async function runAlone(
  config: string,
  { file, project, failures }: FileReport,
  folder: string,
  quiet: boolean,
): Promise<FileReport> {
  const report = await runVitest({
    config,
    folder,
    quiet,
    more: [...(project === '' ? [] : ['--project', project]), join(folder, file)],
  });
  const alone = report.files.find((one) => one.file === file);
  if (alone) return { ...alone, failures: [...alone.failures, ...report.lost] };
  return {
    file,
    project,
    seconds: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: report.lost.length > 0 ? report.lost : failures,
  };
}

/** Says what became of files that were run, those that had failed twice. Pure. */
export function judge(
  files: readonly { readonly first: FileReport; readonly last: FileReport }[],
  lost: readonly Failure[],
  mended: ReadonlySet<string>,
): SuiteOutcome {
  const unsteady = files.flatMap(({ first, last }) => (last.failures.length === 0 ? first.failures : []));
  const broken = [...files.flatMap(({ last }) => last.failures), ...lost];
  const relapsed = unsteady.filter((failure) => mended.has(testOf(failure)));
  const isTooMany = unsteady.length > mostUnsteady;
  const counted = isTooMany ? unsteady : relapsed;
  const sum = (key: keyof Counts) => files.reduce((total, { last }) => total + last[key], 0);
  const outsideTests = (failures: readonly Failure[]) => failures.filter(({ test }) => test === null).length;
  // An error of a test that had passed is a failure too.
  const unnamed =
    files.reduce((total, { last }) => total + Math.max(0, last.failures.length - last.failed), 0) + lost.length;
  return {
    unsteady,
    counts: {
      passed: sum('passed') - (counted.length - outsideTests(counted)),
      failed: sum('failed') + unnamed + counted.length,
      skipped: sum('skipped'),
    },
    problems: [
      ...broken.map((failure) => `FAILED: ${testOf(failure)}: ${failure.message}`),
      ...(isTooMany ? [`RED: ${unsteady.length} unsteady tests, more than ${mostUnsteady}`] : []),
      ...relapsed.map((failure) => `RED: docs/unsteady.md calls this mended: ${testOf(failure)}`),
    ],
    files: files.map(({ first }) => first),
  };
}

/** The files that took longest, dearest first. */
export const dearest = (files: readonly FileReport[], count = 5): FileReport[] =>
  files.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);

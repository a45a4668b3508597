import { lineOf, type Report } from './report.ts';
import { testOf } from './suite.ts';

/**
 * One line for each test that failed in at least one of these runs, most often first: `UNSTEADY 2 of 8: …`; FAILED: in
 * every one.
 */
export function huntLines(runs: readonly Report[]): string[] {
  const failures = runs.map(
    (run) =>
      new Map(
        [...run.files.flatMap((file) => file.failures), ...run.lost].map((failure) => [testOf(failure), failure]),
      ),
  );
  const all = new Map(failures.flatMap((run) => [...run]));
  const found = [...all].map(([name, failure]) => ({ failure, times: failures.filter((run) => run.has(name)).length }));
  return found
    .toSorted((one, other) => other.times - one.times)
    .map(
      ({ failure, times }) =>
        `${times === runs.length && runs.length > 1 ? 'FAILED' : 'UNSTEADY'} ${times} of ${runs.length}: ${lineOf(failure)}`,
    );
}

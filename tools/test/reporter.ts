import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { reportVariable, type Failure, type FileReport, type Report } from './report.ts';

type Thrown = Pick<SerializedError, 'message' | 'stack'>;
const longestMessage = 300;

/** Writes what became of every file, with the errors outside its tests: vitest's own JSON leaves those out. */
export default class FileReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const path = process.env[reportVariable];
    if (path === undefined) throw new Error(`${reportVariable} is not set`);
    const failures = unhandled.map((error) => unhandledFailure(error));
    const known = new Set(modules.map(fileOf));
    const report: Report = {
      files: modules.map((module) =>
        fileReport(
          module,
          failures.filter(({ file }) => file === fileOf(module)),
        ),
      ),
      lost: failures.filter(({ file }) => file === null || !known.has(file)),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

const nameOf = (path: string): string => relative(process.cwd(), path);
const fileOf = (module: TestModule): string => nameOf(module.moduleId);

function failure(file: string | null, test: string | null, errors: readonly Thrown[]): Failure {
  const details = errors
    .map(({ message, stack }) =>
      stripVTControlCharacters(stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`),
    )
    .join('\n');
  const [first = ''] = stripVTControlCharacters(errors[0]?.message ?? 'failed without an error').split('\n');
  return { file, test, message: first.slice(0, longestMessage), details };
}

function unhandledFailure(error: SerializedError): Failure {
  const { VITEST_TEST_PATH: path, VITEST_TEST_NAME: test } = error;
  return failure(typeof path === 'string' ? nameOf(path) : null, typeof test === 'string' ? test : null, [error]);
}

function fileReport(module: TestModule, unhandled: readonly Failure[]): FileReport {
  const file = fileOf(module);
  const tests = [...module.children.allTests()];
  const failed = tests.filter((test) => test.result().state === 'failed');
  const outside = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
  const failures = [
    ...failed.map((test) => failure(file, test.fullName, test.result().errors ?? [])),
    ...(outside.length > 0 ? [failure(file, null, outside)] : []),
    ...unhandled,
  ];
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  // A worker that died leaves its file without an end.
  const isUnended = ['pending', 'queued', 'failed'].includes(module.state()) && failures.length === 0;
  return {
    file,
    project: module.project.name,
    seconds: (collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration) / 1000,
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: failed.length,
    skipped: tests.filter((test) => test.result().state === 'skipped').length,
    failures: isUnended ? [failure(file, null, [{ message: 'the file did not come to its end' }])] : failures,
  };
}

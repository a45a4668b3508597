/** What one test, or one file outside its tests, failed with. */
export interface Failure {
  /** Relative to the folder of the run; null: an error that belongs to no file. */
  readonly file: string | null;
  /**
   * The test's full name; null: outside any test (the file could not be loaded, a hook failed, an error that nobody
   * caught).
   */
  readonly test: string | null;
  /** The first line. */
  readonly message: string;
  /** Message and stack. */
  readonly details: string;
}

/** One test file of one run. */
export interface FileReport {
  readonly file: string;
  readonly project: string;
  /** Importing it, its hooks and its tests. */
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

/** One run of vitest. */
export interface Report {
  readonly files: readonly FileReport[];
  /** Errors that belong to no file: these cannot be tried again. */
  readonly lost: readonly Failure[];
}

/** The environment variable that says where the reporter writes. */
export const reportVariable = 'LAMPYRIS_TEST_REPORT';

/** A failure in one line: `file: test: message`. */
export const lineOf = ({ file, test, message }: Failure): string =>
  `${file ?? '(no file)'}: ${test ?? '(outside its tests)'}: ${message}`;

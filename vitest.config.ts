import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './e2e/fixtures/longest-first.ts';

/**
 * They start servers and databases, with small files: left to vitest, they would be the last of a fresh checkout. What
 * waits stands between what computes.
 */
const slow = [
  'access-matrix/extremes.test.ts',
  'db/upgrade.test.ts',
  'access-matrix/access-matrix.test.ts',
  'src/stop.test.ts',
  'imports/imports.test.ts',
  'faults/backup.test.ts',
  'imports/round-trip.test.ts',
  'src/main.test.ts',
  'faults/kills.test.ts',
  'db/embedded.test.ts',
  'src/admin.test.ts',
  'faults/broker.test.ts',
  'faults/database.test.ts',
  'test/suite.test.ts',
];

/** What is waited for has time on a busy machine: a condition that holds ends the wait. */
const patient = { poll: { timeout: 20_000 } };
const inConsole = {
  environment: 'jsdom',
  setupFiles: ['console/src/testing/browser.ts'],
  testTimeout: 30_000,
  expect: patient,
};

/**
 * Node-side projects; the console's tests run in jsdom. Browser journeys are e2e/vitest.config.ts: they need the build.
 */
export default defineConfig({
  test: {
    // Every core: left to itself, vitest leaves one idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: longestFirst(slow) },
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'simulator/**/*.test.ts', 'tools/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          // Nothing is remembered in a module (house rule 16): files share what they import, which is a quarter of
          // their work.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'catalogue',
          include: ['{catalogue,protocols,contract}/**/*.test.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...inConsole,
          name: 'console',
          include: ['console/**/*.test.{ts,tsx}'],
          // Files share a window and the packages they import, which is most of their work; what a file leaves there is
          // taken away (browser.ts).
          isolate: false,
        },
      },
    ],
  },
});

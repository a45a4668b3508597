import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './fixtures/longest-first.ts';

/**
 * Journeys in a real browser against the production build. A file for each core: a browser, a server, a database and a
 * city are busy in each, and a third one only makes the others late.
 */
export default defineConfig({
  test: {
    name: 'journeys',
    include: ['e2e/journeys/**/*.test.ts'],
    globalSetup: ['e2e/fixtures/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: availableParallelism(),
    fileParallelism: true,
    // The files of a worker share what they import: modules remember free ports and requests under way of a page, which
    // are of no one file.
    isolate: false,
    sequence: {
      sequencer: longestFirst([
        'screens.test.ts',
        'lamps.test.ts',
        'office-pages.test.ts',
        'roles.test.ts',
        'accounts.test.ts',
        'user-form.test.ts',
      ]),
    },
  },
});

import { defineConfig } from 'vitest/config';
import { longestFirst } from './fixtures/longest-first.ts';

/**
 * Journeys in a real browser against the production build. Three files at a time on two cores: lamps take their time to
 * answer.
 */
export default defineConfig({
  test: {
    name: 'journeys',
    include: ['e2e/journeys/**/*.test.ts'],
    globalSetup: ['e2e/fixtures/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 3,
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

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './fixtures/longest-first.ts';

/**
 * What mostly waits for lamps, clocks and leases, longest first, then what keeps no core busy for long: about as much as
 * the other tests last.
 */
const besideTests = [
  'lamp-plans',
  'lamps',
  'two-servers',
  'restart',
  'history',
  'batch-commands',
  'provisioning',
  'foreign-device',
].map((name) => `e2e/journeys/${name}.test.ts`);
const slow = ['screens.test.ts', 'office-pages.test.ts', 'roles.test.ts', 'accounts.test.ts', 'user-form.test.ts'];

const journeys = {
  globalSetup: ['e2e/fixtures/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // The files of a worker share what they import: modules remember free ports and requests under way of a page, which
  // are of no one file.
  isolate: false,
};

/**
 * Journeys in a real browser against the production build, a file for each core: a browser, a server, a database and a
 * city are busy in each, and a third one only makes the others late. Those that wait have a lane of their own, which a
 * run of everything begins beside the other tests (tools/test.ts).
 */
export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst([...slow, ...besideTests]) },
    projects: [
      {
        test: {
          ...journeys,
          name: 'journeys',
          include: ['e2e/journeys/**/*.test.ts'],
          exclude: besideTests,
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          ...journeys,
          name: 'journeys beside',
          include: besideTests,
          maxWorkers: 1,
          env: { PORT_SHARE: '19' },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Node-side projects; the console's tests run in jsdom. Browser journeys are e2e/vitest.config.ts: they need the build. */
export default defineConfig({
  test: {
    // Every core: left to itself, vitest leaves one idle, which is half of a machine with two.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'simulator/**/*.test.ts', 'tools/**/*.test.ts'],
          globalSetup: ['server/src/testing/global-setup.ts'],
          // Nothing is remembered in a module (house rule 16): files share what they import, which is a quarter of their work.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
          name: 'console',
          include: ['console/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['console/src/testing/browser.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});

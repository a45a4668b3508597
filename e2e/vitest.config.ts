import { defineConfig } from 'vitest/config';

/** Journeys in a real browser against the production build. Two files at a time: a machine has two cores. */
export default defineConfig({
  test: {
    name: 'journeys',
    include: ['e2e/journeys/**/*.test.ts'],
    globalSetup: ['e2e/fixtures/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    fileParallelism: true,
  },
});

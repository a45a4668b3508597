import { defineConfig } from 'vitest/config';

/** Long fault tests, one file at a time: they fill the machine by themselves. */
export default defineConfig({
  test: {
    name: 'soak',
    include: ['{server,simulator,tools,e2e}/**/*.soak.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 120_000,
  },
});

import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest begins first, so that no core waits for it at the end; the others by their size, as vitest has it. */
const slow = ['screens.test.ts', 'screens-open.test.ts', 'lamps.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => slow.includes(basename(moduleId)) ? slow.indexOf(basename(moduleId)) : slow.length;
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

/** Journeys in a real browser against the production build. Three files at a time on two cores: lamps take their time to answer. */
export default defineConfig({
  test: {
    name: 'journeys',
    include: ['e2e/journeys/**/*.test.ts'],
    globalSetup: ['e2e/fixtures/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 3,
    fileParallelism: true,
    sequence: { sequencer: LongestFirst },
  },
});

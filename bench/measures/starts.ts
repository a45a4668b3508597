import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Measure } from '../measure.ts';

/**
 * Seconds until a second start answers /readyz, and resident memory of the server process 60 s after ready with
 * DEMO=off.
 */
export const starts: Measure = {
  key: 'starts',
  async run() {
    const product = await startProduct();
    try {
      const samples: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const from = performance.now();
        await product.restart();
        samples.push((performance.now() - from) / 1000);
      }
      await sleep(60_000);
      const resident =
        Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8'))?.[1] ?? NaN) / 1024;
      return [
        {
          name: 'Second start until ready, the stop before it included',
          value: median(samples),
          unit: 's',
          reach: 5,
          samples,
          note: 'SIGTERM, then start on the same data; median of 5',
        },
        {
          name: 'Server process 60 s after ready, DEMO=off',
          value: resident,
          unit: 'MB',
          reach: 300,
          samples: [resident],
          note: 'VmRSS of the server process; database processes apart',
        },
      ];
    } finally {
      await product.stop();
    }
  },
};

import { setTimeout as sleep } from 'node:timers/promises';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Measure } from '../measure.ts';

interface Command { total: number; states: Record<string, number>; items: { state: string; queuedAt: string; endedAt: string | null }[] }

/** A command to 1,000 simulated lamps: seconds until every lamp that answers at all is confirmed. */
export const commands: Measure = {
  key: 'commands',
  async run() {
    const product = await startProduct({ env: { DEMO: 'on', DEMO_LAMPS: '1200' } });
    try {
      const admin = await signInAdmin(product, 'Bench-4711-lamps');
      const { data } = await lampsReporting(admin, 900);
      const deviceIds = data.slice(0, 1000).map((lamp) => lamp.id);
      const samples: number[] = [];
      let confirmed = 0;
      for (const level of [60, 80, 50]) {
        const { id } = await admin.send<{ id: number }>('POST', '/api/v1/commands', { deviceIds, command: 'dim', args: { level } });
        await sleep(8000);
        const command = await admin.get<Command>(`/api/v1/commands/${id}?size=1000`);
        const ends = command.items.filter((item) => item.state === 'confirmed' && item.endedAt).map((item) => (Date.parse(item.endedAt ?? '') - Date.parse(item.queuedAt)) / 1000);
        confirmed = ends.length;
        samples.push(Math.max(...ends));
      }
      return [{ name: 'Command to 1,000 lamps, last confirmation', value: median(samples), unit: 's', reach: 5, samples, note: `${confirmed} of 1,000 answered and were confirmed; the others are faulty lamps of the demo city` }];
    } finally {
      await product.stop();
    }
  },
};

async function lampsReporting(admin: { get<T>(path: string): Promise<T> }, least: number): Promise<{ data: { id: number }[] }> {
  for (let tries = 0; tries < 240; tries += 1) {
    const list = await admin.get<{ data: { id: number }[]; recordsTotal: number }>('/api/v1/lamps?online=true&size=1000');
    if (list.recordsTotal >= least) return list;
    await sleep(500);
  }
  throw new Error('the demo city did not come up');
}

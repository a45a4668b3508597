import { setTimeout as sleep } from 'node:timers/promises';
import { signInAdmin, type Client } from '../../e2e/fixtures/api.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Measure } from '../measure.ts';

interface Command {
  total: number;
  states: Record<string, number>;
  items: { deviceId: number; state: string; queuedAt: string; endedAt: string | null }[];
}
interface Lamp {
  id: number;
  latest: { values: { rssi?: number | null } } | null;
}

/**
 * Below this a link is weak: the simulated one loses up to a third of what it carries and sends it again seconds later.
 */
const weakBelowDbm = -110;

/** A command to 1,000 simulated lamps: seconds until every lamp that answers over a sound link is confirmed. */
export const commands: Measure = {
  key: 'commands',
  async run() {
    const product = await startProduct({ env: { DEMO: 'on', DEMO_LAMPS: '1300' } });
    try {
      const admin = await signInAdmin(product, 'Bench-4711-night');
      await waitFor('the backlog', () => product.said().includes('the backlog is delivered'));
      const lamps = await reporting(admin, 1000);
      const weak = new Set(lamps.filter(({ latest }) => (latest?.values.rssi ?? 0) < weakBelowDbm).map(({ id }) => id));
      const deviceIds = lamps.map(({ id }) => id);
      const samples: number[] = [];
      const notes: string[] = [];
      for (const level of [60, 80, 50]) {
        const { id } = await admin.send<{ id: number }>('POST', '/api/v1/commands', {
          deviceIds,
          command: 'dim',
          args: { level },
        });
        await sleep(20_000);
        const { items } = await admin.get<Command>(`/api/v1/commands/${id}?size=1000`);
        const confirmed = items.flatMap((item) =>
          item.state === 'confirmed' && item.endedAt
            ? [
                {
                  weak: weak.has(item.deviceId),
                  seconds: (Date.parse(item.endedAt) - Date.parse(item.queuedAt)) / 1000,
                },
              ]
            : [],
        );
        const sound = confirmed.filter((one) => !one.weak).map((one) => one.seconds);
        samples.push(Math.max(...sound));
        notes.push(
          `${confirmed.length} confirmed, half of them in ${median(confirmed.map((one) => one.seconds)).toFixed(2)} s, ${confirmed.length - sound.length} over weak links, the last of those in ${Math.max(0, ...confirmed.filter((one) => one.weak).map((one) => one.seconds)).toFixed(1)} s`,
        );
      }
      return [
        {
          name: 'Command to 1,000 lamps, last confirmation over sound links',
          value: median(samples),
          unit: 's',
          reach: 5,
          samples,
          note: notes.join('; '),
        },
      ];
    } finally {
      await product.stop();
    }
  },
};

async function reporting(admin: Client, wanted: number): Promise<Lamp[]> {
  const { data } = await admin.get<{ data: Lamp[] }>(
    `/api/v1/devices?family=single-lamp-controller&online=true&size=${wanted}`,
  );
  if (data.length < wanted) throw new Error(`only ${data.length} lamps are online`);
  return Promise.all(
    data.map(async (lamp) => (lamp.latest === undefined ? admin.get<Lamp>(`/api/v1/devices/${lamp.id}`) : lamp)),
  );
}

async function waitFor(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (isSo()) return;
    await sleep(500);
  }
  throw new Error(`waited in vain for ${what}`);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { openBrowser, person } from '../../e2e/fixtures/browser.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import { median, type Measure } from '../measure.ts';

const lamps = 10_000;
const password = 'Bench-4711-lamps';

interface Columns {
  longitudes: number[];
  latitudes: number[];
  [column: string]: unknown;
}
interface Recorded {
  columns: Columns;
  ground: unknown;
}

/**
 * Panning the night map of 10,000 lamps against the empty map in the same browser. City and lamps are recorded from a
 * demo city that is then stopped, so that neither a simulator nor ingestion takes part in the measurement.
 */
export const mapPanning: Measure = {
  key: 'map-panning',
  async run() {
    const recorded = await record();
    const product = await startProduct();
    const browser = await openBrowser({ measured: true });
    try {
      const { token } = await signInAdmin(product, password);
      const times: Record<'full' | 'empty', number[]> = { full: [], empty: [] };
      for (const kind of ['empty', 'full', 'empty', 'full', 'empty', 'full'] as const) {
        const context = await person(browser, { theme: 'dark' });
        await context.addInitScript((stored) => localStorage.setItem('token', stored), token);
        const page = await context.newPage();
        const columns = kind === 'full' ? recorded.columns : corners(recorded.columns);
        await page.route('**/api/v1/lamps/map**', (route) => route.fulfill({ json: columns }));
        await page.route('**/api/v1/base-map', (route) => route.fulfill({ json: recorded.ground }));
        await page.goto(`${product.url}/lamp/monitor`);
        await page.waitForSelector('.maplibregl-canvas', { timeout: 60_000 });
        await sleep(6000);
        times[kind].push(await panFrame(page));
        await context.close();
      }
      const empty = median(times.empty);
      const samples = times.full.map((time) => time / empty);
      return [
        {
          name: `Panning ${lamps.toLocaleString('en')} lamps, frame time against the empty map`,
          value: median(samples),
          unit: '×',
          reach: 2,
          samples,
          note: `empty map ${empty.toFixed(1)} ms a frame, with lamps ${median(times.full).toFixed(1)} ms; 1440 × 900, software GL, each the median of three pages`,
        },
      ];
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

/** The base map and 10,000 lamps of a demo city. */
async function record(): Promise<Recorded> {
  const product = await startProduct({ env: { DEMO: 'on', DEMO_LAMPS: String(lamps) } });
  try {
    const admin = await signInAdmin(product, password);
    for (let tries = 0; tries < 120; tries += 1) {
      const columns = await admin.get<Columns>('/api/v1/lamps/map');
      if (columns.longitudes.length >= lamps)
        return {
          columns: { ...columns, states: columns.longitudes.map(() => 0), levels: columns.longitudes.map(() => 100) },
          ground: await admin.get('/api/v1/base-map'),
        };
      await sleep(1000);
    }
    throw new Error('the demo city did not come up');
  } finally {
    await product.stop();
  }
}

/** Only two unlit lamps, at the corners of the city: the same view, nothing to draw. */
function corners(columns: Columns): unknown {
  const west = columns.longitudes.indexOf(Math.min(...columns.longitudes));
  const ends = [
    [Math.min(...columns.longitudes), Math.min(...columns.latitudes)],
    [Math.max(...columns.longitudes), Math.max(...columns.latitudes)],
  ] as const;
  const pick = Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [
      name,
      Array.isArray(values) ? [values[west], values[west === 0 ? 1 : 0]] : values,
    ]),
  );
  return {
    ...pick,
    longitudes: ends.map(([longitude]) => longitude),
    latitudes: ends.map(([, latitude]) => latitude),
    states: [2, 2],
    levels: [0, 0],
  };
}

/** Milliseconds of the median frame while the map is dragged to and fro for 90 frames, from inside the page. */
export async function panFrame(page: Page): Promise<number> {
  const frames = await page.evaluate(
    () =>
      new Promise<number[]>((done) => {
        const canvas = document.querySelector('.maplibregl-canvas');
        const move = (type: string, x: number) =>
          canvas?.dispatchEvent(
            new MouseEvent(type, {
              bubbles: true,
              cancelable: true,
              button: 0,
              buttons: type === 'mouseup' ? 0 : 1,
              clientX: x,
              clientY: 500,
              view: window,
            }),
          );
        const times: number[] = [];
        let before = 0;
        let x = 800;
        move('mousedown', x);
        const step = (now: number) => {
          if (before > 0) times.push(now - before);
          before = now;
          x += times.length % 60 < 30 ? 6 : -6;
          move('mousemove', x);
          if (times.length < 90) requestAnimationFrame(step);
          else {
            move('mouseup', x);
            done(times);
          }
        };
        requestAnimationFrame(step);
      }),
  );
  return median(frames.slice(10));
}

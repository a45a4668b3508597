import type { Browser } from 'playwright-core';
import type pg from 'pg';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { openBrowser, person } from '../../e2e/fixtures/browser.ts';
import { startProduct, type Product } from '../../e2e/fixtures/product.ts';
import { median, type Figure, type Measure } from '../measure.ts';
import { productDatabase } from '../product-database.ts';
import { panFrame } from './map-panning.ts';

const poles = 100_000;
const password = 'Bench-4711-places';

interface Looked {
  readonly shown: number;
  readonly frame: number;
  readonly bytes: number;
}

/**
 * The device map with 100,000 poles and a lamp on each against the same page without any, in the same browser: until
 * the whole city is drawn, while it is panned with all of it in view, and what is transferred for it.
 */
export const deviceMap: Measure = {
  key: 'device-map',
  async run() {
    const product = await startProduct();
    const browser = await openBrowser({ measured: true });
    try {
      const { token } = await signInAdmin(product, password);
      const database = await productDatabase(product.dataDir);
      const looked: Record<'empty' | 'full', Looked[]> = { empty: [], full: [] };
      await corners(database);
      // The first page of a browser also compiles the console and the shaders.
      await look(browser, product, token);
      for (let round = 0; round < 3; round += 1) looked.empty.push(await look(browser, product, token));
      await fill(database);
      await database.end();
      for (let round = 0; round < 3; round += 1) looked.full.push(await look(browser, product, token));
      return figures(looked.empty, looked.full);
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

function figures(empty: readonly Looked[], full: readonly Looked[]): Figure[] {
  const [without, still] = [median(empty.map(({ shown }) => shown)), median(empty.map(({ frame }) => frame))];
  const later = full.map(({ shown }) => shown - without);
  const ratios = full.map(({ frame }) => frame / still);
  const bytes = full.map((one) => one.bytes / 1e6);
  const name = `Device map with ${poles.toLocaleString('en')} poles and a lamp on each`;
  return [
    {
      name: `${name}: complete view, later than the empty map`,
      value: median(later) / 1000,
      unit: 's',
      reach: 1.5,
      samples: later.map((ms) => ms / 1000),
      note: `empty map ${(without / 1000).toFixed(2)} s from the address to the last frame, 1440 × 900, software GL, each the median of three pages`,
    },
    {
      name: `${name}: panning with all of them in view, frame time against the empty map`,
      value: median(ratios),
      unit: '×',
      reach: 3,
      samples: ratios,
      note: `empty map ${still.toFixed(1)} ms a frame, with devices ${median(full.map(({ frame }) => frame)).toFixed(1)} ms; aim 2 ×`,
    },
    {
      name: `${name}: transferred`,
      value: median(bytes),
      unit: 'MB',
      reach: 1,
      samples: bytes,
      note: 'the compressed answer of the map’s call as it came over the wire; positions of no order at all',
    },
  ];
}

/** Two poles at the corners of the city: the same view, nothing else in it. */
const corners = (database: pg.Client) =>
  database.query(`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
  VALUES ('lamp-pole', 1, 'C-1', 120.1, 30.1), ('lamp-pole', 1, 'C-2', 120.4, 30.3)`);

/** Poles all over a city of 29 × 22 km, a lamp on each. */
async function fill(database: pg.Client): Promise<void> {
  await database.query(`INSERT INTO device (family, work_area_id, equipment_code, longitude, latitude)
    SELECT 'lamp-pole', 1, 'P-' || i, 120.1 + 0.3 * random(), 30.1 + 0.2 * random()
      FROM generate_series(1, ${poles}) i`);
  await database.query(
    `INSERT INTO device (family, work_area_id, equipment_code, pole_id)
      SELECT 'single-lamp-controller', 1, 'L-' || id, id FROM device WHERE equipment_code LIKE 'P-%'`,
  );
  await database.query(`INSERT INTO device_state (device_id, state, online, since, judged_at)
    SELECT id, CASE WHEN id % 40 = 0 THEN 'alarm' WHEN id % 25 = 0 THEN 'offline' WHEN id % 7 = 0 THEN 'dimmed'
      ELSE 'on' END, id % 25 <> 0, now(), now() FROM device WHERE family = 'single-lamp-controller'`);
  await database.query('VACUUM ANALYZE device, device_state');
}

/** Opens the map in a browser of its own and waits until it has drawn everything and rests. */
async function look(browser: Browser, product: Product, token: string): Promise<Looked> {
  const context = await person(browser, { theme: 'light' });
  await context.addInitScript((stored) => localStorage.setItem('token', stored), token);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  const asked = new Set<string>();
  let bytes = 0;
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/api/v1/devices/map')) asked.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes += encodedDataLength;
  });
  const before = performance.now();
  await page.goto(`${product.url}/asset/map`);
  await page.locator('[data-map="complete"]').waitFor({ timeout: 60_000 });
  const shown = performance.now() - before;
  const frame = await panFrame(page);
  await context.close();
  return { shown, frame, bytes };
}

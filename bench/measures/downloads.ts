import type { Browser, Page } from 'playwright-core';
import { signInAdmin } from '../../e2e/fixtures/api.ts';
import { openBrowser, person } from '../../e2e/fixtures/browser.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Figure, Measure } from '../measure.ts';

/** A line of 10 Mbit/s with 60 ms of latency. */
const line = { offline: false, latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 625_000 };

/** Most that one opening may move, and where the first row of a list begins at the lowest, px. */
const most = { shift: 0.02, firstRow: 250 } as const;
/** Most KB over the wire and most requests of a first opening, cold cache; other pages have no reach. */
const reaches: Readonly<Record<string, { kb: number; requests: number }>> = {
  '/login': { kb: 75, requests: 15 },
  '/home': { kb: 350, requests: 35 },
  '/asset/roads': { kb: 300, requests: 35 },
  '/lamp/monitor': { kb: 650, requests: 45 },
};

interface Opening {
  readonly path: string;
  readonly kb: number;
  readonly requests: number;
  /** Milliseconds to the title, and to the first row or picture; null: the page has none. */
  readonly title: number | null;
  readonly rows: number | null;
  readonly shift: number;
  /** Of the first row, px from the top. */
  readonly firstRow: number | null;
}

/** A film plays after the page stands; a still is a part of it. */
const isFilm = (url: string): boolean => /\.(webm|mp4)$/.test(new URL(url).pathname);

async function opened(browser: Browser, url: string, path: string, token: string | undefined): Promise<Opening> {
  const context = await person(browser);
  if (token !== undefined)
    await context.addInitScript(
      `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('username', 'admin');`,
    );
  await context.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) globalThis.shift += one.value; })
      .observe({ type: 'layout-shift', buffered: true });`);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  let [bytes, requests] = [0, 0];
  const films = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.mimeType.startsWith('video/')) films.add(requestId);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    if (!films.has(requestId)) bytes += encodedDataLength;
  });
  session.on('Network.responseReceivedExtraInfo', ({ headersText }) => {
    bytes += headersText?.length ?? 0;
  });
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:') && !isFilm(request.url)) requests += 1;
  });
  const began = performance.now();
  await page.goto(url + path);
  const title = await timeTo(page, 'main h1', began);
  const rows = await timeTo(page, 'main tbody tr.ant-table-row, main canvas, main svg[role], main form', began);
  await page.waitForLoadState('networkidle');
  const [shift, firstRow] = await page
    .evaluate(
      `[globalThis.shift, document.querySelector('main tbody tr.ant-table-row')?.getBoundingClientRect().y ?? null]`,
    )
    .then((value) => value as [number, number | null]);
  await context.close();
  return { path, kb: bytes / 1024, requests, title, rows, shift, firstRow };
}

const timeTo = (page: Page, selector: string, began: number): Promise<number | null> =>
  page
    .locator(selector)
    .first()
    .waitFor({ timeout: 15_000 })
    .then(
      () => performance.now() - began,
      () => null,
    );

/** The pages of the menu, as its links name them. */
async function pagesOf(browser: Browser, url: string, token: string): Promise<string[]> {
  const context = await person(browser);
  await context.addInitScript(
    `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('username', 'admin');`,
  );
  const page = await context.newPage();
  const links = async (): Promise<string[]> =>
    (await page.evaluate(
      `[...document.querySelectorAll('nav a[href]')].map((one) => one.getAttribute('href'))`,
    )) as string[];
  await page.goto(`${url}/home`);
  await page.locator('main h1').first().waitFor();
  const found = new Set(await links());
  for (const top of [...found]) {
    await page.goto(url + top);
    await page.locator('main h1').first().waitFor();
    for (const link of await links()) found.add(link);
  }
  await context.close();
  return [...found];
}

/** What a newcomer downloads and waits for, page by page, each with a cold cache on a slow line. */
export const downloads: Measure = {
  key: 'downloads',
  async run() {
    const product = await startProduct({ env: { DEMO: 'on', DEMO_LAMPS: '300' } });
    const browser = await openBrowser();
    try {
      const { token } = await signInAdmin(product, 'Bench-4711-night');
      const named = Object.keys(reaches);
      const menu = process.argv.includes('--small') ? [] : await pagesOf(browser, product.url, token);
      const found: Opening[] = [];
      for (const path of new Set([...named, ...menu]))
        found.push(await opened(browser, product.url, path, path === '/login' ? undefined : token));
      // Times are told as multiples of the sign-in page's, opened in the same run.
      const anchor = found[0]?.title ?? 1;
      process.stdout.write('page | KB | requests | title × | rows × | shift | first row\n');
      for (const { path, kb, requests, title, rows, shift, firstRow } of found)
        process.stdout.write(
          `${path} | ${kb.toFixed(0)} | ${requests} | ${times(title, anchor)} | ${times(rows, anchor)} | ${shift.toFixed(3)} | ${firstRow?.toFixed(0) ?? '–'}\n`,
        );
      return found.flatMap(figuresOf);
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

const times = (ms: number | null, anchor: number): string => (ms === null ? '–' : (ms / anchor).toFixed(1));

/** How still and how high every page stands, and what it brings where a reach is set. */
function figuresOf({ path, kb, requests, shift, firstRow }: Opening): Figure[] {
  const note = 'cold cache, headers included, without the film, 1440 × 900, zh-CN';
  const figure = (name: string, value: number, unit: string, reach: number): Figure => ({
    ...{ name: `${path}, ${name}`, value, unit, reach, note },
    samples: [value],
  });
  const reach = reaches[path];
  return [
    ...(reach
      ? [figure('over the wire', kb, 'KB', reach.kb), figure('requests', requests, 'requests', reach.requests)]
      : []),
    figure('layout shift', shift, '', most.shift),
    ...(firstRow === null ? [] : [figure('first row', firstRow, 'px', most.firstRow)]),
  ];
}

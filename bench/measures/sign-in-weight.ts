import { openBrowser, person } from '../../e2e/fixtures/browser.ts';
import { startProduct } from '../../e2e/fixtures/product.ts';
import type { Measure } from '../measure.ts';

/** Bytes of JavaScript and CSS, as they travel (gzip), until the network is idle with nothing typed. */
export const signInWeight: Measure = {
  key: 'sign-in-weight',
  async run() {
    const product = await startProduct();
    const browser = await openBrowser();
    try {
      const page = await (await person(browser)).newPage();
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } });
      const kinds = new Map<string, string>();
      const bytes: number[] = [];
      session.on('Network.responseReceived', ({ requestId, response }) => kinds.set(requestId, response.mimeType));
      session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (/javascript|css/.test(kinds.get(requestId) ?? '')) bytes.push(encodedDataLength);
      });
      await page.goto(`${product.url}/login`);
      await page.waitForLoadState('networkidle');
      const total = bytes.reduce((sum, size) => sum + size, 0) / 1024;
      return [
        {
          name: 'Sign-in page, JS and CSS over the wire',
          value: total,
          unit: 'KB',
          reach: 80,
          samples: bytes.map((size) => size / 1024),
          note: 'gzip, headers included, cold cache, zh-CN',
        },
      ];
    } finally {
      await browser.close();
      await product.stop();
    }
  },
};

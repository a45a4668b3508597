import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { apiDocsRoutes } from './index.ts';

const site = await testApp({ routes: () => apiDocsRoutes([], { demo: false }) });
const demo = await testApp({ routes: () => apiDocsRoutes([], { demo: true }) });

test.each(['/api/openapi.json', '/api/docs'])('%s is public in the demonstration, for signed-in accounts otherwise', async (path) => {
  expect((await demo.call(path, { token: null })).status).toBe(200);
  expect((await site.call(path, { token: null })).status).toBe(401);
  expect((await site.call(path)).status).toBe(200);
});

test('opened in a browser, the page says that one must sign in; it tells nothing itself', async () => {
  const { status, body } = await site.call<string>('/api/docs', { token: null, headers: { 'sec-fetch-mode': 'navigate' } });
  expect(status).toBe(200);
  expect(body).not.toContain('/api/v1/');
});

import { expect, test } from 'vitest';
import { filesOf } from './console-preload.ts';

test('what the console’s page names is fetched ahead; nothing from elsewhere', () => {
  const html = `<!doctype html><html><head>
    <script type="module" crossorigin src="/assets/index-1.js"></script><link rel="modulepreload" href="/assets/parts-2.js">
    <link rel="stylesheet" href="/assets/index-3.css"><link rel="icon" href="/mark.svg"><script type="module" src="https://elsewhere.example/x.js"></script></head></html>`;
  expect(filesOf(html)).toEqual([
    { href: '/assets/index-1.js', as: 'script' },
    { href: '/assets/parts-2.js', as: 'script' },
    { href: '/assets/index-3.css', as: 'style' },
  ]);
});

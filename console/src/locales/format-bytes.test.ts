import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, 'zh-CN', '0 kB'],
  [820, 'en-US', '0.82 kB'],
  [2048, 'zh-CN', '2.05 kB'],
  [999_600, 'en-US', '1,000 kB'],
  [8_860_000, 'en-US', '8.86 MB'],
  [5.2e9, 'zh-CN', '5.2 GB'],
  [270.6e9, 'en-US', '271 GB'],
  [7.6e12, 'en-US', '7.6 TB'],
  [62_914_560, 'fr-FR', '62,9 Mo'],
])('%d bytes in %s', (count, language, text) => {
  expect(formatBytes(count, language).replaceAll(/\s/g, ' ')).toBe(text);
});

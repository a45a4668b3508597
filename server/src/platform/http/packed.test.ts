import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packed } from './packed.ts';

const text = JSON.stringify({
  data: Array.from({ length: 200 }, (_, i) => ({ id: i, equipmentName: `滨江大道 ${i} 号灯杆` })),
});

test('what is short and wanted is packed at once, and says the same', () => {
  for (const accept of ['br', 'gzip, deflate, br, zstd', 'gzip;q=1.0, br;q=0.8', 'br;q=1']) {
    const bytes = packed(text, accept);
    expect(bytes?.length, accept).toBeLessThan(text.length / 4);
    expect(brotliDecompressSync(bytes ?? Buffer.alloc(0)).toString(), accept).toBe(text);
  }
});

test('nothing is packed for who does not take it, and neither what is tiny nor what is long', () => {
  for (const accept of [undefined, '', 'gzip', 'br;q=0', 'br;q=0.0', 'brotli', 'x-br'])
    expect(packed(text, accept), String(accept)).toBeNull();
  expect(packed('{}', 'br')).toBeNull();
  expect(packed('x'.repeat(70_000), 'br')).toBeNull();
});

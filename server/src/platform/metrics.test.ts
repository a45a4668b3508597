import { expect, test } from 'vitest';
import { startMetrics } from './metrics.ts';
import { freePort } from '../../../e2e/fixtures/free-port.ts';

test('numbers as Prometheus reads them, and nothing else', async () => {
  const port = await freePort();
  const stop = await startMetrics({ host: '127.0.0.1', port, gather: () => [
    { name: 'lampyris_messages_total', help: 'Messages.', type: 'counter', value: 7 },
    { name: 'lampyris_refused_total', help: 'Refused.', type: 'counter', value: { notJson: 2, 'odd"one': 1 } },
  ] });
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await reply.text();
  expect(reply.headers.get('content-type')).toContain('version=0.0.4');
  expect(text).toContain('# TYPE lampyris_messages_total counter\nlampyris_messages_total 7\n');
  expect(text).toContain('lampyris_refused_total{reason="notJson"} 2\nlampyris_refused_total{reason="odd_one"} 1\n');
  expect(text).toMatch(/lampyris_memory_resident_bytes \d+/);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await expect(startMetrics({ host: '127.0.0.1', port, gather: () => [] })).rejects.toThrow(`127.0.0.1:${port} is taken by another program: set METRICS_PORT to a free port.`);
  await stop();
});

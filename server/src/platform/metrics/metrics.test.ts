import { expect, test } from 'vitest';
import { freePort } from '../../../../e2e/fixtures/free-port.ts';
import { createRegistry, startMetrics, watchProcess } from './index.ts';

test('counters, gauges and histograms as Prometheus reads them, and nothing else', async () => {
  const registry = createRegistry();
  registry.counter('t_messages_total', 'Messages.').add(7);
  const refused = registry.counter('t_refused_total', 'Refused.', ['reason']);
  refused.add(2, { reason: 'notJson' });
  refused.add(1, { reason: 'odd"one' });
  const seconds = registry.histogram('t_seconds', 'Time.', [0.1, 1], ['step']);
  for (const value of [0.05, 0.1, 0.5, 7]) seconds.observe(value, { step: 'a' });
  const waiting = registry.gauge('t_waiting', 'Waiting.');
  registry.gather(() => waiting.set(3));
  const port = await freePort();
  const stop = await startMetrics({ host: '127.0.0.1', port, text: () => registry.text() });
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(reply.headers.get('content-type')).toContain('version=0.0.4');
  expect(await reply.text()).toBe(
    [
      '# HELP t_messages_total Messages.',
      '# TYPE t_messages_total counter',
      't_messages_total 7',
      '# HELP t_refused_total Refused.',
      '# TYPE t_refused_total counter',
      't_refused_total{reason="notJson"} 2',
      't_refused_total{reason="odd_one"} 1',
      '# HELP t_seconds Time.',
      '# TYPE t_seconds histogram',
      't_seconds_bucket{step="a",le="0.1"} 2',
      't_seconds_bucket{step="a",le="1"} 3',
      't_seconds_bucket{step="a",le="+Inf"} 4',
      't_seconds_sum{step="a"} 7.65',
      't_seconds_count{step="a"} 4',
      '# HELP t_waiting Waiting.',
      '# TYPE t_waiting gauge',
      't_waiting 3',
      '',
    ].join('\n'),
  );
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await expect(startMetrics({ host: '127.0.0.1', port, text: () => registry.text() })).rejects.toThrow(
    `127.0.0.1:${port} is taken by another program: set METRICS_PORT to a free port.`,
  );
  await stop();
});

test('a label takes so many values and no more; a figure that cannot be gathered leaves the others; a name stands once', async () => {
  const registry = createRegistry();
  const many = registry.counter('t_many', 'Many.', ['who']);
  for (let who = 0; who < 1000; who += 1) many.add(1, { who: String(who) });
  registry.gather(() => {
    throw new Error('away');
  });
  const lines = (await registry.text()).split('\n').filter((line) => line.startsWith('t_many{'));
  expect(lines).toHaveLength(301);
  expect(lines.at(-1)).toBe('t_many{who="other"} 700');
  expect(() => registry.gauge('t_many', 'Again.')).toThrow('declared twice');
});

test('the process tells its memory, its processor time and which program it is', async () => {
  const registry = createRegistry();
  const watch = watchProcess(registry, { version: '1.2.3', node: 'v24' });
  const text = await registry.text();
  expect(text).toContain('lampyris_build_info{version="1.2.3",node="v24"} 1');
  expect(text).toMatch(/^lampyris_memory_resident_bytes \d{6,}$/m);
  expect(text).toMatch(/^lampyris_cpu_seconds_total\{mode="user"\} [\d.]+$/m);
  expect(text).toMatch(/^lampyris_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+$/m);
  expect(watch.longestDelayMs()).toBeGreaterThanOrEqual(0);
  watch.stop();
});

import { createServer } from 'node:http';
import { once } from 'node:events';
import { listenProblem } from './start-error.ts';

/** One number of the process: its name, what it means, and whether it only grows. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** One value, or one for each label (`reason`). */
  readonly value: number | Readonly<Record<string, number>>;
}

const memoryOfProcess = (): Metric[] => {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    { name: 'lampyris_memory_resident_bytes', help: 'Resident memory of this process.', type: 'gauge', value: rss },
    { name: 'lampyris_memory_heap_bytes', help: 'Used JavaScript heap.', type: 'gauge', value: heapUsed },
    { name: 'lampyris_uptime_seconds', help: 'Seconds since the start of this process.', type: 'counter', value: Math.round(process.uptime()) },
  ];
};

/** Serves /metrics in Prometheus' text format on a port of its own (METRICS_PORT). Throws StartError when the port is taken. */
export async function startMetrics({ host, port, gather }: { host: string; port: number; gather: () => readonly Metric[] }): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const found = request.url?.split('?')[0] === '/metrics' && request.method === 'GET';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' });
    response.end(found ? textOf([...memoryOfProcess(), ...gather()]) : 'Only GET /metrics is served here.\n');
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (thrown) {
    throw listenProblem(thrown, 'METRICS_PORT', host, port);
  }
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}

function textOf(metrics: readonly Metric[]): string {
  return metrics.map(({ name, help, type, value }) => {
    const values = typeof value === 'number' ? [`${name} ${value}`] : Object.entries(value).map(([reason, count]) => `${name}{reason="${reason.replaceAll(/[\\"\n]/g, '_')}"} ${count}`);
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values, ''].join('\n');
  }).join('');
}

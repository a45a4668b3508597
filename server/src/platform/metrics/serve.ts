import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenProblem } from '../start-error.ts';

/**
 * Serves /metrics in Prometheus' text format on a port of its own (METRICS_PORT). Throws StartError when the port is
 * taken.
 */
export async function startMetrics({
  host,
  port,
  text,
}: {
  host: string;
  port: number;
  text: () => Promise<string>;
}): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const found = request.url?.split('?')[0] === '/metrics' && request.method === 'GET';
    void (found ? text() : Promise.resolve('Only GET /metrics is served here.\n')).then((answer) => {
      response.writeHead(found ? 200 : 404, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.end(answer);
    });
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

import type { FastifyInstance } from 'fastify';

/** /healthz answers while the process lives; /readyz only while it can do its work, else with the reason. */
export function addHealth(app: FastifyInstance, notReady: () => Promise<string | undefined>): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const reason = await notReady();
    return reply
      .header('cache-control', 'no-store')
      .code(reason === undefined ? 200 : 503)
      .send(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason });
  });
}

import type { FastifyInstance } from 'fastify';

/** Lets the pages of ALLOWED_ORIGINS call us; without any, browsers keep everybody else out by themselves. */
export function addCors(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  if (allowedOrigins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowedOrigins.includes(origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'Authorization, Content-Disposition, Retry-After, X-Request-Id',
    });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
    reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': String(
        request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
      ).slice(0, 1000),
      'access-control-max-age': '600',
    });
    return reply.code(204).send();
  });
}

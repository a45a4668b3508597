import type { FastifyInstance } from 'fastify';

/**
 * No inline or foreign script. Styles may be inline: the component library writes its style sheets at run time. MapLibre
 * starts its worker from our own address and draws pictures from blobs.
 */
const policy = [
  "default-src 'self'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:", "media-src 'self' blob:",
  "font-src 'self' data:", "worker-src 'self' blob:", "connect-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of every answer (decisions 2); strict transport only where we speak TLS ourselves. */
export function addSecurityHeaders(app: FastifyInstance, tls: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-request-id': request.id,
    });
    if (tls) reply.header('strict-transport-security', 'max-age=31536000');
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
}

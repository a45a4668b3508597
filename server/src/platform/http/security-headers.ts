import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from './refuse.ts';

/**
 * No inline or foreign script. Styles may be inline: the component library writes its style sheets at run time.
 * MapLibre starts its worker from our own address and draws pictures from blobs.
 */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What the console never asks a browser for; its own place and full screen it may. */
const forbidden = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
];

/** Headers of every answer, also of those that are no answer to a readable request. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'permissions-policy': [...forbidden.map((name) => `${name}=()`), 'geolocation=(self)', 'fullscreen=(self)'].join(
    ', ',
  ),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Headers that only a document obeys: a script, picture or font is sent without them. */
const ofDocuments = ['content-security-policy', 'permissions-policy', 'x-frame-options', 'cross-origin-opener-policy'];

/** Takes away what a hashed file of the console has no use for: 1 KB of each of its answers. */
export function withoutDocumentHeaders(reply: FastifyReply): void {
  for (const name of ofDocuments) reply.removeHeader(name);
}

/** Strict transport where a browser came by TLS: ours, or that of a trusted proxy. */
export function secure(request: FastifyRequest, reply: FastifyReply, tls: boolean): void {
  reply.headers({ ...securityHeaders, 'x-request-id': request.id });
  if (tls || request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
}

export function addSecurityHeaders(app: FastifyInstance, tls: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    secure(request, reply, tls);
    // Of two names a proxy in front may have looked at the other one.
    if (request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1)
      throw refuse('repeatedHost');
  });
}

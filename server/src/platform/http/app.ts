import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import compress from '@fastify/compress';
import formbody from '@fastify/formbody';
import fastify, { type FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { serveConsole } from './console-files.ts';
import type { Binding } from './context.ts';
import { addCors } from './cors.ts';
import { addHealth } from './health.ts';
import type { HttpConfig, HttpParts } from './parts.ts';
import { addRefusals, answer } from './refusals.ts';
import { refuse } from './refuse.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { addRoute, prepareRequests } from './serve-route.ts';
import { stopInTime } from './stop-in-time.ts';

const bodyLimit = 3 * 1024 * 1024;

/**
 * The HTTP floor: serves the bound routes, health, and the built console from one origin. Not listening yet: the caller does
 * `listen`, and `close` drains. Throws when a route has no access declared, or a path is bound twice.
 */
export async function createHttp(parts: HttpParts, bindings: readonly Binding[]): Promise<FastifyInstance> {
  const app = fastify({
    serverFactory: (handler) => createNodeServer(parts.config, handler),
    loggerInstance: parts.log.child({ part: 'http' }),
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: parts.config.trustedProxies.length > 0 ? [...parts.config.trustedProxies] : false,
    bodyLimit,
    // Addresses that cannot be read (`/%`) never reach a route or a hook.
    frameworkErrors: (_error, request, reply) => {
      void answer(request, reply, refuse('unknownPath'));
    },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
  }) as unknown as FastifyInstance;
  prepareRequests(app);
  addSecurityHeaders(app, parts.config.tls !== null);
  stopInTime(app, parts.stopping);
  addCors(app, parts.config.allowedOrigins);
  addAccessLog(app, parts.served);
  addRefusals(app, parts, bindings);
  await app.register(formbody, { bodyLimit });
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } } });
  readJson(app);
  // Not read here: the handler takes it as it comes, and counts it.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  addHealth(app, parts.notReady);
  for (const binding of bindings) if (!binding.route.takes) addRoute(app, parts, binding);
  await addUnread(app, parts, bindings);
  if (parts.consoleFolder !== undefined) await serveConsole(app, parts.consoleFolder);
  return app;
}

function createNodeServer(config: HttpConfig, handler: (request: never, response: never) => void) {
  const listener = handler as Parameters<typeof createServer>[1];
  const server = config.tls ? createTlsServer({ cert: config.tls.cert, key: config.tls.key }, listener) as unknown as ReturnType<typeof createServer> : createServer(listener ?? (() => undefined));
  // Longer than proxies keep theirs, so that none meets a connection that is just closing.
  server.keepAliveTimeout = 72_000;
  return server;
}

/** Fastify's own reading of JSON, but a body announced as JSON and then left empty counts as none. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.trim() === '') done(null, undefined);
    // It calls back; that it may also return a promise is for parsers that do.
    else void parse(request, text, done);
  });
}

/** Calls whose body is of types of their own, read as it comes: nothing is made of it before they have counted it. */
async function addUnread(app: FastifyInstance, parts: HttpParts, bindings: readonly Binding[]): Promise<void> {
  for (const binding of bindings) {
    const { takes } = binding.route;
    if (!takes) continue;
    await app.register(async (apart) => {
      apart.removeAllContentTypeParsers();
      apart.addContentTypeParser([...takes], (_request, payload, done) => done(null, payload));
      addRoute(apart, parts, binding);
    });
  }
}

/** One line a request: never its query, headers or body. */
function addAccessLog(app: FastifyInstance, served: HttpParts['served']): void {
  app.addHook('onResponse', async (request, reply) => {
    served?.({ class: request.known?.route.tag ?? 'other', status: reply.statusCode, milliseconds: reply.elapsedTime });
    // What devices say is no news: as little as a message by MQTT.
    const isNews = request.method !== 'GET' && request.known?.route.ofDevices !== true;
    const level = reply.statusCode >= 400 || isNews ? 'info' : 'debug';
    request.log[level]({
      method: request.method, path: request.url.split('?')[0], status: reply.statusCode,
      ms: Math.round(reply.elapsedTime), address: request.ip, accountId: request.known?.caller?.accountId,
      action: request.known?.note?.action, refused: request.known?.refused, ...request.known?.about,
      ...(request.known?.caller?.previewBy ? { previewBy: request.known.caller.previewBy.accountId } : {}),
    }, 'request');
  });
}

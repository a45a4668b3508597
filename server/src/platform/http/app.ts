import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import compress from '@fastify/compress';
import fastify, { type FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';
import { addBodies } from './bodies.ts';
import { serveConsole } from './console-files.ts';
import type { Binding } from './context.ts';
import { addCors } from './cors.ts';
import { addHealth } from './health.ts';
import type { HttpParts } from './parts.ts';
import { addRefusals, answer } from './refusals.ts';
import { refuse } from './refuse.ts';
import { addSecurityHeaders, secure } from './security-headers.ts';
import { prepareRequests, routesOn } from './serve-route.ts';
import { addBodyTimes, answerUnreadable, createNodeServer } from './sockets.ts';
import { stopInTime } from './stop-in-time.ts';

/**
 * The HTTP floor: serves the bound routes, health, and the built console from one origin. Not listening yet: the caller
 * does `listen`, and `close` drains. Throws when a route has no access declared, or a path is bound twice.
 */
export async function createHttp(parts: HttpParts, bindings: readonly Binding[]): Promise<FastifyInstance> {
  const app = fastify({
    serverFactory: (handler) => createNodeServer(parts.config, handler as RequestListener),
    clientErrorHandler: answerUnreadable,
    loggerInstance: parts.log.child({ part: 'http' }),
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: parts.config.trustedProxies.length > 0 ? [...parts.config.trustedProxies] : false,
    // Of what is no route; each route has its own.
    bodyLimit: 16 * 1024,
    // Addresses that cannot be read (`/%`) never reach a route or a hook.
    frameworkErrors: (_error, request, reply) => {
      secure(request, reply, parts.config.tls !== null);
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
  addBodyTimes(app, parts.config.times);
  addAccessLog(app, parts.served);
  addRefusals(app, parts, bindings);
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  addBodies(app);
  const addRoute = routesOn(parts);
  addHealth(app, parts.notReady);
  for (const binding of bindings) if (!binding.route.takes) addRoute(app, binding);
  await addUnread(app, bindings, addRoute);
  if (parts.consoleFolder !== undefined) await serveConsole(app, parts.consoleFolder);
  return app;
}

/** Calls whose body is of types of their own, read as it comes: nothing is made of it before they have counted it. */
async function addUnread(
  app: FastifyInstance,
  bindings: readonly Binding[],
  addRoute: ReturnType<typeof routesOn>,
): Promise<void> {
  for (const binding of bindings) {
    const { takes } = binding.route;
    if (!takes) continue;
    await app.register(async (apart) => {
      apart.removeAllContentTypeParsers();
      apart.addContentTypeParser([...takes], (_request, payload, done) => done(null, payload));
      addRoute(apart, binding);
    });
  }
}

/** One line a request: never its query, headers or body. */
function addAccessLog(app: FastifyInstance, served: HttpParts['served']): void {
  app.addHook('onResponse', async (request, reply) => {
    served?.({ class: request.known?.route.tag ?? 'other', status: reply.statusCode, milliseconds: reply.elapsedTime });
    // Calls of devices are routine, like their messages by MQTT.
    const isNews = request.method !== 'GET' && request.known?.route.ofDevices !== true;
    const level = reply.statusCode >= 400 || isNews ? 'info' : 'debug';
    request.log[level](
      {
        method: request.method,
        path: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
        accountId: request.known?.caller?.accountId,
        action: request.known?.note?.action,
        ...(request.known?.isDry ? { dryRun: true } : {}),
        refused: request.known?.refused,
        ...request.known?.about,
        ...(request.known?.caller?.previewBy ? { previewBy: request.known.caller.previewBy.accountId } : {}),
      },
      'request',
    );
  });
}

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorName } from '../../../../contract/errors.ts';
import { codeOf } from '../start-error.ts';
import { collectedBytes, isUpload, tooLarge } from './bodies.ts';
import type { Binding } from './context.ts';
import { chooseLanguage } from './language.ts';
import type { HttpParts } from './parts.ts';
import { problemOf } from './problems.ts';
import { Refusal, refuse } from './refuse.ts';
import { actionOf, changesState, routePaths } from './routes.ts';
import { whoIs } from './who.ts';

/**
 * Answers everything that was thrown, and every unknown path, with a problem body; refused changes are written down.
 */
export function addRefusals(app: FastifyInstance, parts: HttpParts, bindings: readonly Binding[]): void {
  const methodsOf = methodTable(bindings);
  app.setErrorHandler(async (thrown: FastifyError, request, reply) => {
    const refusal = refusalOf(thrown, request);
    if (request.known) request.known.refused = refusal.code;
    const about = request.known?.about;
    if (refusal.code === 'internal') request.log.error({ err: thrown, ...about }, 'a request failed');
    else if (request.raw.readableAborted) request.log.info({ ...about }, 'a request broke off');
    else if (refusal.code === 'tookTooLong') request.log.warn({ ...about }, 'the database took too long for a request');
    else if (refusal.code === 'notReady') request.log.warn({ err: thrown, ...about }, 'the database cannot be reached');
    await writeDown(parts, request, refusal);
    // Fastify closes the connection, and who is still sending then may not read the answer. So much is read and thrown away.
    if (refusal.status === 413 && Number(request.headers['content-length'] ?? Infinity) <= mostDrained)
      reply.removeHeader('connection');
    return answer(request, reply, refusal);
  });
  // What no call takes is not read either.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return notFound(request, reply);
    return undefined;
  });
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsOf(request.url.split('?')[0] ?? '/');
    // A part of the path longer than any: the method is none of what is wrong.
    const isOther = methods.length > 0 && !methods.some((method) => method === request.method);
    return answer(
      request,
      reply,
      isOther ? refuse('methodNotAllowed', {}, { headers: { allow: methods.join(', ') } }) : refuse('unknownPath'),
    );
  };
  app.setNotFoundHandler(async (request, reply) => notFound(request, reply));
}

/** Of a body that is refused for its size, bytes. */
const mostDrained = 32 * 1024 * 1024;

/** Sends the problem body of a refusal in the caller's language. */
export function answer(request: FastifyRequest, reply: FastifyReply, refusal: Refusal) {
  const language = chooseLanguage(request.headers['accept-language']);
  const problem = problemOf(refusal, language, request.url.split('?')[0] ?? '/', request.id);
  return (
    reply
      .code(refusal.status)
      .headers({ ...refusal.details.headers, 'content-language': language, 'cache-control': 'no-store' })
      // Serialised here: fastify keeps its JSON serialiser for application/json alone.
      .header('content-type', 'application/problem+json; charset=utf-8')
      .send(JSON.stringify(problem))
  );
}

const ofFastify: Readonly<Record<number, ErrorName>> = {
  400: 'malformedBody',
  404: 'unknownPath',
  405: 'methodNotAllowed',
  413: 'tooLarge',
  415: 'unsupportedMediaType',
};
const later = { headers: { 'retry-after': '5' } };
/** The database is starting, stopping or away, or too many use it already. */
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
]);

/** The database ended a statement that took longer than an answer may. */
const tooSlow = '57014';

function refusalOf(thrown: FastifyError, { known }: FastifyRequest): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown.statusCode === 413 && known) return tooLarge({ bytes: collectedBytes(known.route) });
  const name = thrown.statusCode === undefined ? undefined : ofFastify[thrown.statusCode];
  if (name) return refuse(name);
  if (codeOf(thrown) === tooSlow) return refuse('tookTooLong', {}, later);
  return away.has(codeOf(thrown) ?? '') ? refuse('notReady', {}, later) : refuse('internal');
}

async function writeDown(parts: HttpParts, request: FastifyRequest, refusal: Refusal): Promise<void> {
  const known = request.known;
  // What a preview tried is written down whatever it was: nobody else would know of it.
  if (
    !known?.route ||
    !(changesState(known.route) || refusal.code === 'previewIsReadOnly') ||
    refusal.code === 'notReady' ||
    // A form is tried while it is filled in. Who lacks the right is written down all the same.
    (known.isDry && refusal.status !== 401 && refusal.status !== 403)
  )
    return;
  const uri = `${request.method} ${request.url.split('?')[0]}`;
  const action = known.note?.action ?? actionOf(known.route, request, known.caller?.accountId);
  try {
    if (known.caller) {
      await parts.operations.write({
        ...whoIs(known.caller, known.note?.through),
        uri,
        ip: known.ip,
        at: parts.clock.now(),
        params: known.note?.params ?? inputOf(request),
        message: action === undefined ? refusal.code : `${action} ${refusal.code}`,
        status: refusal.status,
      });
    } else {
      parts.operations.countAnonymous(
        `${request.method} ${known.route.path}`,
        known.ip,
        typeof known.route.action === 'string' ? known.route.action : undefined,
      );
    }
  } catch (thrown) {
    request.log.error({ err: thrown }, 'a refused call could not be written to the operation log');
  }
}

/** Path parameters, query and body of a request for the operation log, empty ones left out. */
export function inputOf(request: FastifyRequest): Record<string, unknown> {
  const filled = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return {
    ...(filled(request.params) ? { params: request.params } : {}),
    ...(filled(request.query) ? { query: request.query } : {}),
    ...(isUpload(request) ? {} : { body: request.body }),
  };
}

/** Which methods a concrete path offers: tells 405 from 404. */
function methodTable(bindings: readonly Binding[]): (path: string) => string[] {
  const table = bindings.flatMap(({ route }) =>
    routePaths(route).map((path) => ({
      method: route.method,
      pattern: new RegExp(
        `^${path
          .split('/')
          .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)))
          .join('/')}$`,
      ),
    })),
  );
  return (path) => [...new Set(table.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

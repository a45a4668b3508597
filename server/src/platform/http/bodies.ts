import { parse as parseForm } from 'node:querystring';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteLimits, RouteShape } from '../../../../contract/route.ts';
import { boundForm, boundJson } from './count-entries.ts';
import { refuse, type Refusal } from './refuse.ts';

/** A body that is a file: it is read as it comes, and never written down. */
export const isUpload = (request: FastifyRequest): boolean => request.body instanceof Readable;

/** What is collected before anything is made of it; a file is not, its reader counts it. Bytes. */
export const collectedBytes = ({ encoding, limits }: RouteShape): number =>
  encoding === 'bytes' ? 16 * 1024 : limits.bytes;

const mebibyte = 1024 * 1024;
const inWords = (bytes: number): string =>
  bytes < mebibyte ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / mebibyte)} MiB`;

/** 413 that names how many bytes are taken. */
export const tooLarge = ({ bytes, tooLarge: name = 'tooLarge' }: Pick<RouteLimits, 'bytes' | 'tooLarge'>): Refusal =>
  refuse(name, { most: inWords(bytes), max: Math.floor(bytes / mebibyte) });

/**
 * Reads JSON and forms: counted by the route's limits before anything is made of them. A body announced and then left
 * empty counts as none.
 */
export function addBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const most = (request: FastifyRequest): number => request.known?.route.limits.entries ?? 0;
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (text.trim() === '') return done(null, undefined);
    const refusal = refusalOf(() => boundJson(text, most(request)));
    if (refusal) return done(refusal);
    // It calls back; that it may also return a promise is for parsers that do.
    void parse(request, text, done);
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    const refusal = refusalOf(() => boundForm(text, most(request)));
    if (refusal) done(refusal);
    else done(null, parseForm(text, '&', '=', { maxKeys: 0 }));
  });
  // Not read here: the handler takes it as it comes.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
}

function refusalOf(look: () => void): Error | undefined {
  try {
    look();
    return undefined;
  } catch (thrown) {
    return thrown as Error;
  }
}

/**
 * The file of a request, counted before a chunk is handed on. Throws 413 at once when more is announced than the route
 * takes.
 */
export function uploadOf(request: FastifyRequest, { limits }: RouteShape): AsyncIterable<Uint8Array> {
  if (
    Number(request.headers['content-length'] ?? 0) > limits.bytes &&
    request.headers['content-encoding'] === undefined
  )
    throw tooLarge(limits);
  return counted(request.body as AsyncIterable<Uint8Array>, limits);
}

async function* counted(source: AsyncIterable<Uint8Array>, limits: RouteLimits): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooLarge(limits);
    yield chunk;
  }
}

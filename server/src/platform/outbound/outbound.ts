import { lookup } from 'node:dns';
import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { codeOf } from '../start-error.ts';
import { mayAsk, type Reach } from './addresses.ts';

export type OutboundFault = 'timeout' | 'dns' | 'refused' | 'tls' | 'network' | 'private' | 'redirects' | 'tooLarge';

/** No answer came from outside, and why; `message` is what the network said. */
export class OutboundError extends Error {
  readonly fault: OutboundFault;
  constructor(fault: OutboundFault, message: string = fault, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.fault = fault;
  }
}

interface OutboundQuestion {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly reach: Reach;
  readonly headers?: Readonly<Record<string, string>>;
}

interface OutboundAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly etag: string | null;
  readonly body: Buffer;
}

const mostRedirects = 3;

/**
 * Connections are kept for the next question to the same host, which does not look its name up again. So each kind of
 * question has connections of its own: one that was allowed further is never handed to one that was not.
 */
const agentsOf = () => ({
  'http:': new PlainAgent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
  'https:': new TlsAgent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
});
const agents = { public: agentsOf(), own: agentsOf(), machine: agentsOf() } satisfies Record<Reach, unknown>;

/**
 * GETs an address of the settings from outside. Every address that a name stands for is looked at before it is
 * connected to, after each redirect again, so that no setting leads into the site's own network. Throws OutboundError
 * when no answer comes.
 */
export async function askOutside(address: string, question: OutboundQuestion): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(question.timeoutMs);
  let url = new URL(address);
  for (let turn = 0; turn <= mostRedirects; turn++) {
    const response = await connect(url, question, signal);
    const next =
      (response.statusCode ?? 0) >= 300 && (response.statusCode ?? 0) < 400 ? response.headers.location : undefined;
    if (next === undefined) return read(response, question.maxBytes, signal);
    response.destroy();
    if (!URL.canParse(next, url)) throw new OutboundError('redirects', next);
    url = new URL(next, url);
  }
  throw new OutboundError('redirects');
}

function connect(url: URL, { reach, headers }: OutboundQuestion, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (thrown: unknown) => reject(faultOf(thrown, signal));
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return fail(new OutboundError('redirects', url.protocol));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // A number is not looked up, so it is judged here.
    if (isIP(host) !== 0 && !mayAsk(host, reach)) return fail(new OutboundError('private', host));
    const request = (url.protocol === 'https:' ? tlsRequest : plainRequest)(url, {
      signal,
      agent: agents[reach][url.protocol],
      lookup: guarded(reach),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Lampyris', ...headers },
    });
    request.on('response', resolve);
    request.on('error', fail);
    request.end();
  });
}

/** The system's own look-up; a name that stands for a forbidden address stands for none. */
const guarded =
  (reach: Reach): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const forbidden = error ? undefined : found.find(({ address }) => !mayAsk(address, reach));
      const first = error ? undefined : found[0];
      if (error || !first) done(error ?? Object.assign(new Error(hostname), { code: 'ENOTFOUND' }), '', 0);
      else if (forbidden)
        done(Object.assign(new OutboundError('private', `${hostname} → ${forbidden.address}`)), '', 0);
      else if (options.all) done(null, found);
      else done(null, first.address, first.family);
    });
  };

async function read(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<OutboundAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new OutboundError('tooLarge', `> ${maxBytes}`);
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks);
    // Some send it packed though nobody asked.
    const unpacked =
      response.headers['content-encoding'] === 'gzip' ? gunzipSync(body, { maxOutputLength: maxBytes }) : body;
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'] ?? null,
      etag: response.headers.etag ?? null,
      body: unpacked,
    };
  } catch (thrown) {
    response.destroy();
    throw faultOf(thrown, signal);
  }
}

const dnsCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL', 'EAI_NONAME']);

function faultOf(thrown: unknown, signal: AbortSignal): OutboundError {
  if (thrown instanceof OutboundError) return thrown;
  // Several addresses were tried: the first refusal tells.
  const first: unknown = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const [code, message] = [String(codeOf(first) ?? ''), first instanceof Error ? first.message : ''];
  if (signal.aborted || code === 'ETIMEDOUT') return new OutboundError('timeout', code, thrown);
  if (dnsCodes.has(code)) return new OutboundError('dns', message, thrown);
  if (code === 'ECONNREFUSED') return new OutboundError('refused', message, thrown);
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|UNABLE_|SELF_SIGNED|EPROTO)/.test(code))
    return new OutboundError('tls', message || code, thrown);
  return new OutboundError(code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLarge' : 'network', message || code, thrown);
}

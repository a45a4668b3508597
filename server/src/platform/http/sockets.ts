import { STATUS_CODES, createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuse } from './refuse.ts';
import { problemOf } from './problems.ts';
import type { HttpConfig } from './parts.ts';
import { securityHeaders } from './security-headers.ts';

/** Time limits for a request to arrive, milliseconds. */
export interface SocketTimes {
  /** All headers of a request, and before them the handshake of TLS. */
  readonly headers: number;
  /** The whole body of a call that is read before it is answered. */
  readonly body: number;
  /** Between two pieces of a file. */
  readonly silence: number;
}
const usualTimes: SocketTimes = { headers: 20_000, body: 120_000, silence: 60_000 };
/** A file of 4 GiB over half a megabyte a second. */
const longestRequestMs = 2.5 * 3_600_000;

/** The server below Fastify. Headers that do not come in time end their connection. */
export function createNodeServer({ tls, times }: HttpConfig, listener: RequestListener): Server {
  const { headers } = { ...usualTimes, ...times };
  // Node looks at its connections at intervals: the time is up one look earlier.
  const look = Math.ceil(headers / 20);
  const options = {
    headersTimeout: headers - look,
    requestTimeout: longestRequestMs,
    connectionsCheckingInterval: look,
  };
  const server = tls
    ? (createTlsServer(
        { ...options, cert: tls.cert, key: tls.key, handshakeTimeout: headers },
        listener,
      ) as unknown as Server)
    : createServer(options, listener);
  // Longer than proxies keep theirs, so that none meets a connection that is just closing.
  server.keepAliveTimeout = 72_000;
  return server;
}

/** Ends connections whose body does not come: what is collected has its time in all, a file only between its pieces. */
export function addBodyTimes(app: FastifyInstance, times: Partial<SocketTimes> = {}): void {
  const { body, silence } = { ...usualTimes, ...times };
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (raw.complete || (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined))
      return;
    const isFile = routeOptions.config.takesFile === true;
    let read = raw.socket.bytesRead;
    const timer = setInterval(
      () => {
        if (!isFile || raw.socket.bytesRead === read) raw.destroy();
        read = raw.socket.bytesRead;
      },
      isFile ? silence : body,
    ).unref();
    for (const event of ['end', 'close'] as const) raw.once(event, () => clearInterval(timer));
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file, read as it comes. */
    readonly takesFile?: boolean;
  }
}

const refusalOf = (code: string | undefined) =>
  refuse(
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'slowRequest'
      : code === 'HPE_HEADER_OVERFLOW'
        ? 'longHeaders'
        : 'malformedBody',
  );

/** Answers what was no readable request, and ends its connection. */
export function answerUnreadable(thrown: Error & { code?: string }, socket: Socket): void {
  if (thrown.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal = refusalOf(thrown.code);
  const text = JSON.stringify(problemOf(refusal, 'zh-CN', '', ''));
  const headers = {
    ...securityHeaders,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    connection: 'close',
  };
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${text}`,
  );
}

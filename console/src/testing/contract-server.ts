import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { livePath, type ServerMessage } from '../../../contract/live.ts';
import type { DryRunAnswer, Would } from '../../../contract/dry-run.ts';
import type { ReplyOf, RouteShape } from '../../../contract/route.ts';

/** A request as the server saw it. */
export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
type Handler = (request: SeenRequest) => Answer | Promise<Answer>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const isDry = ({ query }: SeenRequest): boolean => query.has('dryRun');
const wouldAnswer = (things: Would['things'], answer: unknown = null): DryRunAnswer => ({
  dryRun: true,
  status: 200,
  answer,
  would: { changed: Object.keys(things).length, things },
});
const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/:[A-Za-z0-9_]+/g, '[^/]+')}$`);

/**
 * A real HTTP server whose replies are typed by the contract, for tests of what an operator sees. The page's `fetch`
 * reaches it as its own origin. Close it after the test.
 */
export async function contractServer() {
  const handlers: { method: string; path: RegExp; handler: Handler; dry: boolean }[] = [];
  const seen: SeenRequest[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://test');
      const one: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: await bodyOf(request),
      };
      seen.push(one);
      // An upload comes from the page's own origin, which in a test is another one than this server's.
      if (one.method === 'OPTIONS') {
        seen.pop();
        response.writeHead(204, {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '',
          'access-control-allow-methods': '*',
        });
        return void response.end();
      }
      const dry = isDry(one);
      const found = handlers.findLast(
        (each) => each.dry === dry && each.method === one.method && each.path.test(one.path),
      );
      const answer = found
        ? await found.handler(one)
        : dry
          ? { status: 200, body: wouldAnswer({}) }
          : { status: 404, body: { status: 404, message: `nothing answers ${one.method} ${one.path}` } };
      response.writeHead(answer.status, {
        'content-type': answer.status < 400 ? 'application/json' : 'application/problem+json',
        'access-control-allow-origin': '*',
        ...answer.headers,
      });
      response.end(
        typeof answer.body === 'string' && answer.headers?.['content-type'] ? answer.body : JSON.stringify(answer.body),
      );
    })();
  });
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready);
  });
  // The live line: welcomes everybody and says nothing more. Node's own WebSocket does not accept jsdom's events.
  const sockets = new WebSocketServer({ server, path: livePath });
  sockets.on('connection', (peer) =>
    peer.on('message', (data: Buffer) => {
      if (data.includes('"hello"')) peer.send(JSON.stringify({ type: 'welcome', at: new Date().toISOString() }));
    }),
  );
  vi.stubGlobal('WebSocket', WebSocket);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const direct = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init?: RequestInit) => direct(new URL(address, origin), init));
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends XMLHttpRequest {
      override open(method: string, address: string): void {
        super.open(method, new URL(address, origin));
      }
    },
  );
  const on = (route: RouteShape, handler: Handler, dry = false): void =>
    void handlers.push({ method: route.method, path: pattern(route.path), handler, dry });
  const requests = (route: RouteShape, dry: boolean): SeenRequest[] =>
    seen.filter((one) => one.method === route.method && isDry(one) === dry && pattern(route.path).test(one.path));
  return {
    origin,
    liveUrl: `${origin.replace('http', 'ws')}${livePath}`,
    seen,
    /** Requests of a route that are no dry runs, in order. */
    of: (route: RouteShape): SeenRequest[] => requests(route, false),
    /** Dry runs of a route, in order. */
    triesOf: (route: RouteShape): SeenRequest[] => requests(route, true),
    /** What dry runs of a route would change, and the answer that they would get; without it nothing. */
    wouldChange: <const R extends RouteShape>(
      route: R,
      things: Would['things'],
      answer: ReplyOf<R> | null = null,
    ): void => on(route, () => ({ status: 200, body: wouldAnswer(things, answer) }), true),
    /** Refuses dry runs of a route with a problem body. */
    refuseTries: (route: RouteShape, status: number, problem: Record<string, unknown>): void =>
      on(route, () => ({ status, body: { status, ...problem } }), true),
    /** Answers a route with what the contract promises. The latest answer counts. */
    answer<const R extends RouteShape>(route: R, reply: ReplyOf<R> | ((request: SeenRequest) => ReplyOf<R>)): void {
      on(route, (request) => ({
        status: route.status ?? 200,
        body: typeof reply === 'function' ? (reply as (request: SeenRequest) => ReplyOf<R>)(request) : reply,
      }));
    },
    /** Refuses a route with a problem body. */
    refuse: (route: RouteShape, status: number, problem: Record<string, unknown> = {}): void =>
      on(route, () => ({ status, body: { status, ...problem } })),
    on: (route: RouteShape, handler: Handler): void => on(route, handler),
    /** Sends a live message to everybody who is connected. */
    tell(message: ServerMessage): void {
      for (const peer of sockets.clients) peer.send(JSON.stringify(message));
    },
    async close(): Promise<void> {
      vi.unstubAllGlobals();
      for (const peer of sockets.clients) peer.terminate();
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
export type ContractServer = Awaited<ReturnType<typeof contractServer>>;

/** For a file of tests that draw: each has a server of its own, and time for what a busy machine answers late. */
export function serverForEach(): () => ContractServer {
  configure({ asyncUtilTimeout: 8_000 });
  vi.setConfig({ testTimeout: 30_000 });
  let server: ContractServer | undefined;
  beforeEach(async () => {
    server = await contractServer();
  });
  afterEach(async () => {
    cleanup();
    vi.restoreAllMocks();
    await server?.close();
    server = undefined;
  });
  return () => {
    if (!server) throw new Error('No test runs');
    return server;
  };
}

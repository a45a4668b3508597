import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests in work have, and a connection that never finished the head of its request, milliseconds. */
const requestsMs = 4000;
const halfOpenMs = 500;
const lookMs = 100;

/** The same for a connection and for the TLS in it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Makes `app.close()` end in time, whatever is connected: a connection is ended as soon as nothing is under way on it,
 * and after 4 s all are. From then on, and from `stopping` on, every answer says `Connection: close`.
 */
export function stopInTime(app: FastifyInstance, stopping?: AbortSignal): void {
  const server: Server = app.server;
  const sockets = new Set<Socket>();
  const underWay = new Map<string, number>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const end = endOf(socket);
    underWay.set(end, (underWay.get(end) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(end) ?? 1) - 1;
      if (left === 0) underWay.delete(end);
      else underWay.set(end, left);
    });
  });
  app.addHook('onSend', async (_request, reply) => {
    if (closing || stopping?.aborted) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    closing = true;
    if (!server.listening) return;
    const began = performance.now();
    const look = setInterval(() => {
      const waited = performance.now() - began;
      server.closeIdleConnections();
      if (waited < halfOpenMs) return;
      for (const socket of sockets) if (waited >= requestsMs || !underWay.has(endOf(socket))) socket.destroy();
    }, lookMs);
    server.once('close', () => clearInterval(look));
  });
}

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { addressKey } from '../http/index.ts';
import type { Log } from '../log.ts';
import { codeOf, reasonOf, StartError } from '../start-error.ts';
import { WaitingRoom } from '../waiting-room.ts';
import type { Tally } from './broker.ts';
import type { EmbeddedSettings } from './embedded-settings.ts';
import type { Limits } from './limits.ts';

interface PortsParts {
  readonly limits: Limits;
  readonly log: Log;
  readonly refused: Tally;
  /** MQTT begins on a connection; `socket` is the one below its TLS, or itself. */
  readonly speak: (stream: Socket, socket: Socket) => void;
}

/** The same for a connection and for the TLS in it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** The ports of the embedded broker: how many connections there may be, and how many that have not signed in. */
export class Ports {
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #refused: Tally;
  readonly #speak: PortsParts['speak'];
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waiting: WaitingRoom<Socket>;
  #closed = false;

  constructor({ limits, log, refused, speak }: PortsParts) {
    this.#limits = limits;
    this.#log = log;
    this.#refused = refused;
    this.#speak = speak;
    this.#waiting = new WaitingRoom({ all: limits.waiting, ofAddress: limits.waitingOfAddress }, (socket) => {
      refused.add('tooManyWaiting');
      socket.destroy();
    });
  }

  /** Resolves with the port; throws StartError when it is taken. `variable`: the setting that names it. */
  open(host: string, port: number, variable: string): Promise<number> {
    const server = createServer((socket) => {
      if (this.#arrive(socket)) this.#speak(socket, socket);
    });
    return this.#listen(server, host, port, variable);
  }

  openTls(tls: NonNullable<EmbeddedSettings['tls']>, host: string, port: number, variable: string): Promise<number> {
    return this.#listen(this.#tlsServer(tls), host, port, variable);
  }

  /** Takes it out of the waiting room. */
  signsIn(socket: Socket): void {
    this.#waiting.leave(socket, addressKey(socket.remoteAddress ?? ''));
  }

  /** No further connections; those that are there stay until `endAll`. */
  close(): void {
    this.#closed = true;
    for (const server of this.#servers) server.close();
  }

  endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #listen(server: Server, host: string, port: number, variable: string): Promise<number> {
    this.#servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', (thrown) =>
        reject(
          codeOf(thrown) === 'EADDRINUSE'
            ? new StartError(
                `${variable}=${port}: the port is already taken on ${host}; stop the other program or choose another port`,
              )
            : new StartError(`${variable}=${port}: cannot listen on ${host}: ${reasonOf(thrown)}`),
        ),
      );
      server.listen(port, host, () => {
        server.removeAllListeners('error');
        server.on('error', (thrown) => this.#log.warn({ reason: reasonOf(thrown) }, 'the MQTT port had an error'));
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /**
   * Connections stand in the waiting room from their first byte on: a handshake that does not come to its end is as
   * silent as no CONNECT.
   */
  #tlsServer(tls: NonNullable<EmbeddedSettings['tls']>): Server {
    const arrived = new Map<string, Socket>();
    const server = createTlsServer({ ...tls, handshakeTimeout: this.#limits.connectMs }, (stream) => {
      const socket = arrived.get(endOf(stream));
      if (socket) this.#speak(stream, socket);
      else stream.destroy();
    });
    server.on('connection', (socket: Socket) => {
      if (!this.#arrive(socket)) return;
      const end = endOf(socket);
      arrived.set(end, socket);
      // Another may have come from the same end before this one is known to be closed.
      socket.once('close', () => {
        if (arrived.get(end) === socket) arrived.delete(end);
      });
    });
    return server.on('tlsClientError', (thrown, stream) => {
      this.#log.debug({ reason: reasonOf(thrown) }, 'a connection ended before its handshake');
      stream.destroy();
    });
  }

  /** False: there is no room for it. */
  #arrive(socket: Socket): boolean {
    if (this.#closed || this.#sockets.size - this.#waiting.size >= this.#limits.connections) {
      this.#refused.add('tooManyConnections');
      socket.destroy();
      return false;
    }
    const address = addressKey(socket.remoteAddress ?? '');
    this.#sockets.add(socket);
    this.#waiting.enter(socket, address);
    socket.setNoDelay(true);
    // A device without a keep-alive of its own must not stay connected without end.
    socket.setKeepAlive(true, 60_000);
    socket.once('close', () => {
      this.#waiting.leave(socket, address);
      this.#sockets.delete(socket);
    });
    return true;
  }
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generate } from 'mqtt-packet';

/** An MQTT connection that costs the generator as little as possible: packets are made before, answers only counted. */
export interface Talker {
  /** Sends packets (QoS 1, ids from 1 on), at most `inFlight` unanswered; resolves when all are acknowledged. */
  say(packets: readonly Buffer[], inFlight: number): Promise<void>;
  close(): void;
}

export interface TalkerOptions {
  readonly port: number;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly subscribe?: readonly string[];
  /** Told of each message; it is acknowledged. */
  readonly heard?: () => void;
}

/** Connects and subscribes. */
export async function openTalker({
  port,
  clientId,
  username,
  password,
  subscribe = [],
  heard = () => undefined,
}: TalkerOptions): Promise<Talker> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const answered = Promise.withResolvers<void>();
  let acknowledged = (): void => undefined;
  read(socket, (type, body) => {
    if (type === 2 && body[1] !== 0) answered.reject(new Error(`not let in: ${body[1]}`));
    else if (type === 2 && subscribe.length > 0)
      socket.write(
        generate({ cmd: 'subscribe', messageId: 1, subscriptions: subscribe.map((topic) => ({ topic, qos: 1 })) }),
      );
    else if (type === 2 || type === 9) answered.resolve();
    else if (type === 4) acknowledged();
    else if (type === 3) {
      const topic = body.readUInt16BE(0);
      socket.write(Buffer.from([0x40, 2, body[2 + topic] ?? 0, body[3 + topic] ?? 0]));
      heard();
    }
  });
  let failed = answered.reject;
  socket.on('error', (thrown) => failed(thrown));
  socket.on('close', () => failed(new Error(`the connection of ${clientId} ended`)));
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId,
      username,
      password: Buffer.from(password),
      keepalive: 600,
    }),
  );
  await answered.promise;
  return {
    say: (packets, inFlight) =>
      new Promise((resolve, reject) => {
        failed = reject;
        let sent = Math.min(inFlight, packets.length);
        let back = 0;
        acknowledged = () => {
          back += 1;
          if (back === packets.length) resolve();
          const next = packets[sent];
          if (!next) return;
          sent += 1;
          socket.write(next);
        };
        socket.write(Buffer.concat(packets.slice(0, sent)));
      }),
    close: () => {
      failed = () => undefined;
      socket.destroy();
    },
  };
}

/** A QoS 1 message as bytes. */
export const messageBytes = (topic: string, payload: string, messageId: number): Buffer =>
  generate({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false });

/** Packets by their type; our own ones are short, but a chunk may end anywhere. */
function read(socket: Socket, packet: (type: number, body: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      let length = 0;
      let head = at + 1;
      for (let shift = 0; ; shift += 7, head += 1) {
        const byte = bytes[head];
        if (byte === undefined) break;
        length += (byte & 0x7f) * 2 ** shift;
        if ((byte & 0x80) === 0) break;
      }
      if (head >= bytes.length || head + 1 + length > bytes.length) break;
      packet((bytes[at] ?? 0) >> 4, bytes.subarray(head + 1, head + 1 + length));
      at = head + 1 + length;
      if (at >= bytes.length) break;
    }
    rest = bytes.subarray(at);
  });
}

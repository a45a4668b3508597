import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Seconds of keep alive in the CONNECT of MQTT 3.1.1 with which a connection begins. */
function keepAliveIn(packet: Buffer): number {
  let at = 1;
  // The remaining length goes on while the highest bit is set.
  while ((packet[at] ?? 0) > 127) at += 1;
  // Name of the protocol with its length, level and flags.
  return packet.readUInt16BE(at + 1 + 6 + 2);
}

/** A way to the broker on this port that sees what keep alive each connection begins with. */
export async function keepAlivesTo(port: number) {
  const seen: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((device) => {
    const broker = connect(port, '127.0.0.1');
    device.once('data', (packet: Buffer) => seen.push(keepAliveIn(packet)));
    for (const socket of [device, broker]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        device.destroy();
        broker.destroy();
      });
    }
    device.pipe(broker).pipe(device);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Ends all connections, as a broken line does. */
    breakAll: () => sockets.forEach((socket) => socket.destroy()),
    close: () => void server.close(),
  };
}

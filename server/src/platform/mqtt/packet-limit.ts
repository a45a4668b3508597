import type { Duplex } from 'node:stream';

/**
 * Follows the packet boundaries of an MQTT byte stream and tells when a packet is announced that is longer than allowed, before
 * any of it is collected. `first` holds for the first packet (CONNECT, from somebody unknown), `rest` for the others; bytes.
 */
export function packetScanner(first: number, rest: number): (chunk: Uint8Array) => boolean {
  let limit = first;
  let skip = 0;
  // 0: at a packet's type byte; 1 to 4: at that byte of its length.
  let position = 0;
  let length = 0;
  return (chunk) => {
    for (let index = 0; index < chunk.length; ) {
      if (skip > 0) {
        const taken = Math.min(skip, chunk.length - index);
        skip -= taken;
        index += taken;
        continue;
      }
      const byte = chunk[index++] ?? 0;
      if (position === 0) {
        position = 1;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) * 128 ** (position - 1);
      if (length > limit) return false;
      if ((byte & 0x80) === 0) {
        skip = length;
        position = 0;
        limit = rest;
      } else if (++position > 4) return false;
    }
    return true;
  };
}

/** Ends the connection at the announcement of a packet that is too long: the broker's parser would collect it all. */
export function limitPackets(socket: Duplex, limits: { readonly first: number; readonly rest: number }, refused: () => void): void {
  const scan = packetScanner(limits.first, limits.rest);
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (!(chunk instanceof Uint8Array) || scan(chunk)) return chunk;
    refused();
    socket.destroy();
    return null;
  };
}

import type { Duplex } from 'node:stream';

/** Bytes of a packet, counted from behind its length. */
export interface PacketLimits {
  /** The first packet, which comes before the sign-in. */
  readonly first: number;
  /** All others, as far as they are read whole. */
  readonly whole: number;
  /** A PUBLISH up to here is cut to `whole`: the rest of it is passed over, and the connection goes on. */
  readonly cut: number;
}

const publish = 3;

/**
 * Follows the packet boundaries of an MQTT byte stream and returns what of a chunk is to be read: all of it, nearly
 * always. A PUBLISH that is too long comes out shorter, with a length that says so, before any of it is collected. A
 * number: a packet of so many bytes was announced that is not taken at all. `shortened` hears, in their order, how long
 * the packets are whose read part is as long as `whole`.
 */
export function packetScanner(
  { first, whole, cut }: PacketLimits,
  shortened: (bytes: number) => void = () => undefined,
): (chunk: Uint8Array) => Uint8Array | number {
  let limit = first;
  let isFirst = true;
  /** Bytes of the packet that are still to come: to be read, and then to be passed over. */
  let take = 0;
  let skip = 0;
  // 0: at a packet's type byte; 1 to 4: at that byte of its length.
  let position = 0;
  let type = 0;
  let length = 0;
  /** The type byte and what is known of its length, while a chunk ended between them. */
  let begun: number[] = [];
  return (chunk) => {
    const parts: Uint8Array[] = [];
    // What stands between these two goes on as it is. A header that began in the chunk before is not part of it.
    let from = 0;
    let headerAt = begun.length > 0 ? -1 : 0;
    const keep = (until: number) => {
      if (until > from) parts.push(chunk.subarray(from, until));
    };
    for (let index = 0; index < chunk.length;) {
      if (take > 0) {
        const taken = Math.min(take, chunk.length - index);
        take -= taken;
        index += taken;
        continue;
      }
      if (skip > 0) {
        keep(index);
        const taken = Math.min(skip, chunk.length - index);
        skip -= taken;
        index += taken;
        from = index;
        continue;
      }
      const byte = chunk[index++] ?? 0;
      if (position === 0) {
        headerAt = index - 1;
        begun = [byte];
        type = byte >> 4;
        length = 0;
        position = 1;
        continue;
      }
      begun.push(byte);
      length += (byte & 0x7f) * 128 ** (position - 1);
      if (length > (isFirst || type !== publish ? limit : cut)) return length;
      if ((byte & 0x80) === 0) {
        take = Math.min(length, limit);
        skip = length - take;
        if (take === whole && type === publish && !isFirst) shortened(length);
        if (skip > 0 || headerAt < 0) {
          keep(headerAt);
          parts.push(Uint8Array.from(skip > 0 ? [begun[0] ?? 0, ...lengthBytes(take)] : begun));
          from = index;
        }
        begun = [];
        position = 0;
        isFirst = false;
        limit = whole;
      } else if (++position > 4) return length;
    }
    // A header that goes on in the next chunk goes with that.
    keep(position > 0 ? headerAt : chunk.length);
    const [only] = parts;
    return parts.length === 1 && only ? only : Buffer.concat(parts);
  };
}

function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  for (let left = length; ;) {
    const low = left % 128;
    left = Math.floor(left / 128);
    bytes.push(left > 0 ? low | 0x80 : low);
    if (left === 0) return bytes;
  }
}

/** What hears of packets that are too long, with their bytes. */
export interface PacketWitness {
  /** The connection ends for it. */
  readonly refused: (bytes: number) => void;
  /** Its beginning is read. */
  readonly shortened?: (bytes: number) => void;
}

/** Keeps packets that are too long from the parser of the broker, which would collect them. */
export function limitPackets(socket: Duplex, limits: PacketLimits, { refused, shortened }: PacketWitness): void {
  const scan = packetScanner(limits, shortened);
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!(chunk instanceof Uint8Array)) return chunk;
      const left = scan(chunk);
      if (typeof left === 'number') {
        refused(left);
        socket.destroy();
        return null;
      }
      if (left.length > 0) return left;
    }
  };
}

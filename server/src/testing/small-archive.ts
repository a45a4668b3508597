import { gzipSync } from 'node:zlib';

/**
 * A PMTiles archive (version 3) of the whole world in one picture, with room for zooms 0 and 1. `type` as the format
 * numbers it: 1 vector, 2 png. `packed`: everything by gzip. `padding`: so many bytes that say nothing after the
 * directory or the metadata.
 */
export function smallArchive(
  tile: Buffer,
  type = 2,
  { packed = false, padding = {} }: { packed?: boolean; padding?: { directory?: number; metadata?: number } } = {},
): Buffer {
  const pack = (bytes: Buffer) => (packed ? gzipSync(bytes) : bytes);
  const metadata = pack(
    Buffer.from(
      JSON.stringify({ attribution: '<a href="x">&copy; Test</a> &amp; Co' }) + ' '.repeat(padding.metadata ?? 0),
    ),
  );
  const picture = pack(tile);
  const length: number[] = [];
  for (let rest = picture.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest >= 128 ? (rest % 128) + 128 : rest);
    if (rest < 128) break;
  }
  // One entry: tile 0, once, of this length, at the beginning.
  const root = pack(Buffer.concat([Buffer.from([1, 0, 1, ...length, 1]), Buffer.alloc(padding.directory ?? 0)]));
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  const [rootAt, metadataAt, dataAt] = [127, 127 + root.length, 127 + root.length + metadata.length];
  [rootAt, root.length, metadataAt, metadata.length, dataAt, 0, dataAt, picture.length, 1, 1, 1].forEach(
    (value, index) => header.writeBigUInt64LE(BigInt(value), 8 + index * 8),
  );
  header.set([1, packed ? 2 : 1, packed ? 2 : 1, type, 0, 1], 96);
  [-180, -85, 180, 85].forEach((degrees, index) => header.writeInt32LE(degrees * 1e7, 102 + index * 4));
  return Buffer.concat([header, root, metadata, picture]);
}

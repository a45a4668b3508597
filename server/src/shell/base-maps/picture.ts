/** What a tile's bytes are, whatever the service calls them. */
export interface TileKind {
  readonly type: string;
  readonly extension: string;
  readonly width: number | null;
  readonly height: number | null;
}

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);

/** Reads the first bytes of a picture; undefined for what is none (an error page, say). */
export function pictureKind(bytes: Buffer): TileKind | undefined {
  if (bytes.length < 24) return undefined;
  if (ascii(bytes, 1, 4) === 'PNG')
    return { type: 'image/png', extension: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (ascii(bytes, 0, 4) === 'GIF8')
    return { type: 'image/gif', extension: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return { type: 'image/jpeg', extension: 'jpg', ...jpegSize(bytes) };
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP')
    return { type: 'image/webp', extension: 'webp', ...webpSize(bytes) };
  if (ascii(bytes, 4, 8) === 'ftyp' && /^avi[fs]/.test(ascii(bytes, 8, 12)))
    return { type: 'image/avif', extension: 'avif', width: null, height: null };
  return undefined;
}

const unknown = { width: null, height: null };

/** The size stands in the frame's header (SOF), behind other segments. */
function jpegSize(bytes: Buffer): { width: number | null; height: number | null } {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return unknown;
}

function webpSize(bytes: Buffer): { width: number | null; height: number | null } {
  const form = ascii(bytes, 12, 16);
  if (form === 'VP8X' && bytes.length >= 30)
    return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (form === 'VP8 ' && bytes.length >= 30)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L' || bytes.length < 25) return unknown;
  const packed = bytes.readUInt32LE(21);
  return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >> 14) & 0x3fff) };
}

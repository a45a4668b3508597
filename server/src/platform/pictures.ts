import { createCanvas, loadImage } from '@napi-rs/canvas';

export interface PictureShape {
  /** The longest side that is kept, pixels; a larger picture is made smaller. */
  readonly longestSide: number;
  /**
   * Drawn on white as JPEG, whatever it was (photographs, avatars). Without it a png or gif stays transparent as png
   * (logos).
   */
  readonly flat?: boolean;
}

type Kind = 'png' | 'jpeg' | 'gif';
export const mostPixels = 40_000_000;
const signatures: readonly (readonly [Kind, readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
];

/**
 * A picture's own bytes never reach another browser: it is decoded and drawn again. `source` is a data address
 * (base64); what it is, its bytes say: png, jpeg or gif. Undefined for anything else, for what does not decode, and for
 * more than 40 million pixels.
 */
export async function redrawPicture(
  source: string,
  { longestSide, flat = false }: PictureShape,
): Promise<string | undefined> {
  const encoded = /^data:[^,]{0,100};base64,/i.exec(source.slice(0, 120))?.[0];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(source.slice(encoded.length), 'base64');
  const kind = signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];
  const size = kind && sizeOf(kind, bytes);
  if (!size || size.width * size.height > mostPixels || size.width * size.height === 0) return undefined;
  try {
    const image = await loadImage(bytes);
    const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
    const canvas = createCanvas(
      Math.max(1, Math.round(image.width * scale)),
      Math.max(1, Math.round(image.height * scale)),
    );
    const context = canvas.getContext('2d');
    const asJpeg = flat || kind === 'jpeg';
    if (asJpeg) {
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
    }
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return asJpeg
      ? `data:image/jpeg;base64,${(await canvas.encode('jpeg', 82)).toString('base64')}`
      : `data:image/png;base64,${(await canvas.encode('png')).toString('base64')}`;
  } catch {
    return undefined;
  }
}

/** Width and height from the header, before anything is decoded: a small file may claim a huge picture. */
export function sizeOf(kind: Kind, bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24) return undefined;
  if (kind === 'png') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (kind === 'gif') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    // Start-of-frame markers carry the size; C4, C8 and CC are something else.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

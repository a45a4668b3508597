import { createCanvas, loadImage } from '@napi-rs/canvas';
import { refuseProblems } from '../../platform/http/index.ts';

const longestSide = 1280;
const mostPixels = 40_000_000;

/**
 * A picture's own bytes never reach another browser: it is decoded and drawn again as JPEG, at most 1280 px. `source` is a data
 * address whose kind the catalogue has checked; refuses what does not decode, or would decode to more than 40 million pixels.
 */
export async function redraw(field: string, source: string): Promise<string> {
  const bytes = Buffer.from(source.slice(source.indexOf(',') + 1), 'base64');
  const size = sizeOf(bytes);
  if (!size || size.width * size.height > mostPixels || size.width * size.height === 0) throw refuseProblems([{ field, rule: 'picture' }]);
  try {
    const image = await loadImage(bytes);
    const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
    const canvas = createCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return `data:image/jpeg;base64,${(await canvas.encode('jpeg', 82)).toString('base64')}`;
  } catch {
    throw refuseProblems([{ field, rule: 'picture' }]);
  }
}

/** Width and height from the header, before anything is decoded: a small file may claim a huge picture. */
function sizeOf(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 24) return null;
  if (bytes[0] === 0x89) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes[0] === 0x47) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    // Start-of-frame markers carry the size; C4, C8 and CC are something else.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

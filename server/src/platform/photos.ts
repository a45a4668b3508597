import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas';
import { readExif, type Exif } from './exif.ts';
import { mostPixels, sizeOf } from './pictures.ts';

export type PhotoType = 'jpeg' | 'png' | 'webp';
export interface Photo extends Exif {
  /** Drawn again, the right way up: a png stays one (drawings with clear edges), everything else is a jpeg. */
  readonly content: Uint8Array;
  readonly type: 'jpeg' | 'png';
  readonly width: number;
  readonly height: number;
  /** A jpeg. */
  readonly thumbnail: Uint8Array;
}

/** What is larger is made smaller: enough to read the plate of a controller. */
const longestSide = 3200;
const thumbnailSide = 360;

/**
 * A photograph's own bytes reach nobody: it is decoded and drawn again, without what stood beside it. Undefined when it
 * does not decode or claims more than 40 million pixels.
 */
export async function drawPhoto(bytes: Buffer, type: PhotoType): Promise<Photo | undefined> {
  const claimed = type === 'webp' ? sizeOfWebp(bytes) : sizeOf(type, bytes);
  if (!claimed || claimed.width * claimed.height === 0 || claimed.width * claimed.height > mostPixels) return undefined;
  try {
    const image = await loadImage(bytes);
    const asPng = type === 'png';
    const drawn = scaled(image, longestSide, !asPng);
    const content = asPng ? await drawn.encode('png') : await drawn.encode('jpeg', 86);
    const thumbnail = await scaled(drawn, thumbnailSide, true).encode('jpeg', 78);
    return {
      content,
      type: asPng ? 'png' : 'jpeg',
      width: drawn.width,
      height: drawn.height,
      thumbnail,
      ...(type === 'jpeg' ? readExif(bytes) : { takenAt: null, longitude: null, latitude: null }),
    };
  } catch {
    return undefined;
  }
}

function scaled(source: Image | Canvas, longest: number, onWhite: boolean): Canvas {
  const scale = Math.min(1, longest / Math.max(source.width, source.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(source.width * scale)),
    Math.max(1, Math.round(source.height * scale)),
  );
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  if (onWhite) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Of the three shapes of WebP: lossy, lossless, extended. */
function sizeOfWebp(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 30) return undefined;
  const shape = bytes.toString('latin1', 12, 16);
  if (shape === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (shape === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (shape !== 'VP8L') return undefined;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

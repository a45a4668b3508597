import { longestAvatar } from '../../../../contract/specified/users.ts';
import { sideOf, type Crop, type Size } from './crop.ts';

/** What a picture file is by its bytes; jpg is jpeg. */
export type PictureKind = 'png' | 'jpeg' | 'gif';

/** A decoded picture that lies the right way up. `bitmap.close()` gives its memory back. */
export interface Picture {
  bitmap: ImageBitmap;
  kind: PictureKind;
}

export type PictureProblem = 'format' | 'unreadable' | 'tooLarge';

/** A larger picture is made smaller while it is decoded, off the main thread: its longest side, pixels. */
const workingSide = 4096;
/** More pixels than any camera takes, fewer than what brings a browser down. */
const mostPixels = 120_000_000;
/** The side of what comes out, pixels: more than the server keeps of it, and seldom more than an avatar may be. */
const longestResult = 640;
/** A size stands in the first bytes of png and gif, and after the notes of a camera in a jpeg. */
const headBytes = 512 * 1024;

const signatures: readonly (readonly [PictureKind, readonly number[]])[] = [
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['gif', [0x47, 0x49, 0x46, 0x38]],
];

export const kindOf = (bytes: Uint8Array): PictureKind | undefined =>
  signatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte))?.[0];

/**
 * Width and height as the file's head gives them, before anything is decoded; undefined when they do not stand there.
 */
export function sizeIn(kind: PictureKind, bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24) return undefined;
  if (kind === 'png') return { width: view.getUint32(16), height: view.getUint32(20) };
  if (kind === 'gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    // Start-of-frame markers carry the size; C4, C8 and CC are something else.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Reads a chosen file; what it is, its bytes say, whatever its name. The camera's orientation is respected. */
export async function readPicture(
  file: Blob,
  accept: readonly PictureKind[],
): Promise<Picture | { problem: PictureProblem }> {
  try {
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    const kind = kindOf(head);
    if (kind === undefined || !accept.includes(kind)) return { problem: 'format' };
    const size = sizeIn(kind, head);
    if (size !== undefined && size.width * size.height > mostPixels) return { problem: 'tooLarge' };
    const longest = size === undefined ? 0 : Math.max(size.width, size.height);
    // One side alone: the other follows, also for a picture that the camera turned.
    const smaller: ImageBitmapOptions =
      size !== undefined && longest > workingSide
        ? { resizeWidth: Math.round((size.width * workingSide) / longest), resizeQuality: 'high' }
        : {};
    return { kind, bitmap: await createImageBitmap(file, { imageOrientation: 'from-image', ...smaller }) };
  } catch {
    return { problem: 'unreadable' };
  }
}

/**
 * Draws a picture so that the square fills `share` of the canvas, from its middle; what lies around it is drawn too.
 */
export function draw(canvas: HTMLCanvasElement, { bitmap }: Picture, crop: Crop, share: number): void {
  const context = canvas.getContext('2d');
  // A closed bitmap has no size.
  if (!context || bitmap.width === 0) return;
  const scale = (canvas.width * share) / sideOf(bitmap, crop);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.setTransform(scale, 0, 0, scale, canvas.width / 2 - crop.x * scale, canvas.height / 2 - crop.y * scale);
  context.drawImage(bitmap, 0, 0);
}

/** The picture turned a quarter to the right, as another one. */
export async function turned({ bitmap, kind }: Picture): Promise<Picture> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.height, bitmap.width];
  const context = canvas.getContext('2d');
  context?.setTransform(0, 1, -1, 0, bitmap.height, 0);
  context?.drawImage(bitmap, 0, 0);
  return { bitmap: await createImageBitmap(canvas), kind };
}

/**
 * The square as a data address: never magnified, jpeg for a photograph, else png. null: longer than an avatar may be.
 */
export async function cut(picture: Picture, crop: Crop): Promise<string | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.min(longestResult, Math.round(sideOf(picture.bitmap, crop))));
  canvas.height = canvas.width;
  draw(canvas, picture, crop, 1);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, picture.kind === 'jpeg' ? 'image/jpeg' : 'image/png', 0.92);
  });
  if (blob === null) throw new Error('the browser did not encode the picture');
  const address = await addressOf(blob);
  return address.length <= longestAvatar ? address : null;
}

const addressOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('the picture could not be read back'));
    reader.readAsDataURL(blob);
  });

import { appearanceLimits } from '../../../../../contract/people/login-appearances.ts';
import { readPicture, type PictureProblem } from '../../../parts/avatar/picture.ts';

export interface SmallPicture {
  readonly address: string;
  readonly width: number;
  readonly height: number;
}

/**
 * A chosen picture made small enough before it is sent: its longest side in pixels, transparency kept; a photograph
 * stays jpeg.
 */
export async function smallPicture(
  file: Blob,
  longestSide: number,
): Promise<SmallPicture | { problem: PictureProblem }> {
  const picture = await readPicture(file, ['png', 'jpeg', 'gif']);
  if ('problem' in picture) return picture;
  const { bitmap, kind } = picture;
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (context) context.imageSmoothingQuality = 'high';
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const address = canvas.toDataURL(kind === 'jpeg' ? 'image/jpeg' : 'image/png', 0.92);
  if (context === null || !address.startsWith('data:image/')) return { problem: 'unreadable' };
  return address.length > appearanceLimits.picture
    ? { problem: 'tooLarge' }
    : { address, width: canvas.width, height: canvas.height };
}

/** Bytes of a picture in a data address (base64). */
export const bytesOf = (address: string): number => Math.floor(((address.length - address.indexOf(',') - 1) * 3) / 4);

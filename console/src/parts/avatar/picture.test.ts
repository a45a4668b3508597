import { createCanvas } from '@napi-rs/canvas';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { kindOf, readPicture, sizeIn, type PictureKind } from './picture.ts';

const drawn = createCanvas(120, 80);
const png = new Uint8Array(drawn.toBuffer('image/png'));
const jpeg = new Uint8Array(drawn.toBuffer('image/jpeg'));
const gif = Uint8Array.from(
  [...'GIF89a']
    .map((letter) => letter.charCodeAt(0))
    .concat(
      [120, 0, 80, 0],
      Array.from({ length: 30 }, () => 0),
    ),
);
const every: readonly PictureKind[] = ['png', 'jpeg', 'gif'];

/** A png whose head claims a size. */
function claiming(width: number, height: number): Blob {
  const head = png.slice(0, 64);
  new DataView(head.buffer).setUint32(16, width);
  new DataView(head.buffer).setUint32(20, height);
  return new Blob([head]);
}
const decoded: (ImageBitmapOptions | undefined)[] = [];
function decodes(work: () => Promise<ImageBitmap>): void {
  vi.stubGlobal('createImageBitmap', (_file: Blob, options?: ImageBitmapOptions) => {
    decoded.push(options);
    return work();
  });
}

afterEach(() => {
  decoded.length = 0;
  vi.unstubAllGlobals();
});

test('what a picture is and how large, its bytes say', () => {
  expect([png, jpeg, gif].map(kindOf)).toEqual(['png', 'jpeg', 'gif']);
  expect(kindOf(new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined();
  expect([sizeIn('png', png), sizeIn('jpeg', jpeg), sizeIn('gif', gif)]).toEqual(
    Array.from({ length: 3 }, () => ({ width: 120, height: 80 })),
  );
});

describe('reading a file', () => {
  const bitmap = { width: 120, height: 80, close: () => undefined };

  test('asks for the camera’s orientation; what is small enough stays as it is', async () => {
    decodes(() => Promise.resolve(bitmap));
    expect(await readPicture(new Blob([jpeg]), every)).toEqual({ kind: 'jpeg', bitmap });
    expect(decoded).toEqual([{ imageOrientation: 'from-image' }]);
  });

  test('a huge picture is made smaller while it is decoded', async () => {
    decodes(() => Promise.resolve(bitmap));
    await readPicture(claiming(6000, 8192), every);
    expect(decoded).toEqual([{ imageOrientation: 'from-image', resizeWidth: 3000, resizeQuality: 'high' }]);
  });

  test.each([
    ['no picture, whatever its name', new Blob(['<svg/>'], { type: 'image/png' }), every, 'format'],
    ['a gif where only jpg and png may come', new Blob([gif]), ['png', 'jpeg'] as const, 'format'],
    ['an empty file', new Blob([]), every, 'format'],
    ['a claim of 400 million pixels', claiming(20_000, 20_000), every, 'tooLarge'],
  ])('%s is refused before it is decoded', async (_what, file, accept, problem) => {
    decodes(() => Promise.resolve(bitmap));
    expect(await readPicture(file, accept)).toEqual({ problem });
    expect(decoded).toEqual([]);
  });

  test('what does not decode says so', async () => {
    decodes(() => Promise.reject(new DOMException('broken', 'InvalidStateError')));
    expect(await readPicture(new Blob([png.slice(0, 60)]), every)).toEqual({ problem: 'unreadable' });
  });
});

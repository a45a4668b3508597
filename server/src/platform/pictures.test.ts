import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { redrawPicture } from './pictures.ts';

const shape = { longestSide: 64 };
const address = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
async function drawn(width: number, height: number, format: 'png' | 'jpeg'): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').fillRect(0, 0, width / 2, height);
  return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg');
}
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

describe('a picture is drawn again', () => {
  test('a large one smaller, a png stays png, a jpeg jpeg; whatever its address says', async () => {
    const png = await redrawPicture(address(await drawn(200, 100, 'png'), 'image/svg+xml'), shape);
    expect(png).toMatch(/^data:image\/png;base64,/);
    const bytes = Buffer.from(String(png).split(',')[1] ?? '', 'base64');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 32]);
    expect(await redrawPicture(address(await drawn(20, 20, 'jpeg')), shape)).toMatch(/^data:image\/jpeg/);
    expect(await redrawPicture(address(gif, 'image/gif'), shape)).toMatch(/^data:image\/png/);
    expect(await redrawPicture(address(gif, 'image/gif'), { ...shape, flat: true })).toMatch(/^data:image\/jpeg/);
  });

  test('what is appended to a picture does not come along', async () => {
    const carrier = Buffer.concat([await drawn(8, 8, 'png'), Buffer.from('<script>alert(1)</script>')]);
    const bytes = Buffer.from(String(await redrawPicture(address(carrier), shape)).split(',')[1] ?? '', 'base64');
    expect(bytes.includes('script')).toBe(false);
  });

  test('no picture: SVG, text, a cut one, one that claims 1,000 megapixels', async () => {
    const huge = await drawn(8, 8, 'png');
    huge.writeUInt32BE(40_000, 16);
    huge.writeUInt32BE(25_000, 20);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>');
    const wrong = [
      address(svg, 'image/svg+xml'),
      address(svg),
      'data:image/png,plain',
      'https://example.org/a.png',
      '',
      address((await drawn(64, 64, 'png')).subarray(0, 60)),
      address(huge),
    ];
    for (const source of wrong) expect(await redrawPicture(source, shape)).toBeUndefined();
  });
});

import { createCanvas, loadImage, type Canvas, type Image } from '@napi-rs/canvas';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { ConfigProvider } from 'antd';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { longestAvatar } from '../../../../contract/specified/users.ts';
import { startI18n } from '../../locales/i18n.ts';
import { AvatarDialog } from './AvatarDialog.tsx';
import type { PictureKind } from './picture.ts';

configure({ asyncUtilTimeout: 8_000 });
vi.setConfig({ testTimeout: 30_000 });

/** jsdom draws nothing: canvases and bitmaps are real ones of another library, so that pixels can be looked at. */
const canvases = new WeakMap<HTMLCanvasElement, Canvas>();
let bitmaps: { open: number; made: number };
function canvasOf(element: HTMLCanvasElement): Canvas {
  const known = canvases.get(element);
  if (known?.width === element.width && known.height === element.height) return known;
  const made = createCanvas(element.width, element.height);
  canvases.set(element, made);
  return made;
}
const bitmapOf = (image: Image | Canvas): ImageBitmap => {
  bitmaps.made += 1;
  bitmaps.open += 1;
  return Object.assign(image, {
    close: () => {
      bitmaps.open -= 1;
    },
  }) as unknown as ImageBitmap;
};

beforeEach(() => {
  bitmaps = { open: 0, made: 0 };
  vi.stubGlobal('createImageBitmap', async (source: Blob | HTMLCanvasElement) => {
    if (!(source instanceof Blob)) return bitmapOf(await loadImage(canvasOf(source).toBuffer('image/png')));
    return bitmapOf(await loadImage(Buffer.from(await source.arrayBuffer())));
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function context(this: HTMLCanvasElement) {
    return canvasOf(this).getContext('2d') as never;
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function toBlob(
    this: HTMLCanvasElement,
    done,
    type,
  ) {
    done(
      new Blob(
        [
          new Uint8Array(
            type === 'image/jpeg' ? canvasOf(this).toBuffer('image/jpeg', 92) : canvasOf(this).toBuffer('image/png'),
          ),
        ],
        { type: type ?? 'image/png' },
      ),
    );
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Four quarters, each of a colour: left red over blue, right green over white. */
function quarters(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  for (const [color, x, y] of [
    ['#f00', 0, 0],
    ['#0f0', 1, 0],
    ['#00f', 0, 1],
    ['#fff', 1, 1],
  ] as const) {
    context.fillStyle = color;
    context.fillRect((x * width) / 2, (y * height) / 2, width / 2, height / 2);
  }
  return canvas;
}
const fileOf = (canvas: Canvas, name = 'a.png'): File =>
  new File(
    [new Uint8Array(name.endsWith('.png') ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg', 95))],
    name,
  );
function noise(side: number): Canvas {
  const canvas = createCanvas(side, side);
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(side, side);
  let seed = 1;
  for (let at = 0; at < pixels.data.length; at += 1) {
    seed = (seed * 16_807) % 2_147_483_647;
    pixels.data[at] = at % 4 === 3 ? 255 : seed % 256;
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

async function open(accept?: readonly PictureKind[]) {
  const [onConfirm, onCancel] = [vi.fn<(address: string) => void>(), vi.fn<() => void>()];
  render(
    <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
      <I18nextProvider i18n={await startI18n('zh-CN')}>
        <Suspense fallback="…">
          <AvatarDialog open {...(accept ? { accept } : {})} onConfirm={onConfirm} onCancel={onCancel} />
        </Suspense>
      </I18nextProvider>
    </ConfigProvider>,
  );
  const input = await screen.findByLabelText<HTMLInputElement>('选择图片', { selector: 'input' });
  return { onConfirm, onCancel, input, choose: (file: File) => fireEvent.change(input, { target: { files: [file] } }) };
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const stage = () => screen.findByRole('button', { name: '裁剪区域' });
const factor = () => screen.getByRole('status', { name: '缩放' }).textContent;
async function pixels(address: string): Promise<{ side: number; at: (x: number, y: number) => number[] }> {
  const image = await loadImage(Buffer.from(address.slice(address.indexOf(',') + 1), 'base64'));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  expect(image.width).toBe(image.height);
  return {
    side: image.width,
    at: (x, y) => [
      ...canvas.getContext('2d').getImageData(Math.floor(x * image.width), Math.floor(y * image.height), 1, 1).data,
    ],
  };
}
const [red, green, blue, white] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];

describe('closing', () => {
  test('neither the mask nor Escape closes it, there is no close icon; Cancel does', async () => {
    const { onCancel } = await open();
    // A click counts as one on the mask only if it began there.
    fireEvent.mouseDown(document.querySelector('.ant-modal-wrap')!);
    fireEvent.click(document.querySelector('.ant-modal-wrap')!);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape', keyCode: 27 });
    expect(document.querySelector('.ant-modal-close')).toBeNull();
    expect(onCancel).not.toHaveBeenCalled();
    fireEvent.click(button('取消'));
    expect(onCancel).toHaveBeenCalledTimes(1);
  });

  test('Confirm waits for a picture', async () => {
    const { choose } = await open();
    expect(button('确定').disabled).toBe(true);
    choose(fileOf(quarters(80, 40)));
    await stage();
    expect(button('确定').disabled).toBe(false);
  });
});

describe('cutting', () => {
  test('the largest square from the middle, never magnified; png stays png', async () => {
    const { choose, onConfirm } = await open();
    choose(fileOf(quarters(400, 200)));
    await stage();
    fireEvent.click(button('确定'));
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
    const address = onConfirm.mock.calls[0]![0];
    expect(address).toMatch(/^data:image\/png;base64,/);
    const cut = await pixels(address);
    expect(cut.side).toBe(200);
    expect([cut.at(0.25, 0.25), cut.at(0.75, 0.25), cut.at(0.25, 0.75), cut.at(0.75, 0.75)]).toEqual([
      red,
      green,
      blue,
      white,
    ]);
    expect(bitmaps).toEqual({ made: 1, open: 0 });
  });

  test('a photograph is a jpeg of at most 640 pixels', async () => {
    const { choose, onConfirm } = await open();
    choose(fileOf(quarters(3000, 2000), 'a.JPG'));
    await stage();
    fireEvent.click(button('确定'));
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
    expect(onConfirm.mock.calls[0]![0]).toMatch(/^data:image\/jpeg;base64,/);
    expect((await pixels(onConfirm.mock.calls[0]![0])).side).toBe(640);
  });

  test('keys zoom by a tenth and move; the corner that is shown is what comes out', async () => {
    const { choose, onConfirm } = await open();
    choose(fileOf(quarters(400, 400)));
    const area = await stage();
    for (let step = 0; step < 30; step += 1) fireEvent.keyDown(area, { key: '+' });
    expect(factor()).toBe('4.0×');
    fireEvent.keyDown(area, { key: '-' });
    expect(factor()).toBe('3.9×');
    for (let step = 0; step < 30; step += 1) {
      fireEvent.keyDown(area, { key: 'ArrowLeft', shiftKey: true });
      fireEvent.keyDown(area, { key: 'ArrowDown', shiftKey: true });
    }
    fireEvent.click(button('确定'));
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
    const cut = await pixels(onConfirm.mock.calls[0]![0]);
    expect(cut.side).toBe(103);
    expect([cut.at(0.1, 0.1), cut.at(0.9, 0.9)]).toEqual([green, green]);
  });

  test('buttons, wheel and slider zoom by a tenth within their ends', async () => {
    const { choose } = await open();
    choose(fileOf(quarters(64, 64)));
    const area = await stage();
    expect(button('缩小').disabled).toBe(true);
    fireEvent.click(button('放大'));
    expect(factor()).toBe('1.1×');
    fireEvent.wheel(area, { deltaY: -120 });
    expect(factor()).toBe('1.2×');
    fireEvent.wheel(area, { deltaY: 15 });
    fireEvent.wheel(area, { deltaY: 15 });
    expect(factor()).toBe('1.2×');
    fireEvent.wheel(area, { deltaY: 15 });
    expect(factor()).toBe('1.1×');
    fireEvent.keyDown(screen.getByRole('slider', { name: '缩放' }), { key: 'ArrowRight', keyCode: 39, which: 39 });
    expect(factor()).toBe('1.2×');
    for (let step = 0; step < 9; step += 1) fireEvent.click(button('放大'));
    expect(factor()).toBe('2.0×');
    expect(button('放大').disabled).toBe(true);
  });

  test('a quarter turn turns what comes out and gives the old picture’s memory back', async () => {
    const { choose, onConfirm } = await open();
    choose(fileOf(quarters(200, 200)));
    await stage();
    fireEvent.click(button('旋转 90°'));
    await waitFor(() => expect(bitmaps).toEqual({ made: 2, open: 1 }));
    fireEvent.click(button('确定'));
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
    const cut = await pixels(onConfirm.mock.calls[0]![0]);
    expect([cut.at(0.25, 0.25), cut.at(0.75, 0.25), cut.at(0.25, 0.75), cut.at(0.75, 0.75)]).toEqual([
      blue,
      red,
      white,
      green,
    ]);
  });
});

describe('refusing', () => {
  test('more than 1,048,576 characters: asks to shrink the area, and takes the smaller one', async () => {
    const { choose, onConfirm } = await open();
    choose(fileOf(noise(900)));
    const area = await stage();
    fireEvent.click(button('确定'));
    expect((await screen.findByRole('alert')).textContent).toBe('所选区域超过 1MB，请缩小选择区域');
    expect(onConfirm).not.toHaveBeenCalled();
    for (let step = 0; step < 12; step += 1) fireEvent.keyDown(area, { key: '+' });
    expect(screen.queryByRole('alert')).toBeNull();
    fireEvent.click(button('确定'));
    await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
    expect(onConfirm.mock.calls[0]![0].length).toBeLessThanOrEqual(longestAvatar);
  });

  test('another format, told by the bytes', async () => {
    const { choose, input } = await open();
    expect(input.accept).toBe('image/png,.png,image/jpeg,.jpg,.jpeg,image/gif,.gif');
    choose(new File(['<svg/>'], 'a.png', { type: 'image/png' }));
    expect((await screen.findByRole('alert')).textContent).toBe('请选择 png、jpeg、gif、jpg 格式的图片');
  });

  test('the profile takes JPG and PNG only, and says so', async () => {
    const { choose, input } = await open(['jpeg', 'png']);
    expect(input.accept).not.toContain('gif');
    choose(new File(['GIF89a and thirty bytes that follow it'], 'a.gif'));
    expect((await screen.findByRole('alert')).textContent).toBe('请上传 JPG 或 PNG 格式的图片');
  });

  test('an unreadable file keeps the picture that was there', async () => {
    const { choose } = await open();
    choose(fileOf(quarters(80, 80)));
    await stage();
    choose(new File([new Uint8Array(quarters(80, 80).toBuffer('image/png')).slice(0, 40)], 'a.png'));
    expect((await screen.findByRole('alert')).textContent).toBe('这张图片无法读取，请换一张');
    expect(bitmaps.open).toBe(1);
  });
});

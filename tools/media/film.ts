/**
 * Makes the sign-in page's background: `node tools/media/film.ts` writes the film (AV1 at 1920 × 1080; VP9 and H.264 at
 * 1280 × 720), its still in two sizes (1920 and 3840 px wide) and nothing else into console/public/media. Needs ffmpeg; its results are committed, builds never run it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { scene } from './scene.ts';

const SIZE = { width: 1920, height: 1080 } as const;
/** Screens of more than 1920 px, where the smaller one would be soft. */
const LARGE = { width: 3840, height: 2160 } as const;
const FILM = { framesPerSecond: 25, seconds: 10, small: 'scale=1280:720:flags=area' } as const;
/** Bytes. */
const LIMITS = { film: 400_000, still: 150_000, largeStill: 300_000 } as const;
const target = path.resolve(import.meta.dirname, '../../console/public/media');

async function ffmpeg(
  args: readonly string[],
  feed?: (write: (frame: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  await feed?.(async (frame) => {
    if (!child.stdin.write(frame)) await once(child.stdin, 'drain');
  });
  child.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${String(code)}`);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The still is the film's first frame, at the size it was drawn. */
async function writeStill(name: string, { width, height }: Size, frame: Buffer, quality: number): Promise<void> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const image = context.createImageData(width, height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) image.data[pixel * 4 + channel] = frame[pixel * 3 + channel] ?? 0;
    image.data[pixel * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  await writeFile(path.join(target, name), canvas.toBuffer('image/webp', quality));
}

const film = scene(SIZE.width, SIZE.height);
await writeStill('city.webp', SIZE, film.paint(0), 46);
await writeStill('city-4k.webp', LARGE, scene(LARGE.width, LARGE.height).paint(0), 40);

const work = await mkdtemp(path.join(tmpdir(), 'film-'));
try {
  const frames = FILM.framesPerSecond * FILM.seconds;
  const lossless = path.join(work, 'film.mkv');
  const raw = [
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-s',
    `${SIZE.width}x${SIZE.height}`,
    '-r',
    `${FILM.framesPerSecond}`,
    '-i',
    '-',
  ];
  const plain = ['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p'];
  await ffmpeg([...raw, ...plain, '-c:v', 'libx264', '-qp', '0', '-preset', 'ultrafast', lossless], async (write) => {
    for (let frame = 0; frame < frames; frame += 1) await write(film.paint(frame / frames));
  });
  const colours = [
    '-color_primaries',
    'bt709',
    '-color_trc',
    'bt709',
    '-colorspace',
    'bt709',
    '-color_range',
    'tv',
    '-an',
  ];
  const av1 = ['-c:v', 'libsvtav1', '-preset', '4', '-crf', '53', '-g', '300'];
  await ffmpeg(['-i', lossless, ...av1, ...colours, path.join(target, 'city-av1.webm')]);
  const vp9 = [
    '-i',
    lossless,
    '-vf',
    FILM.small,
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '305k',
    '-g',
    '300',
    '-row-mt',
    '1',
    '-aq-mode',
    '0',
    '-auto-alt-ref',
    '1',
    '-lag-in-frames',
    '25',
    '-passlogfile',
    path.join(work, 'vp9'),
    ...colours,
  ];
  await ffmpeg([...vp9, '-pass', '1', '-cpu-used', '4', '-f', 'null', '-']);
  await ffmpeg([...vp9, '-pass', '2', '-cpu-used', '1', path.join(target, 'city.webm')]);
  const h264 = [
    '-i',
    lossless,
    '-vf',
    FILM.small,
    '-c:v',
    'libx264',
    '-b:v',
    '305k',
    '-preset',
    'veryslow',
    '-tune',
    'film',
    '-profile:v',
    'high',
    '-passlogfile',
    path.join(work, 'h264'),
    ...colours,
  ];
  await ffmpeg([...h264, '-pass', '1', '-f', 'null', '-']);
  await ffmpeg([...h264, '-pass', '2', '-movflags', '+faststart', path.join(target, 'city.mp4')]);
} finally {
  await rm(work, { recursive: true, force: true });
}

for (const [name, limit] of [
  ['city-av1.webm', LIMITS.film],
  ['city.webm', LIMITS.film],
  ['city.mp4', LIMITS.film],
  ['city.webp', LIMITS.still],
  ['city-4k.webp', LIMITS.largeStill],
] as const) {
  const { size } = await stat(path.join(target, name));
  console.log(`${name}: ${size} bytes`);
  if (size > limit) throw new Error(`${name} is larger than ${limit} bytes`);
}

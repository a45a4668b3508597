import { chance } from './chance.ts';
import { halfWidthAt, isWater, riverAt } from './ground.ts';
import { switchOn, type Car, type Light } from './lights.ts';
import { add, addEnlarged, blank, blur, quarter, wipe, type Canvas, type Rgb } from './picture.ts';
import { layRoads } from './roads.ts';

/** One picture: `turn` from 0 to 1 is the place in the loop; 1 is 0 again, for every moving thing. */
export interface Scene {
  paint(turn: number): Buffer;
}

const HEIGHT_METRES = 610;
const PITCH = 0.2;
const LENS = 0.95;
const MIDDLE = { x: 0.33, y: 0.47 } as const;
const circle = (turn: number): number => turn * 2 * Math.PI;

/** 2700 K, 3500 K, 5000 K as linear RGB, and between. */
export function lampColour(tone: number): Rgb {
  const warm: Rgb = [1, 0.62, 0.25];
  const neutral: Rgb = [1, 0.8, 0.54];
  const cool: Rgb = [0.78, 0.88, 1];
  const [from, to, share] = tone < 0.5 ? [warm, neutral, tone * 2] : [neutral, cool, tone * 2 - 1];
  return [0, 1, 2].map(
    (channel) => (from[channel] ?? 0) + ((to[channel] ?? 0) - (from[channel] ?? 0)) * share,
  ) as unknown as Rgb;
}

type Projection = (x: number, y: number, z: number) => { x: number; y: number; depth: number } | undefined;

/** The camera drifts on a small closed curve: forward and sideways, always looking the same way. */
function camera(turn: number, width: number, height: number): Projection {
  const cx = 34 * Math.sin(circle(turn));
  const cy = -26 * Math.cos(circle(turn));
  const cz = HEIGHT_METRES + 7 * Math.sin(circle(turn) + 0.8);
  const focal = LENS * height;
  const [cosine, sine] = [Math.cos(PITCH), Math.sin(PITCH)];
  return (x, y, z) => {
    const ahead = y - cy;
    const up = z - cz;
    const depth = ahead * cosine - up * sine;
    if (depth < 120) return undefined;
    return {
      x: width * MIDDLE.x + ((x - cx) / depth) * focal,
      y: height * MIDDLE.y - ((ahead * sine + up * cosine) / depth) * focal,
      depth,
    };
  };
}

const haze = (depth: number): number => Math.exp(-depth / 10_500);
const fade = (depth: number): number => (1300 / depth) ** 1.2 * haze(depth);

/** Air reddens what is far. */
const throughAir = (colour: Rgb, depth: number): Rgb => {
  const lost = 1 - haze(depth);
  return [colour[0], colour[1] * (1 - 0.14 * lost), colour[2] * (1 - 0.4 * lost)];
};

function paintLight(canvas: Canvas, project: Projection, light: Light, turn: number): void {
  const at = project(light.x, light.y, light.z);
  if (at === undefined) return;
  const restless = Math.min(0.34, at.depth / 16_000);
  const twinkle = 1 + restless * Math.sin(circle(turn * (2 + (Math.floor(light.phase * 997) % 3)) + light.phase));
  const energy = light.power * fade(at.depth) * twinkle;
  const colour = throughAir(lampColour(light.tone), at.depth);
  const size = (1500 / at.depth) * (canvas.height / 1080);
  const parts = Math.max(1, Math.min(12, Math.ceil(size * size * 1.6)));
  for (let part = 0; part < parts; part += 1) {
    const radius = Math.sqrt(part / parts) * size * 0.8;
    add(
      canvas,
      'light',
      at.x + Math.cos(part * 2.4) * radius,
      at.y + Math.sin(part * 2.4) * radius,
      energy / parts,
      colour,
    );
  }
  if (light.mirrored) paintStreak(canvas, project, light, energy, turn);
}

/** The lamp in the water: a broken column from its foot towards the viewer, each piece swelling at its own pace. */
function paintStreak(canvas: Canvas, project: Projection, light: Light, energy: number, turn: number): void {
  const colour = lampColour(Math.max(0, light.tone - 0.05));
  const reach = 0.7 + 0.6 * light.phase;
  for (let piece = 1; piece <= 22; piece += 1) {
    const nearer = 1 - piece * 0.012 * reach;
    const spot = [light.x * nearer, light.y * nearer] as const;
    if (!isWater(spot)) continue;
    const at = project(spot[0], spot[1], 0);
    if (at === undefined) return;
    const phase = (light.phase * 131 + piece * 0.618) % 1;
    const swell = 0.55 + 0.45 * Math.sin(circle(turn * (1 + (piece % 3)) + phase));
    add(
      canvas,
      'water',
      at.x +
        ((((phase * 7.3) % 1) - 0.5) * piece * 0.7 + Math.sin(circle(turn + phase)) * 1.6) * (canvas.height / 1080),
      at.y,
      energy * (0.25 + 0.75 * light.phase) * (1 - piece / 23) ** 1.2 * swell,
      colour,
    );
  }
}

function paintCar(canvas: Canvas, project: Projection, car: Car, turn: number): void {
  const life = (turn + car.phase) % 1;
  const shown = Math.min(1, life / 0.16, (1 - life) / 0.16);
  const at = project(car.x + car.dx * car.reach * (life - 0.5), car.y + car.dy * car.reach * (life - 0.5), 1);
  if (at === undefined) return;
  const towards = car.dy < 0;
  const colour: Rgb = towards ? [1, 0.93, 0.8] : [1, 0.16, 0.07];
  const aside = 0.35 + 0.65 * Math.abs(car.dy);
  add(
    canvas,
    'light',
    at.x,
    at.y,
    car.power * fade(at.depth) * shown * shown * (3 - 2 * shown) * aside * (towards ? 1.05 : 0.55),
    colour,
  );
}

/** Sky and ground before any light; the horizon's own glow. */
function backdrop(width: number, height: number): Float32Array {
  const ground = new Float32Array(width * height * 3);
  const horizon = MIDDLE.y - Math.tan(PITCH) * LENS;
  const stops: readonly (readonly [number, Rgb])[] = [
    [0, [5, 8, 14]],
    [horizon - 0.17, [9, 14, 24]],
    [horizon - 0.06, [18, 21, 31]],
    [horizon - 0.01, [31, 28, 30]],
    [horizon + 0.015, [30, 26, 25]],
    [horizon + 0.07, [17, 16, 18]],
    [horizon + 0.2, [10, 13, 18]],
    [1, [8, 10, 14]],
  ];
  for (let y = 0; y < height; y += 1) {
    const share = y / height;
    const after = Math.max(
      1,
      stops.findIndex(([stop]) => stop >= share),
    );
    const [start, from] = stops[after - 1] ?? [0, [0, 0, 0]];
    const [end, to] = stops[after] ?? [1, [0, 0, 0]];
    const mix = (share - start) / (end - start);
    const smooth = mix * mix * (3 - 2 * mix);
    for (let x = 0; x < width; x += 1)
      for (let channel = 0; channel < 3; channel += 1)
        ground[(y * width + x) * 3 + channel] =
          ((from[channel] ?? 0) + ((to[channel] ?? 0) - (from[channel] ?? 0)) * smooth) / 255;
  }
  return ground;
}

/** Share of water in each pixel, for the frame's camera: water keeps the glow of the town off its own surface. */
function waterMask(project: Projection, width: number, height: number): Float32Array {
  const mask = new Float32Array((width * height) / 16);
  for (let y = 620; y < 9000; y *= 1.0012) {
    const half = halfWidthAt(y);
    const left = project(riverAt(y) - half, y, 0);
    const right = project(riverAt(y) + half, y, 0);
    if (left === undefined || right === undefined) continue;
    const row = Math.round(left.y / 4);
    if (row < 0 || row >= height / 4) continue;
    for (let x = Math.max(0, Math.round(left.x / 4)); x <= Math.min(width / 4 - 1, Math.round(right.x / 4)); x += 1)
      mask[row * (width / 4) + x] = 1;
  }
  return blur(mask, width / 4, height / 4, 1, 1);
}

/** Widths in pixels of a picture 1080 high, and weights: a sharp core, then the glow, then the town's haze. */
const CORE = [
  [1.1, 3.2],
  [2.6, 3.4],
] as const;
const GLOW = [
  [7, 5],
  [22, 8],
  [90, 17],
] as const;
const EXPOSURE = 2;

function develop(canvas: Canvas, ground: Float32Array, water: Float32Array): Buffer {
  const { width, height } = canvas;
  const scale = height / 1080;
  // A larger picture spreads the same light over more pixels.
  const exposure = EXPOSURE * Math.max(1, scale * scale);
  const wet = new Float32Array(width * height);
  addEnlarged(wet, water, width, height, 1);
  const film = Buffer.alloc(width * height * 3);
  const draw = chance(7);
  for (const channel of [0, 1, 2] as const) {
    const source = canvas.light[channel];
    const sharp = source.map((value) => value * 1.5);
    const town = new Float32Array(width * height);
    for (const [sigma, weight] of CORE) {
      const wide = blur(source, width, height, sigma * scale, sigma * scale);
      for (let at = 0; at < wide.length; at += 1) sharp[at] = (sharp[at] ?? 0) + (wide[at] ?? 0) * weight;
    }
    const small = quarter(source, width, height);
    for (const [sigma, weight] of GLOW)
      addEnlarged(
        town,
        blur(small, width / 4, height / 4, (sigma * scale) / 4, (sigma * scale) / 4),
        width,
        height,
        weight,
      );
    const streaks = blur(canvas.water[channel], width, height, 2 * scale, 8 * scale);
    for (let at = 0; at < sharp.length; at += 1) {
      const lit = (sharp[at] ?? 0) + (town[at] ?? 0) * (1 - 0.55 * (wet[at] ?? 0)) + (streaks[at] ?? 0) * 14;
      const value = (ground[at * 3 + channel] ?? 0) * (1 - 0.35 * (wet[at] ?? 0)) + lit * exposure;
      const pressed = value < 0.5 ? value : 0.5 + (1 - Math.exp(-(value - 0.5) * 1.35)) * 0.5;
      film[at * 3 + channel] = Math.max(0, Math.min(255, pressed * 255 + draw.around() * 0.75 + 0.5));
    }
  }
  return film;
}

/** Builds the city once; `paint` then draws any moment of the loop as packed RGB, 8 bits. Sizes are multiples of 4. */
export function scene(width: number, height: number): Scene {
  const draw = chance(20261121);
  const { lights, cars } = switchOn(layRoads(draw), draw);
  const canvas = blank(width, height);
  const ground = backdrop(width, height);
  return {
    paint: (turn) => {
      wipe(canvas);
      const project = camera(turn, width, height);
      for (const light of lights) paintLight(canvas, project, light, turn);
      for (const car of cars) paintCar(canvas, project, car, turn);
      return develop(canvas, ground, waterMask(project, width, height));
    },
  };
}

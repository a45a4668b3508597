import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

/**
 * A font of our own: strokes on a grid of 10 × 14, M moves, L draws a line, Q a curve. No characters that look like
 * another one (no 0 O Q, 1 I L, 2 Z, 5 S, 6 G B 8, U V, F).
 */
const glyphs: Readonly<Record<string, string>> = {
  A: 'M0 14 L5 0 L10 14 M2 9 L8 9',
  C: 'M10 3 Q8 0 5 0 Q0 0 0 7 Q0 14 5 14 Q8 14 10 11',
  D: 'M0 0 L0 14 L4 14 Q10 14 10 7 Q10 0 4 0 L0 0',
  E: 'M10 0 L0 0 L0 14 L10 14 M0 7 L8 7',
  H: 'M0 0 L0 14 M10 0 L10 14 M0 7 L10 7',
  J: 'M3 0 L10 0 M8 0 L8 10 Q8 14 4 14 Q0 14 0 10',
  K: 'M0 0 L0 14 M10 0 L0 8 M3 6 L10 14',
  M: 'M0 14 L0 0 L5 8 L10 0 L10 14',
  N: 'M0 14 L0 0 L10 14 L10 0',
  P: 'M0 14 L0 0 L6 0 Q10 0 10 4 Q10 8 6 8 L0 8',
  R: 'M0 14 L0 0 L6 0 Q10 0 10 4 Q10 8 6 8 L0 8 M5 8 L10 14',
  T: 'M0 0 L10 0 M5 0 L5 14',
  W: 'M0 0 L2.5 14 L5 4 L7.5 14 L10 0',
  X: 'M0 0 L10 14 M10 0 L0 14',
  Y: 'M0 0 L5 7 L10 0 M5 7 L5 14',
  3: 'M0 1 Q3 0 5 0 Q9 0 9 3.5 Q9 7 4 7 Q10 7 10 10.5 Q10 14 5 14 Q2 14 0 12.5',
  4: 'M8 14 L8 0 L0 10 L10 10',
  7: 'M0 0 L10 0 L4 14',
};
export const captchaAlphabet = Object.keys(glyphs);

type Point = readonly [x: number, y: number];
/** A number from 0 up to 1. */
export type Chance = () => number;

const width = 300;
const height = 100;

/**
 * Draws a code as a JPEG of 300 × 100: every character turned, sheared and bent, with strokes of the same kind across.
 */
export async function drawCaptcha(code: string, chance: Chance): Promise<Buffer> {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const between = (low: number, high: number) => low + chance() * (high - low);
  context.fillStyle = `hsl(${between(0, 360)} 40% 95%)`;
  context.fillRect(0, 0, width, height);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (let line = 0; line < 4; line += 1) drawNoise(context, between, 1.2 + chance());
  [...code].forEach((character, position) => drawCharacter(context, between, character, position, code.length));
  for (let line = 0; line < 2; line += 1) drawNoise(context, between, 2.4);
  for (let dot = 0; dot < 90; dot += 1) {
    context.fillStyle = ink(between);
    context.fillRect(between(0, width), between(0, height), 2, 2);
  }
  return canvas.encode('jpeg', 62);
}

type Between = (low: number, high: number) => number;

const ink = (between: Between): string => `hsl(${between(0, 360)} 60% ${between(22, 42)}%)`;

function drawCharacter(
  context: SKRSContext2D,
  between: Between,
  character: string,
  position: number,
  count: number,
): void {
  const size = between(3.6, 4.3);
  const angle = between(-0.35, 0.35);
  const shear = between(-0.25, 0.25);
  const [bend, phase] = [between(-4, 4), between(0, 6)];
  const [centreX, centreY] = [(width / (count + 0.4)) * (position + 0.7) + between(-6, 6), height / 2 + between(-8, 8)];
  const place = ([x, y]: Point): Point => {
    const [left, up] = [(x - 5) * size + (y - 7) * size * shear, (y - 7) * size + Math.sin(x / 3 + phase) * bend];
    return [
      centreX + left * Math.cos(angle) - up * Math.sin(angle),
      centreY + left * Math.sin(angle) + up * Math.cos(angle),
    ];
  };
  context.strokeStyle = ink(between);
  context.lineWidth = between(5, 6.5);
  for (const stroke of strokes(glyphs[character] ?? '')) drawLine(context, stroke.map(place));
}

function drawNoise(context: SKRSContext2D, between: Between, lineWidth: number): void {
  const [from, to, sway, phase] = [between(10, 90), between(10, 90), between(8, 24), between(0, 6)];
  context.strokeStyle = ink(between);
  context.lineWidth = lineWidth;
  drawLine(
    context,
    Array.from({ length: 41 }, (_, step): Point => [
      (width / 40) * step,
      from + ((to - from) / 40) * step + Math.sin(step / 5 + phase) * sway,
    ]),
  );
}

function drawLine(context: SKRSContext2D, points: readonly Point[]): void {
  context.beginPath();
  points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}

/** The strokes of a glyph as dense points, so that bending them bends lines too. */
function strokes(path: string): Point[][] {
  const result: Point[][] = [];
  let at: Point = [0, 0];
  for (const [, command = '', numbers = ''] of path.matchAll(/([MLQ])([^MLQ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = numbers.trim().split(/\s+/).map(Number);
    const [x, y] = at;
    if (command === 'M') result.push([[a, b]]);
    else {
      const points = Array.from({ length: 10 }, (_, step): Point => {
        const t = (step + 1) / 10;
        return command === 'L'
          ? [x + (a - x) * t, y + (b - y) * t]
          : [(1 - t) ** 2 * x + 2 * t * (1 - t) * a + t * t * c, (1 - t) ** 2 * y + 2 * t * (1 - t) * b + t * t * d];
      });
      result.at(-1)?.push(...points);
    }
    at = command === 'Q' ? [c, d] : [a, b];
  }
  return result;
}

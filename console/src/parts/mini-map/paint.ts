import { mapColors } from '../../theme/map-colors.ts';
import type { ThemeName } from '../../theme/tokens.ts';
import { streetsOf, type Dot, type Picture } from './picture.ts';

/** Warm white as the night map draws it, without its opacity. */
const glow = '255, 190, 112';
/** Beyond so many cells with faults each is a smaller mark. */
const fewMarks = 160;

/** Draws the city: by night its light on dark ground, by day its lamps as points. `scale`: device pixels a CSS pixel. */
export function paint(
  context: CanvasRenderingContext2D,
  picture: Picture,
  look: { readonly theme: ThemeName; readonly night: boolean; readonly scale: number },
): void {
  const { theme, night, scale } = look;
  const { canvas } = context;
  const colours = mapColors(theme);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalCompositeOperation = 'source-over';
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const cell = Math.min(9, Math.max(2.5, picture.cell));
  context.strokeStyle = theme === 'dark' ? colours.road : colours.roadCase;
  context.lineWidth = Math.max(1, cell * 0.4);
  context.lineCap = 'round';
  context.beginPath();
  for (const [from, to] of streetsOf(picture)) {
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
  context.stroke();
  for (const dot of picture.dots)
    if (!night || dot.light === 0) point(context, dot, dayColour(dot, colours), cell * 0.26);
  if (night) shine(context, picture.dots, cell);
  context.globalCompositeOperation = 'source-over';
  const faulty = picture.dots.filter(({ alarm, offline }) => alarm + offline > 0);
  const size = faulty.length > fewMarks ? 2.2 : Math.min(4.2, Math.max(3, cell * 0.6));
  for (const dot of faulty) mark(context, dot, { colours, size });
}

const dayColour = ({ light }: Dot, { lampLit, lampOff }: ReturnType<typeof mapColors>): string =>
  light > 0 ? lampLit : lampOff;

function point(context: CanvasRenderingContext2D, { x, y }: Dot, colour: string, radius: number): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, Math.max(0.8, radius), 0, 2 * Math.PI);
  context.fill();
}

/** Adds up light: a wide halo, a pool and the lamps in its middle. */
function shine(context: CanvasRenderingContext2D, dots: readonly Dot[], cell: number): void {
  context.globalCompositeOperation = 'lighter';
  const layers = [
    { radius: cell * 4.6, alpha: 0.085 },
    { radius: cell * 1.7, alpha: 0.34 },
    { radius: cell * 0.5, alpha: 1 },
  ].map((layer) => ({ ...layer, sprite: spriteOf(layer.radius) }));
  for (const { x, y, light, lamps } of dots) {
    if (light <= 0) continue;
    // What a lamp gives by its level, and more where many stand in one cell.
    const strength = Math.min(1, (light / lamps) * (0.75 + 0.12 * Math.log2(1 + lamps)));
    for (const { radius, alpha, sprite } of layers) {
      context.globalAlpha = alpha * (0.25 + 0.75 * strength);
      context.drawImage(sprite, x - radius, y - radius, 2 * radius, 2 * radius);
    }
  }
  context.globalAlpha = 1;
}

function spriteOf(radius: number): HTMLCanvasElement {
  const sprite = document.createElement('canvas');
  sprite.width = sprite.height = Math.max(4, Math.ceil(radius * 4));
  const context = sprite.getContext('2d');
  const middle = sprite.width / 2;
  const fade = context?.createRadialGradient(middle, middle, 0, middle, middle, middle);
  if (!context || !fade) return sprite;
  for (const [at, alpha] of [
    [0, 1],
    [0.25, 0.62],
    [0.55, 0.2],
    [1, 0],
  ] as const)
    fade.addColorStop(at, `rgba(${glow}, ${alpha})`);
  context.fillStyle = fade;
  context.fillRect(0, 0, sprite.width, sprite.height);
  return sprite;
}

/** A triangle where a lamp of the cell has a fault, else the cross of what is out of reach. */
function mark(
  context: CanvasRenderingContext2D,
  { x, y, alarm }: Dot,
  { colours, size }: { readonly colours: ReturnType<typeof mapColors>; readonly size: number },
): void {
  context.beginPath();
  if (alarm > 0) {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y + size * 0.85);
    context.lineTo(x - size, y + size * 0.85);
    context.closePath();
    context.fillStyle = colours.states.alarm;
    context.strokeStyle = colours.ground;
    context.lineWidth = 1.4;
    context.stroke();
    context.fill();
    return;
  }
  const arm = size * 0.7;
  context.moveTo(x - arm, y - arm);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y - arm);
  context.lineTo(x - arm, y + arm);
  context.strokeStyle = colours.states.offline;
  context.lineWidth = 1.6;
  context.stroke();
}

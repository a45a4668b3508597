import type { Curve, Quality, Span } from './model.ts';
import type { Ink, Pencil, Plot } from './ink.ts';

const strip = 3;

/** Where something was not measured: the worst of all curves, as spans in order. */
export function doubtfulSpans(curves: readonly Pick<Curve, 'points'>[], span: Span): (Span & { quality: Quality })[] {
  return curves
    .flatMap(({ points: { times, flags, width, bad } }) => [
      ...doubtful(flags ?? []).map((index) => ({
        from: times[index]!,
        to: times[index]! + width,
        quality: flags![index]!,
      })),
      ...(bad ?? []).map((from) => ({ from, to: from + width, quality: 'invalid' as const })),
    ])
    .filter(({ from, to }) => to >= span.from && from <= span.to);
}

/** Few are: looked for without making something of each. */
function doubtful(flags: readonly Quality[]): number[] {
  const found: number[] = [];
  for (let index = 0; index < flags.length; index += 1) if (flags[index] !== 'measured') found.push(index);
  return found;
}

/**
 * A strip along the axis where values were estimated (dotted), are stale (grey) or invalid (a cross); the words stand
 * in tooltip, table and legend.
 */
export function paintQuality(pen: Pencil, curves: readonly Curve[], span: Span, plot: Plot, { colors }: Ink): void {
  const x = (at: number): number => ((at - span.from) / (span.to - span.from)) * plot.width;
  for (const { from, to, quality } of doubtfulSpans(curves, span)) {
    const [left, right] = [x(from), Math.max(x(to), x(from) + 2)];
    if (quality === 'invalid') cross(pen, (left + Math.min(right, left + 6)) / 2, plot.height - 7, colors.error);
    else {
      pen.fillStyle = quality === 'stale' ? colors.reference : colors.warning;
      for (let at = left; at < right; at += quality === 'stale' ? right - left : 5)
        pen.fillRect(at, plot.height - strip, quality === 'stale' ? right - left : Math.min(3, right - at), strip);
    }
  }
}

function cross(pen: Pencil, x: number, y: number, color: string): void {
  pen.strokeStyle = color;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(x - 3, y - 3);
  pen.lineTo(x + 3, y + 3);
  pen.moveTo(x + 3, y - 3);
  pen.lineTo(x - 3, y + 3);
  pen.stroke();
}

import type { ChartColors } from '../../theme/chart-theme.ts';
import type { Curve } from './model.ts';

export interface Ink {
  readonly colors: ChartColors;
  readonly fontFamily: string;
  readonly language: string;
  readonly zone: string;
}
export type Pencil = CanvasRenderingContext2D;
export interface Plot {
  readonly width: number;
  readonly height: number;
}

/** The colour of a curve; warm only where it is light or the power that makes it. */
export const colorOf = ({ pen }: Pick<Curve, 'pen'>, colors: ChartColors): string =>
  pen.color === 'light'
    ? colors.light
    : pen.color === 'reference'
      ? colors.reference
      : colors.series[pen.color % colors.series.length]!;

/** Thin diagonals: nothing is known here. */
export function hatch(
  pen: Pencil,
  left: number,
  top: number,
  width: number,
  height: number,
  colors: ChartColors,
): void {
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  pen.fillStyle = colors.gap;
  pen.fillRect(left, top, width, height);
  pen.strokeStyle = colors.gap;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let start = left - height - (left % 6); start < left + width; start += 6) {
    pen.moveTo(start, top + height);
    pen.lineTo(start + height, top);
  }
  pen.stroke();
  pen.restore();
}

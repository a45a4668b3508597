import { lampStates } from '../../../../contract/light/lamps.ts';
import type { MapColours } from './colours.ts';

/** Side of one picture in the atlas, device pixels. Eight stand in a row: seven states and the ring of the selected. */
const side = 64;

/** Draws the state shapes, each on a disc of the ground's colour, and the selection ring. */
export function drawAtlas(colours: MapColours): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = side * 8;
  canvas.height = side;
  const pen = canvas.getContext('2d');
  if (!pen) return canvas;
  lampStates.forEach((state, column) => {
    pen.save();
    pen.translate(column * side + side / 2, side / 2);
    pen.fillStyle = colours.disc;
    pen.beginPath();
    pen.arc(0, 0, side * 0.48, 0, Math.PI * 2);
    pen.fill();
    drawShape(pen, state, colours.states[state], side * 0.3);
    pen.restore();
  });
  pen.translate(7.5 * side, side / 2);
  pen.strokeStyle = colours.ring;
  pen.lineWidth = 3.5;
  pen.beginPath();
  pen.arc(0, 0, side * 0.36, 0, Math.PI * 2);
  pen.stroke();
  return canvas;
}

/**
 * One state's shape around the origin: on ●, dimmed ◐, off ○, alarm ▲, offline ✕, maintenance ◆, unknown a dashed ring.
 */
export function drawShape(
  pen: CanvasRenderingContext2D,
  state: (typeof lampStates)[number],
  colour: string,
  radius: number,
): void {
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.lineWidth = radius * 0.32;
  pen.beginPath();
  switch (state) {
    case 'on':
      pen.arc(0, 0, radius * 0.92, 0, Math.PI * 2);
      pen.fill();
      break;
    case 'dimmed':
      pen.arc(0, 0, radius * 0.78, 0, Math.PI * 2);
      pen.stroke();
      pen.beginPath();
      pen.arc(0, 0, radius * 0.78, Math.PI / 2, -Math.PI / 2);
      pen.fill();
      break;
    case 'off':
      pen.arc(0, 0, radius * 0.72, 0, Math.PI * 2);
      pen.stroke();
      break;
    case 'alarm':
      polygon(
        pen,
        [
          [0, -0.95],
          [0.98, 0.8],
          [-0.98, 0.8],
        ],
        radius,
      );
      break;
    case 'offline':
      pen.lineWidth = radius * 0.42;
      pen.moveTo(-radius * 0.7, -radius * 0.7);
      pen.lineTo(radius * 0.7, radius * 0.7);
      pen.moveTo(radius * 0.7, -radius * 0.7);
      pen.lineTo(-radius * 0.7, radius * 0.7);
      pen.stroke();
      break;
    case 'maintenance':
      polygon(
        pen,
        [
          [0, -1],
          [1, 0],
          [0, 1],
          [-1, 0],
        ],
        radius,
      );
      break;
    default:
      pen.setLineDash([radius * 0.55, radius * 0.5]);
      pen.lineCap = 'butt';
      pen.arc(0, 0, radius * 0.72, 0, Math.PI * 2);
      pen.stroke();
      pen.setLineDash([]);
  }
}

function polygon(pen: CanvasRenderingContext2D, corners: readonly (readonly [number, number])[], radius: number): void {
  corners.forEach(([x, y], index) =>
    index === 0 ? pen.moveTo(x * radius, y * radius) : pen.lineTo(x * radius, y * radius),
  );
  pen.closePath();
  pen.fill();
}

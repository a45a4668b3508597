import { familyPages, pageOfFamily } from '../../../../contract/family-pages.ts';
import { mapStates, type MapStateName } from '../../../../contract/device-map.ts';
import { drawShape } from './atlas.ts';
import type { MapColours } from './colours.ts';
import { iconNameOf, type IconName } from '../icons/Icon.tsx';
import { iconPaths } from '../icons/icon-paths.ts';

/** Side of one picture, device pixels; eight stand in a row. */
const side = 64;
export const cellsInRow = 8;
/**
 * The first cell of each kind of picture: states, the ring of the selected, how many stand at a place (2 … 9, more),
 * families.
 */
export const cells = { states: 0, ring: 8, numbers: 9, families: 18 } as const;

/** The icon of a family: that of its page in the menu. */
export function familyIcon(family: string): IconName {
  const page = pageOfFamily(family);
  return iconNameOf(page && familyPages[page].icon);
}

/** The colour of a state on the map. */
export const colourOfState = (colours: MapColours, state: MapStateName): string =>
  state === 'inUse' ? colours.info : colours.states[state];

/** Draws every picture the device map is made of. `families` in the order of their indexes. */
export function drawDeviceAtlas(colours: MapColours, families: readonly string[]): HTMLCanvasElement {
  const rows = Math.ceil((cells.families + families.length) / cellsInRow);
  const canvas = document.createElement('canvas');
  canvas.width = side * cellsInRow;
  canvas.height = side * rows;
  const pen = canvas.getContext('2d');
  if (!pen) return canvas;
  const draw = (cell: number, picture: () => void): void => {
    pen.save();
    pen.translate(((cell % cellsInRow) + 0.5) * side, (Math.floor(cell / cellsInRow) + 0.5) * side);
    picture();
    pen.restore();
  };
  const disc = (colour: string, radius: number): void => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.arc(0, 0, side * radius, 0, Math.PI * 2);
    pen.fill();
  };
  mapStates.forEach((state, index) =>
    draw(cells.states + index, () => {
      disc(colours.disc, 0.48);
      if (state === 'inUse') square(pen, colourOfState(colours, state), side * 0.22);
      else drawShape(pen, state, colourOfState(colours, state), side * 0.3);
    }),
  );
  draw(cells.ring, () => circle(pen, colours.ring, 3.5, side * 0.42));
  for (let count = 2; count <= 10; count++) {
    draw(cells.numbers + count - 2, () => {
      disc(colours.ring, 0.46);
      pen.fillStyle = colours.ground;
      pen.font = `600 ${side * 0.56}px ${colours.fonts.map((font) => `"${font}"`).join(', ')}`;
      pen.textAlign = 'center';
      pen.textBaseline = 'middle';
      pen.fillText(count > 9 ? '9+' : String(count), 0, side * 0.04);
    });
  }
  families.forEach((family, index) =>
    draw(cells.families + index, () => {
      disc(colours.disc, 0.48);
      circle(pen, colours.unlit, 2, side * 0.46);
      pen.scale(side * 0.038, side * 0.038);
      pen.translate(-8, -8);
      pen.strokeStyle = colours.ring;
      pen.lineWidth = 1.5;
      pen.lineCap = 'round';
      pen.lineJoin = 'round';
      pen.stroke(new Path2D(iconPaths[familyIcon(family)]));
    }),
  );
  return canvas;
}

function square(pen: CanvasRenderingContext2D, colour: string, half: number): void {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(-half, -half, half * 2, half * 2, half * 0.4);
  pen.fill();
}

function circle(pen: CanvasRenderingContext2D, colour: string, width: number, radius: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, Math.PI * 2);
  pen.stroke();
}

/** The geometry of cutting a square out of a picture. Pictures are measured in their own pixels. */

export interface Size {
  width: number;
  height: number;
}

/** A square of a picture: where its middle lies, and how many times the largest possible square is magnified. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

/** Specified 2.15. */
export const zoomStep = 0.1;
const mostZoom = 10;
/** Less than so many picture pixels a side is a blur, not a face. */
const smallestSide = 32;

const between = (least: number, value: number, most: number): number =>
  Math.min(Math.max(value, least), Math.max(least, most));
const toStep = (zoom: number): number => Math.round(zoom * 10) / 10;

/** How far a picture may be magnified: a whole number of steps, 1 for a picture too small to cut. */
export const maxZoomOf = ({ width, height }: Size): number =>
  between(1, Math.floor((Math.min(width, height) / smallestSide) * 10) / 10, mostZoom);

/** Side of the square, picture pixels. */
export const sideOf = ({ width, height }: Size, { zoom }: Crop): number => Math.min(width, height) / zoom;

/** The largest square from the middle. */
export const centred = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** The nearest square that lies wholly inside the picture. */
export function inside(size: Size, crop: Crop): Crop {
  const zoom = between(1, crop.zoom, maxZoomOf(size));
  const half = sideOf(size, { ...crop, zoom }) / 2;
  return { zoom, x: between(half, crop.x, size.width - half), y: between(half, crop.y, size.height - half) };
}

/**
 * Moves the picture under the square, in sides of the square: 0.5 to the right shows what lay half a side further left.
 */
export function moved(size: Size, crop: Crop, right: number, down: number): Crop {
  const side = sideOf(size, crop);
  return inside(size, { ...crop, x: crop.x - right * side, y: crop.y - down * side });
}

/** Magnifies around a point that stays where it is, in sides of the square from its middle (0, 0). */
export function zoomed(size: Size, crop: Crop, zoom: number, about = { x: 0, y: 0 }): Crop {
  const next = between(1, zoom, maxZoomOf(size));
  const closer = sideOf(size, crop) - sideOf(size, { ...crop, zoom: next });
  return inside(size, { zoom: next, x: crop.x + about.x * closer, y: crop.y + about.y * closer });
}

/** Magnifies by whole steps, from whatever it was to the nearest tenth. */
export const stepped = (size: Size, crop: Crop, steps: number, about?: { x: number; y: number }): Crop =>
  zoomed(size, crop, toStep(toStep(crop.zoom) + steps * zoomStep), about);

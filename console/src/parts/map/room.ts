/** Room that panels take at the edges of a map, CSS pixels. */
export interface Room {
  left: number;
  right: number;
  top?: number;
  bottom?: number;
}

/** Whether a point of the canvas lies inside `padding`. */
export const isClear = (
  { x, y }: { x: number; y: number },
  { width, height }: { width: number; height: number },
  { left, right, top, bottom }: Required<Room>,
): boolean => x >= left && x <= width - right && y >= top && y <= height - bottom;

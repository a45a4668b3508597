import { refuseProblems } from '../../platform/http/index.ts';
import { redrawPicture } from '../../platform/pictures.ts';

/** A device's photograph, drawn again as JPEG, at most 1280 px; refuses what is no picture. */
export async function redraw(field: string, source: string): Promise<string> {
  const drawn = await redrawPicture(source, { longestSide: 1280, flat: true });
  if (drawn === undefined) throw refuseProblems([{ field, rule: 'picture' }]);
  return drawn;
}

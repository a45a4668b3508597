import type { Family, Problem, Values } from '../../../../catalogue/index.ts';
import { refuseProblems } from '../../platform/http/index.ts';
import { redrawPicture } from '../../platform/pictures.ts';

const drawn = (source: string): Promise<string | undefined> => redrawPicture(source, { longestSide: 1280, flat: true });

/** A device's photograph, drawn again as JPEG, at most 1280 px; refuses what is no picture. */
export async function redraw(field: string, source: string): Promise<string> {
  const picture = await drawn(source);
  if (picture === undefined) throw refuseProblems([{ field, rule: 'picture' }]);
  return picture;
}

/** Which pictures of a device are none. */
export async function pictureProblems(family: Family, values: Values): Promise<Problem[]> {
  const fields = family.fields
    .filter(({ kind }) => kind === 'picture')
    .map(({ key }) => ({ key, source: values[key] }));
  const wrong = await Promise.all(
    fields.map(async ({ key, source }) =>
      typeof source === 'string' && (await drawn(source)) === undefined
        ? [{ field: key, rule: 'picture' } as const]
        : [],
    ),
  );
  return wrong.flat();
}

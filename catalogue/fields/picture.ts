import { defineKind, fault, value, type BaseField, type OptionsOf, type Read } from './kind.ts';

/**
 * A photograph as a data address: PNG or JPEG by its bytes (specified 9.9: only JPG/PNG image uploads). Lists leave it
 * out because of its size.
 */
export interface PictureField extends BaseField {
  readonly kind: 'picture';
  /** Longest allowed data address, in characters. */
  readonly maxCharacters: number;
}
export const picture = (key: string, options: OptionsOf<PictureField>): PictureField => ({
  kind: 'picture',
  key,
  ...options,
});

// First bytes in base64. The declared type must agree, so that no SVG passes under another type.
const heads = { 'image/png': 'iVBORw0KGgo', 'image/jpeg': '/9j/' } as const;
const form = /^data:(image\/(?:png|jpeg));base64,([A-Za-z0-9+/]+={0,2})$/;

function read(input: unknown, field: PictureField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  if (input.length > field.maxCharacters)
    return fault('pictureSize', { max: Math.floor((field.maxCharacters * 0.75) / 1024) });
  const parts = form.exec(input);
  const head = parts && heads[parts[1] as keyof typeof heads];
  return head && parts[2]?.startsWith(head) ? value(input) : fault('picture');
}

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC';

export const pictureKind = defineKind<PictureField, string>({
  schema: (field) => ({ type: 'string', maxLength: field.maxCharacters }),
  sqlType: 'text',
  read,
  toText: (v) => v,
  readText: read,
  simulate: () => onePixel,
  docs: (field) =>
    `picture (PNG or JPEG) as a data address, up to ${Math.floor((field.maxCharacters * 0.75) / 1024)} KB`,
});

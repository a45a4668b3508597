import type { Field, KindName } from '../../../catalogue/fields/index.ts';
import { booleanFace } from './boolean-face.tsx';
import { dateFace } from './date-face.tsx';
import type { CellProps, Face, FilterProps, InputProps } from './face.ts';
import { numberFace } from './number-face.tsx';
import { pictureFace } from './picture-face.tsx';
import { referenceFace } from './reference-face.tsx';
import { secretFace } from './secret-face.tsx';
import { selectFace } from './select-face.tsx';
import { textFace } from './text-face.tsx';

/** The face of every kind; a kind without one does not compile. */
export const faces: { readonly [K in KindName]: Face<Extract<Field, { kind: K }>> } = {
  text: textFace,
  code: textFace,
  phone: textFace,
  ipv4: textFace,
  sim: textFace,
  idCard: textFace,
  number: numberFace,
  integer: numberFace,
  port: numberFace,
  coordinate: numberFace,
  boolean: booleanFace,
  select: selectFace,
  date: dateFace,
  reference: referenceFace,
  secret: secretFace,
  picture: pictureFace,
};

// A field and its face always match (both are found by `kind`), which the compiler cannot follow across the union.
const faceOf = (field: Field): Face<Field> => faces[field.kind] as unknown as Face<Field>;

export function FieldInput(props: InputProps<Field>) {
  const { Input } = faceOf(props.field);
  return <Input {...props} />;
}

export function FieldCell(props: CellProps<Field>) {
  const { Cell } = faceOf(props.field);
  return <Cell {...props} />;
}

/** The filter of a field; nothing where its kind has none. */
export function FieldFilter(props: FilterProps<Field>) {
  const { Filter } = faceOf(props.field);
  return Filter ? <Filter {...props} /> : null;
}

export const isNumeric = (field: Field): boolean => faces[field.kind].numeric === true;
export const canFilter = (field: Field): boolean => field.filter === true && faces[field.kind].Filter !== null;

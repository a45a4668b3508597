import { booleanKind, type BooleanField } from './boolean.ts';
import { codeKind, type CodeField } from './code.ts';
import { coordinateKind, type CoordinateField } from './coordinate.ts';
import { dateKind, type DateField } from './date.ts';
import { integerKind, type IntegerField } from './integer.ts';
import { numberKind, type NumberField } from './number.ts';
import {
  idCardKind,
  ipv4Kind,
  phoneKind,
  simKind,
  type IdCardField,
  type Ipv4Field,
  type PhoneField,
  type SimField,
} from './pattern.ts';
import { pictureKind, type PictureField } from './picture.ts';
import { portKind, type PortField } from './port.ts';
import { referenceKind, type ReferenceField } from './reference.ts';
import { secretKind, type SecretField } from './secret.ts';
import { selectKind, type SelectField } from './select.ts';
import { textKind, type TextField } from './text.ts';
import type { FieldKind, JsonSchema, Random, Read } from './kind.ts';

export type Field =
  | TextField
  | CodeField
  | NumberField
  | IntegerField
  | BooleanField
  | SelectField
  | DateField
  | PhoneField
  | Ipv4Field
  | PortField
  | SimField
  | IdCardField
  | CoordinateField
  | ReferenceField
  | SecretField
  | PictureField;
export type KindName = Field['kind'];
/** A field's value as it travels in JSON; null where it is empty. */
export type FieldValue = string | number | boolean | null;

/** Every kind of field. */
export const kinds: {
  readonly [K in KindName]: FieldKind<Extract<Field, { kind: K }>, NonNullable<FieldValue> & KindValue[K]>;
} = {
  text: textKind,
  code: codeKind,
  number: numberKind,
  integer: integerKind,
  boolean: booleanKind,
  select: selectKind,
  date: dateKind,
  phone: phoneKind,
  ipv4: ipv4Kind,
  port: portKind,
  sim: simKind,
  idCard: idCardKind,
  coordinate: coordinateKind,
  reference: referenceKind,
  secret: secretKind,
  picture: pictureKind,
};
interface KindValue {
  text: string;
  code: string;
  number: number;
  integer: number;
  boolean: boolean;
  select: string;
  date: string;
  phone: string;
  ipv4: string;
  port: number;
  sim: string;
  idCard: string;
  coordinate: number;
  reference: number;
  secret: string;
  picture: string;
}

// A field and its kind match, as both are found by `field.kind`; the compiler cannot follow this across the union.
const kindOf = (field: Field): FieldKind<Field, NonNullable<FieldValue>> =>
  kinds[field.kind] as unknown as FieldKind<Field, NonNullable<FieldValue>>;

/** Reads one present value of outside data; never throws. */
export const readField = (field: Field, input: unknown): Read<NonNullable<FieldValue>> =>
  kindOf(field).read(input, field);
/** The text of a CSV or Excel cell; empty text for null. */
export const fieldToText = (field: Field, v: FieldValue): string => (v === null ? '' : kindOf(field).toText(v, field));
/** Reads such a text; empty text is null. */
export const fieldFromText = (field: Field, cell: string): Read<FieldValue> =>
  cell.trim() === '' ? { value: null } : kindOf(field).readText(cell, field);
export const simulateField = (field: Field, random: Random): NonNullable<FieldValue> =>
  kindOf(field).simulate(random, field);
export const schemaOfField = (field: Field): JsonSchema => kindOf(field).schema(field);
export const docsOfField = (field: Field): string => kindOf(field).docs(field);
export const sqlTypeOf = (field: Field): FieldKind<Field, FieldValue>['sqlType'] => kinds[field.kind].sqlType;

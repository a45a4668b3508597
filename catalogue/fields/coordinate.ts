import { defineKind, fault, value, type BaseField, type OptionsOf, type Read } from './kind.ts';
import { plainNumber } from './number.ts';

/** Longitude or latitude in WGS-84 degrees; kept to 7 decimals (about 1 cm). */
export interface CoordinateField extends BaseField {
  readonly kind: 'coordinate';
  readonly axis: 'longitude' | 'latitude';
}
export const coordinate = (
  axis: CoordinateField['axis'],
  options: Omit<OptionsOf<CoordinateField>, 'axis'> = {},
): CoordinateField => ({ kind: 'coordinate', key: axis, axis, ...options });

const limit = (field: CoordinateField): number => (field.axis === 'longitude' ? 180 : 90);

function read(input: unknown, field: CoordinateField): Read<number> {
  if (typeof input !== 'number' || !Number.isFinite(input)) return fault('type');
  return Math.abs(input) <= limit(field) ? value(Math.round(input * 1e7) / 1e7) : fault(field.axis);
}

export const coordinateKind = defineKind<CoordinateField, number>({
  schema: (field) => ({ type: 'number', minimum: -limit(field), maximum: limit(field) }),
  sqlType: 'double precision',
  read,
  toText: (v) => String(v),
  readText: (text, field) => (plainNumber.test(text.trim()) ? read(Number(text), field) : fault('type')),
  simulate: (random, field) => Number(((field.axis === 'longitude' ? 120 : 30) + random() * 0.2).toFixed(6)),
  docs: (field) => `${field.axis} in WGS-84 degrees`,
});

import { defineKind, fault, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A TCP or UDP port, 1–65535. */
export interface PortField extends BaseField {
  readonly kind: 'port';
}
export const port = (key: string, options: OptionsOf<PortField> = {}): PortField => ({ kind: 'port', key, ...options });

const read = (input: unknown): Read<number> =>
  typeof input !== 'number' || !Number.isInteger(input)
    ? fault('type')
    : input >= 1 && input <= 65535
      ? value(input)
      : fault('port');

export const portKind = defineKind<PortField, number>({
  schema: () => ({ type: 'integer', minimum: 1, maximum: 65535 }),
  sqlType: 'double precision',
  read,
  toText: (v) => String(v),
  readText: (text) => (/^\d{1,9}$/.test(text.trim()) ? read(Number(text)) : fault('port')),
  simulate: (random) => wholeBetween(random, 1, 65535),
  docs: () => 'port number 1–65535',
});

import { defineKind, fault, isLonger, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** Free text, trimmed and NFC; lengths count code points. */
export interface TextField extends BaseField {
  readonly kind: 'text';
  readonly minLength?: number;
  readonly maxLength: number;
  /** Several lines are allowed. */
  readonly lines?: boolean;
  /** An IANA name of a time zone, such as Asia/Shanghai. */
  readonly timeZone?: boolean;
  /**
   * A path of levels, separated by slashes, the widest first (浙江省/杭州市/滨江区). A filter by one level finds everything
   * below it.
   */
  readonly levels?: boolean;
}
export const text = (key: string, options: OptionsOf<TextField>): TextField => ({ kind: 'text', key, ...options });

// Control and bidirectional formatting characters could disguise a name in lists and logs.
const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const lineBreak = /[\n\t]/u;

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The levels of a path as people write it: any kind of slash, with or without spaces. */
export const levelsOf = (way: string): string[] =>
  way
    .split(/[/／]/u)
    .map((level) => level.trim())
    .filter((level) => level !== '');

function readText(input: unknown, field: TextField): Read<string> {
  if (typeof input !== 'string') return fault('type');
  const clean = input.replaceAll('\r\n', '\n').trim().normalize('NFC');
  if (forbidden.test(clean) || (!field.lines && lineBreak.test(clean))) return fault('characters');
  if (isLonger(clean, field.maxLength)) return fault('maxLength', { max: field.maxLength });
  if ([...clean].length < (field.minLength ?? 0)) return fault('minLength', { min: field.minLength ?? 0 });
  if (field.timeZone && !isTimeZone(clean)) return fault('timeZone');
  return value(clean);
}

export const textKind = defineKind<TextField, string>({
  schema: (field) => ({
    type: 'string',
    maxLength: field.maxLength,
    ...(field.minLength ? { minLength: field.minLength } : {}),
  }),
  sqlType: 'text',
  read: readText,
  toText: (v) => v,
  readText,
  simulate: (random, field) =>
    field.timeZone ? 'Asia/Shanghai' : `Sample ${wholeBetween(random, 1, 9)}`.slice(0, field.maxLength),
  docs: (field) =>
    field.timeZone
      ? 'time zone by its IANA name'
      : `text, ${field.minLength ? `${field.minLength}–` : 'up to '}${field.maxLength} characters${field.lines ? ', several lines' : ''}${field.levels ? ', levels parted by /, the widest first' : ''}`,
});

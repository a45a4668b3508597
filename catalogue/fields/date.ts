import { defineKind, fault, value, wholeBetween, type BaseField, type OptionsOf, type Read } from './kind.ts';

/** A calendar day, `YYYY-MM-DD`, of the site's own calendar: no time, no zone. */
export interface DateField extends BaseField {
  readonly kind: 'date';
}
export const date = (key: string, options: OptionsOf<DateField> = {}): DateField => ({ kind: 'date', key, ...options });

function read(input: unknown): Read<string> {
  if (typeof input !== 'string') return fault('type');
  const day = input.trim().match(/^(\d{4})-(\d{2})-(\d{2})(T00:00:00(\.0+)?(Z|[+-]00:00)?)?$/);
  if (!day) return fault('date');
  const iso = `${day[1]}-${day[2]}-${day[3]}`;
  const at = new Date(`${iso}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso || Number(day[1]) < 1900)
    return fault('date');
  return value(iso);
}

export const dateKind = defineKind<DateField, string>({
  schema: () => ({ type: 'string', format: 'date' }),
  sqlType: 'date',
  read,
  toText: (v) => v,
  readText: (text) => read(text.replaceAll('/', '-').replace(/-(\d)(?=-|$)/g, '-0$1')),
  simulate: (random) =>
    `20${wholeBetween(random, 10, 25)}-0${wholeBetween(random, 1, 9)}-1${wholeBetween(random, 0, 9)}`,
  docs: () => 'calendar day YYYY-MM-DD',
});

const units = [
  ['terabyte', 1e12],
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;
const formats = new Map<string, Intl.NumberFormat>();

/**
 * 5.2 GB, 62.9 Mo: a size in the unit that says most, with three digits and the unit's name in that language; powers of
 * 1000, as disks are sold.
 */
export function formatBytes(count: number, language: string): string {
  const [unit, size] = units.find(([, least]) => count >= least) ?? ['kilobyte', 1e3];
  const id = `${language}/${unit}`;
  const format =
    formats.get(id) ??
    new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumSignificantDigits: 3,
    });
  formats.set(id, format);
  return format.format(count / size);
}

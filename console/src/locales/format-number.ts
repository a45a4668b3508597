const formats = new Map<string, Intl.NumberFormat>();

/** A number in the writing of a language with so many decimals. */
export function formatNumber(value: number, language: string, decimals: number): string {
  const id = `${language}/${decimals}`;
  const known = formats.get(id);
  if (known) return known.format(value);
  const format = new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(id, format);
  return format.format(value);
}

/** A percentage (0–100) in the writing of a language, with or without a space before its sign. */
export function formatPercent(value: number, language: string, decimals = 0): string {
  const id = `${language}/%${decimals}`;
  const format =
    formats.get(id) ??
    new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
      style: 'percent',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
  formats.set(id, format);
  return format.format(value / 100);
}

/**
 * By which sign the numbers of a column have decimals; `unclear` where each could as well be thousands (`1,234`), or
 * where both signs occur.
 */
export type Decimals = 'point' | 'comma' | 'unclear';

const whole = /^[+-]?\d+$/;
const signed = { comma: /^[+-]?\d+,\d+$/, point: /^[+-]?\d+\.\d+$/ };
/** One group of thousands is no proof: 1,234 and 1.234 are numbers with decimals too. */
const oneGroup = /^[+-]?[1-9]\d{0,2},\d{3}$/;
const grouped = { comma: /^[+-]?\d{1,3}(?:[. \u00a0\u202f'’]\d{3})+,\d+$/, point: /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$/ };

/** Judges the values of a column as a whole; undefined for a column that is no numbers, or whole ones. */
export function decimalsOf(cells: Iterable<string>): Decimals | undefined {
  let [comma, point, either, others, filled] = [0, 0, 0, 0, 0];
  for (const cell of cells) {
    const text = cell.trim();
    if (text === '') continue;
    filled += 1;
    if (whole.test(text)) continue;
    if (oneGroup.test(text)) either += 1;
    else if (signed.comma.test(text) || grouped.comma.test(text)) comma += 1;
    else if (signed.point.test(text) || grouped.point.test(text)) point += 1;
    else others += 1;
  }
  if (others * 2 > filled) return undefined;
  if (comma > 0) return point > 0 ? 'unclear' : 'comma';
  if (point > 0) return either > 0 ? 'unclear' : 'point';
  return either > 0 ? 'unclear' : undefined;
}

/**
 * The number of a cell whose decimals follow a comma, as a text with a point; undefined for what is no such number,
 * `1.234` among it.
 */
export function withPoint(text: string): string | undefined {
  const clean = text.trim();
  if (/^[+-]?(\d+(,\d*)?|,\d+)(e[+-]?\d{1,3})?$/i.test(clean)) return clean.replace(',', '.');
  return grouped.comma.test(clean) ? clean.replaceAll(/[. \u00a0\u202f'’]/g, '').replace(',', '.') : undefined;
}

/** The number a text states with a point or nothing before its decimals; NaN for what is none. */
export const numberIn = (text: string): number =>
  /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN;

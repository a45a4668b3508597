const accents: Record<string, string> = {
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'đ',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'í',
  j: 'ĵ',
  k: 'ķ',
  l: 'ĺ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ó',
  p: 'þ',
  q: 'ɋ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ú',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
};

/**
 * One text of the pseudo-language: accented, a third longer, in brackets; placeholders stay. Text without brackets was
 * hard-coded.
 */
export function pseudo(text: string): string {
  const changed = text
    .split(/(\{\{[^}]*\}\}|<[^>]*>)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[a-z]/gi, (letter) => accents[letter.toLowerCase()] ?? letter),
    )
    .join('');
  return `[${changed}${'~'.repeat(Math.ceil(text.length / 3))}]`;
}

/** All texts of one area. */
export const pseudoArea = (area: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(area).map(([key, text]) => [key, pseudo(text)]));

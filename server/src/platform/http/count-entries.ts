import { refuse } from './refuse.ts';

/** Deeper than any body of ours. */
export const deepest = 40;
/** Fields of one address: more than the longest address of the console has. */
export const mostQueryFields = 500;

/**
 * Different names of fields in one body: more than any has, and few enough to be kept. Each new one costs its reader
 * more than a hundred others.
 */
export const mostNames = 2000;

const [quote, backslash, comma, colon, space, openBrace, closeBrace, openBracket, closeBracket] = [
  '"',
  '\\',
  ',',
  ':',
  ' ',
  '{',
  '}',
  '[',
  ']',
].map((sign) => sign.charCodeAt(0)) as [number, number, number, number, number, number, number, number, number];

/**
 * Looks over a text that should be JSON, before anything is made of it: throws `tooManyEntries` at the first field or
 * list entry beyond `most`, `tooManyNames` where more than 2,000 fields have different names, and `tooDeep` where it is
 * nested deeper than 40. Whether it is JSON, its reader says.
 */
export function boundJson(text: string, most: number): void {
  let entries = 0;
  let depth = 0;
  const names = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) {
      const end = endOfString(text, at);
      if (isName(text, end)) names.add(text.slice(at, end));
      if (names.size > mostNames) throw refuse('tooManyNames', { most: mostNames });
      at = end;
    } else if (sign === comma || sign === openBrace || sign === openBracket) {
      entries += 1;
      if (entries > most) throw refuse('tooManyEntries', { most });
      if (sign !== comma) depth += 1;
      if (depth > deepest) throw refuse('tooDeep', { most: deepest });
    } else if (sign === closeBrace || sign === closeBracket) depth -= 1;
  }
}

/** Where the string ends that begins at `from`; the end of the text when it does not. */
function endOfString(text: string, from: number): number {
  for (let end = from + 1; end < text.length; end += 1) {
    const sign = text.charCodeAt(end);
    if (sign === quote) return end;
    if (sign === backslash) end += 1;
  }
  return text.length;
}

/** Whether a colon follows. */
function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= space) next += 1;
  return text.charCodeAt(next) === colon;
}

/** The same for form-encoded text, a body or a query. */
export function boundForm(text: string, most: number): void {
  let entries = text === '' ? 0 : 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) entries += 1;
  if (entries > most) throw refuse('tooManyEntries', { most });
}

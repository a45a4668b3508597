import { refuse } from './refuse.ts';

/** Deeper than any body of ours. */
export const deepest = 40;
/** Fields of one address: more than the longest address of the console has. */
export const mostQueryFields = 500;

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = ['"', '\\', ',', '{', '}', '[', ']'].map((sign) => sign.charCodeAt(0));

/**
 * Looks over a text that should be JSON, before anything is made of it: throws `tooManyEntries` at the first field or list entry beyond
 * `most`, and `tooDeep` where it is nested deeper than 40. Whether it is JSON, its reader says.
 */
export function boundJson(text: string, most: number): void {
  let entries = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfString(text, at);
    else if (sign === comma || sign === openBrace || sign === openBracket) {
      entries += 1;
      if (entries > most) throw refuse('tooManyEntries', { most });
      if (sign !== comma) depth += 1;
      if (depth > deepest) throw refuse('tooDeep', { most: deepest });
    } else if (sign === closeBrace || sign === closeBracket) depth -= 1;
  }
}

/** Where the string ends that begins at `from`; the end of the text when it does not. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/** The same for form-encoded text, a body or a query. */
export function boundForm(text: string, most: number): void {
  let entries = text === '' ? 0 : 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) entries += 1;
  if (entries > most) throw refuse('tooManyEntries', { most });
}

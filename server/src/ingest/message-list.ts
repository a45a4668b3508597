/**
 * The messages of a request, each as its own bytes, so that a bad one spoils none of the others: a JSON array is cut
 * between its elements, a body of lines at their ends; anything else is one message. undefined: an array that does not
 * close. Pure.
 */
export function messagesIn(bytes: Uint8Array, lines: boolean): Uint8Array[] | undefined {
  if (lines) return cutLines(bytes);
  const first = afterSpace(bytes, 0);
  if (first === bytes.length) return [];
  return bytes[first] === sign.openList ? cutList(bytes, first + 1) : [bytes];
}

const sign = {
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  openList: 0x5b,
  closeList: 0x5d,
  open: 0x7b,
  close: 0x7d,
  newLine: 0x0a,
} as const;
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
}

function cutLines(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(sign.newLine, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    if (afterSpace(line, 0) < line.length) found.push(line);
    from = end === -1 ? bytes.length : end + 1;
  }
  return found;
}

/** Only texts and depth are looked at; whether each part is JSON is seen when it is read. */
function cutList(bytes: Uint8Array, begin: number): Uint8Array[] | undefined {
  if (bytes[afterSpace(bytes, begin)] === sign.closeList)
    return afterSpace(bytes, afterSpace(bytes, begin) + 1) === bytes.length ? [] : undefined;
  const found: Uint8Array[] = [];
  let depth = 0;
  let from = begin;
  let inText = false;
  for (let at = begin; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inText) {
      if (byte === sign.backslash) at += 1;
      else if (byte === sign.quote) inText = false;
    } else if (byte === sign.quote) inText = true;
    else if (byte === sign.open || byte === sign.openList) depth += 1;
    else if (depth > 0 && (byte === sign.close || byte === sign.closeList)) depth -= 1;
    else if (byte === sign.comma && depth === 0) {
      found.push(bytes.subarray(from, at));
      from = at + 1;
    } else if (byte === sign.closeList) {
      found.push(bytes.subarray(from, at));
      return afterSpace(bytes, at + 1) === bytes.length ? found : undefined;
    }
  }
  return undefined;
}

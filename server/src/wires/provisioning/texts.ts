/** Text of a stranger as it may be kept and shown: no control or bidi characters, cut, well-formed. */
export const clean = (text: string, most = 200): string =>
  text
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .slice(0, most)
    .toWellFormed();

const secretValue = /("secret"\s*:\s*")(?:[^"\\]|\\.)*"?/g;
const utf8 = new TextDecoder('utf-8');
const mostShown = 4000;

const decoded = (payload: Uint8Array): string => utf8.decode(payload).replaceAll(secretValue, '$1…"');

/** A payload that is only kept to be shown: whatever its bytes are, its secret left out. */
export const keptForShow = (payload: Uint8Array): string => shownText(decoded(payload.subarray(0, 4 * mostShown)));

/**
 * Readings that the claim takes over: whole and as they came, but for a secret. Their length was judged when they were
 * read.
 */
export const keptForReplay = (payload: Uint8Array): string => decoded(payload);

/** A kept payload for people to read. */
export const shownText = (text: string): string => clean(text, mostShown);

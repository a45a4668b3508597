/** Text of a stranger as it may be kept and shown: no control or bidi characters, well-formed, cut. */
export const clean = (text: string, most = 200): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').slice(0, most);

const secretValue = /("secret"\s*:\s*")[^"]*"?/g;
const utf8 = new TextDecoder('utf-8');
const mostText = 4000;

/** A payload for people to read: whatever its bytes are, its secret left out. */
export const shownPayload = (payload: Uint8Array): string => clean(utf8.decode(payload.subarray(0, 4 * mostText)).replaceAll(secretValue, '$1…"'), mostText);

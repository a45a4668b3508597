/**
 * Reads the token of a sign-in link out of a raw query (specified 1.8): `?token=Bearer%<code>`. The percent sign
 * divides the two parts and is no escape, so the query is never decoded; a sender that did escape it (`%25`) is
 * understood too.
 */
export function readLinkToken(query: string): string | undefined {
  const raw = /[?&]token=([^&#]+)/.exec(query)?.[1];
  const [, scheme, code] = /^([A-Za-z]+)%(?:25)?(.+)$/.exec(raw ?? '') ?? [];
  return scheme === undefined || code === undefined ? undefined : `${scheme}%${code}`;
}

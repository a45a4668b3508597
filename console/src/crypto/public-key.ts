/** What RSA needs of a public key: modulus, exponent and the modulus' length in bytes. */
export interface PublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly bytes: number;
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/\s+/g, '')), (character) => character.charCodeAt(0));
}

export function toNumber(bytes: Uint8Array): bigint {
  let hex = '0x0';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return BigInt(hex);
}

/** Reads one DER element; `next` is where the following one starts. Throws on anything else than definite lengths. */
function element(der: Uint8Array, at: number, tag: number): { content: Uint8Array; next: number } {
  if (der[at] !== tag) throw new Error('not an RSA public key');
  let length = der[at + 1] ?? 0;
  let start = at + 2;
  if (length > 0x80) {
    const digits = length - 0x80;
    length = Number(toNumber(der.subarray(start, start + digits)));
    start += digits;
  }
  if (start + length > der.length) throw new Error('public key cut short');
  return { content: der.subarray(start, start + length), next: start + length };
}

/**
 * Reads `{publicKey}` of GET /api/system/publicKey: base64 of a SubjectPublicKeyInfo holding an RSA key (RFC 5280, RFC
 * 8017).
 */
export function readPublicKey(spki: string): PublicKey {
  const info = element(fromBase64(spki), 0, 0x30).content;
  const algorithm = element(info, 0, 0x30);
  const bits = element(info, algorithm.next, 0x03).content;
  const key = element(bits.subarray(1), 0, 0x30).content;
  const modulus = element(key, 0, 0x02);
  const exponent = element(key, modulus.next, 0x02);
  const unsigned = modulus.content[0] === 0 ? modulus.content.subarray(1) : modulus.content;
  return { modulus: toNumber(unsigned), exponent: toNumber(exponent.content), bytes: unsigned.length };
}

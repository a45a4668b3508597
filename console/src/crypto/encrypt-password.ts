import { sha256 } from '@noble/hashes/sha2.js';
import { readPublicKey, toNumber } from './public-key.ts';

const HASH_BYTES = 32;

/** MGF1 with SHA-256 (RFC 8017, B.2.1). */
function mask(seed: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(length);
  const input = new Uint8Array(seed.length + 4);
  input.set(seed);
  for (let block = 0; block * HASH_BYTES < length; block += 1) {
    new DataView(input.buffer).setUint32(seed.length, block);
    result.set(sha256(input).subarray(0, Math.min(HASH_BYTES, length - block * HASH_BYTES)), block * HASH_BYTES);
  }
  return result;
}

const xor = (one: Uint8Array, other: Uint8Array): Uint8Array => one.map((byte, index) => byte ^ (other[index] ?? 0));

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n, square = (square * square) % modulus) {
    if (left & 1n) result = (result * square) % modulus;
  }
  return result;
}

/**
 * Encrypts a password for transit: RSA-OAEP with SHA-256 (specified 1.13), base64. Written on BigInt because
 * `crypto.subtle` is missing on plain-http addresses. Throws when the password does not fit the key (190 bytes of UTF-8
 * for 2048 bits).
 */
export function encryptPassword(spki: string, password: string): string {
  const key = readPublicKey(spki);
  const message = new TextEncoder().encode(password);
  const blockLength = key.bytes - HASH_BYTES - 1;
  if (message.length > blockLength - HASH_BYTES - 1) throw new Error('password too long for the key');
  const block = new Uint8Array(blockLength);
  block.set(sha256(new Uint8Array()));
  block[blockLength - message.length - 1] = 1;
  block.set(message, blockLength - message.length);
  const seed = crypto.getRandomValues(new Uint8Array(HASH_BYTES));
  const maskedBlock = xor(block, mask(seed, blockLength));
  const maskedSeed = xor(seed, mask(maskedBlock, HASH_BYTES));
  const padded = new Uint8Array(key.bytes);
  padded.set(maskedSeed, 1);
  padded.set(maskedBlock, 1 + HASH_BYTES);
  const cipher = power(toNumber(padded), key.exponent, key.modulus)
    .toString(16)
    .padStart(key.bytes * 2, '0');
  return btoa(cipher.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}

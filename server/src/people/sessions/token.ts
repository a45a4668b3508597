import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

const familyBytes = 16;
const tokenBytes = 32;

/**
 * What all tokens of one session begin with: 128 random bits, by which a token is recognised that was replaced long
 * ago.
 */
export const newFamily = (): Buffer => randomBytes(familyBytes);

/** A new session token of a family: opaque, 256 bits, half of them its own. */
export const newToken = (family: Buffer): string =>
  Buffer.concat([family, randomBytes(tokenBytes - familyBytes)]).toString('base64url');

/** The family of a token; undefined: it is no token of ours. */
export function familyOf(token: string): Buffer | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Its decoder passes over quotes and padding: what only resembles a token, badly copied, is none.
  return bytes.length === tokenBytes && bytes.toString('base64url') === token
    ? bytes.subarray(0, familyBytes)
    : undefined;
}

/** What the database keeps of a token, and of a family. */
export const tokenHash = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest();

/** Tokens travel with their prefix. */
export const withPrefix = (token: string): string => `Bearer ${token}`;
export const withoutPrefix = (token: string): string => token.replace(/^bearer\s+/i, '');

const nonce = Buffer.alloc(12);
const keyOf = (token: string): Buffer => createHmac('sha256', token).update('successor').digest();

/**
 * The successor of a token as the database keeps it: only who has the token can read it. A token has one successor, so
 * its key is used once.
 */
export function sealSuccessor(token: string, successor: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(token), nonce);
  return Buffer.concat([cipher.update(successor), cipher.final(), cipher.getAuthTag()]);
}

/** The successor of a token. Throws when it was sealed with another token. */
export function openSuccessor(token: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(token), nonce, { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
}

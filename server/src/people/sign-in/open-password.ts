import { constants, createPrivateKey, privateDecrypt, type KeyObject } from 'node:crypto';

/** Opens an encrypted password field; undefined when it is none. */
export type OpenPassword = (encrypted: string) => string | undefined;

/**
 * Reads RSA-OAEP-SHA256 and, for family clients, PKCS#1 v1.5. Both are always tried, so that time does not tell which
 * it was; a bad PKCS#1 padding gives random bytes (implicit rejection), which are nobody's password.
 */
export function passwordOpener(privateKey: Buffer): OpenPassword {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  return (encrypted) => {
    const bytes = Buffer.from(encrypted.trim().replaceAll(' ', '+'), 'base64');
    const oaep = attempt(key, bytes, { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' });
    const family = attempt(key, bytes, { padding: constants.RSA_PKCS1_PADDING });
    return readable(oaep ?? family);
  };
}

function attempt(key: KeyObject, bytes: Buffer, how: { padding: number; oaepHash?: string }): Buffer | undefined {
  try {
    return privateDecrypt({ key, ...how }, bytes);
  } catch {
    return undefined;
  }
}

function readable(bytes: Buffer | undefined): string | undefined {
  if (!bytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encryptPassword } from './encrypt-password.ts';
import { readPublicKey } from './public-key.ts';

function pair(modulusLength: number, publicExponent = 65537) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const decrypt = (cipher: string): string =>
    privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(cipher, 'base64'),
    ).toString('utf8');
  return { spki, decrypt, publicKey };
}

const site = pair(2048);

describe('encryptPassword', () => {
  test.each(['x', 'Lamp-2026!', '密码萤火虫', '🔥🏮', 'é'.repeat(95), 'a'.repeat(190)])(
    'node decrypts %s',
    (password) => {
      expect(site.decrypt(encryptPassword(site.spki, password))).toBe(password);
    },
  );

  test('fits larger keys and other exponents', () => {
    const larger = pair(3072, 3);
    expect(larger.decrypt(encryptPassword(larger.spki, '足够长的密码'))).toBe('足够长的密码');
  });

  test('always has the key’s length and never repeats', () => {
    const ciphers = Array.from({ length: 40 }, () => encryptPassword(site.spki, 'same'));
    expect(new Set(ciphers).size).toBe(40);
    for (const cipher of ciphers) expect(Buffer.from(cipher, 'base64')).toHaveLength(256);
  });

  test('refuses what does not fit', () => {
    expect(() => encryptPassword(site.spki, 'a'.repeat(191))).toThrow('too long');
  });
});

describe('readPublicKey', () => {
  test('agrees with node', () => {
    const jwk = site.publicKey.export({ format: 'jwk' });
    const key = readPublicKey(site.spki.replace(/(.{64})/g, '$1\n'));
    expect(key.modulus).toBe(BigInt(`0x${Buffer.from(jwk.n ?? '', 'base64url').toString('hex')}`));
    expect(key.exponent).toBe(65537n);
    expect(key.bytes).toBe(256);
  });

  test('refuses a cut key and other bytes', () => {
    expect(() => readPublicKey(site.spki.slice(0, 80))).toThrow();
    expect(() => readPublicKey(btoa('hello'))).toThrow();
  });
});

import { constants, createPublicKey, createPrivateKey, privateDecrypt, publicEncrypt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { openKeys, rsaPair } from './keys.ts';

const { db } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), 'lampyris-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keys = openKeys(join(folder, 'secret.key'));

test('the key file is made once, for its owner alone', () => {
  const file = join(folder, 'secret.key');
  const before = readFileSync(file, 'utf8');
  openKeys(file);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a key file that others can read, or that holds no key, is refused', () => {
  const open = join(folder, 'open.key');
  openKeys(open);
  chmodSync(open, 0o644);
  expect(() => openKeys(open)).toThrow(/can be read by others/);
  const wrong = join(folder, 'wrong.key');
  writeFileSync(wrong, 'short', { mode: 0o600 });
  expect(() => openKeys(wrong)).toThrow(/does not hold a key of 32 bytes/);
});

test('what is encrypted decrypts under its own name only, and not when changed', () => {
  const sealed = keys.encrypt('one', Buffer.from('萤火'));
  expect(keys.decrypt('one', sealed).toString()).toBe('萤火');
  expect(() => keys.decrypt('two', sealed)).toThrow();
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => keys.decrypt('one', sealed)).toThrow();
  expect(keys.encrypt('one', Buffer.from('same')).equals(keys.encrypt('one', Buffer.from('same')))).toBe(false);
});

test('the RSA pair is made once, also by two processes at once, and kept encrypted', async () => {
  const [one, two] = await Promise.all([rsaPair(keys, db), rsaPair(keys, db)]);
  expect(one).toEqual(two);
  const publicKey = createPublicKey({ key: Buffer.from(one.publicKey, 'base64'), format: 'der', type: 'spki' });
  const privateKey = createPrivateKey({ key: one.privateKey, format: 'der', type: 'pkcs8' });
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  const sealed = publicEncrypt({ key: publicKey, ...padding }, Buffer.from('secret'));
  expect(privateDecrypt({ key: privateKey, ...padding }, sealed).toString()).toBe('secret');
  const { value } = await db.selectFrom('secret').select('value').where('name', '=', 'rsa').executeTakeFirstOrThrow();
  expect(value.includes(one.publicKey.slice(0, 40))).toBe(false);
  await expect(rsaPair(openKeys(join(folder, 'other.key')), db)).rejects.toThrow(/made with another key/);
});

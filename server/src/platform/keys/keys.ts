import { createCipheriv, createDecipheriv, generateKeyPair, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Db } from '../db/index.ts';
import { makeFolder } from '../make-folder.ts';
import { StartError, codeOf, reasonOf } from '../start-error.ts';

/** Encrypts what the database keeps and only this site may read: AES-256-GCM under the site's key file. */
export interface Keys {
  /** `name` is bound into the result: it decrypts under the same name only. */
  encrypt(name: string, plain: Uint8Array): Buffer;
  /** Throws when the value was changed, or made with another key or name. */
  decrypt(name: string, sealed: Uint8Array): Buffer;
  /** The value kept under `name` in the database, made by `make` the first time; several processes get the same one. */
  secret(db: Db, name: string, make: () => Uint8Array | Promise<Uint8Array>): Promise<Buffer>;
}

const version = 1;
const nonceLength = 12;
const tagLength = 16;

/** Whether the database keeps secrets already: then the site has a key, and none is made. */
export async function hasSecrets(db: Db): Promise<boolean> {
  return (await db.selectFrom('secret').select('name').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Reads the key file, making it (0600) at the first start of a site. Throws StartError when it cannot be used, or is
 * missing at a later one.
 */
export function openKeys(
  file: string,
  { isFirstStart }: { readonly isFirstStart: boolean } = { isFirstStart: true },
): Keys {
  const key = readKey(file, isFirstStart);
  const encrypt: Keys['encrypt'] = (name, plain) => {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
  };
  const decrypt: Keys['decrypt'] = (name, sealed) => {
    const bytes = Buffer.from(sealed);
    if (bytes[0] !== version || bytes.length < 1 + nonceLength + tagLength)
      throw new Error(`the secret "${name}" is damaged`);
    const nonce = bytes.subarray(1, 1 + nonceLength);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(
      Buffer.from(name),
    );
    decipher.setAuthTag(bytes.subarray(1 + nonceLength, 1 + nonceLength + tagLength));
    return Buffer.concat([decipher.update(bytes.subarray(1 + nonceLength + tagLength)), decipher.final()]);
  };
  return {
    encrypt,
    decrypt,
    async secret(db, name, make) {
      const stored = () => db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
      let row = await stored();
      if (!row) {
        const value = encrypt(name, await make());
        await db
          .insertInto('secret')
          .values({ name, value })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        row = await stored();
      }
      if (!row) throw new Error(`the secret "${name}" was not stored`);
      try {
        return decrypt(name, row.value);
      } catch {
        throw new StartError(
          `The database's secrets were made with another key than ${file} holds: set SECRET_KEY_FILE to the key file of this site.`,
        );
      }
    },
  };
}

export interface RsaPair {
  /** Base64 SPKI. */
  readonly publicKey: string;
  /** PKCS#8 DER. */
  readonly privateKey: Buffer;
}

/**
 * The installation's RSA pair for passwords in transit (2048 bits), made at the first start and kept encrypted in the
 * database.
 */
export async function rsaPair(keys: Keys, db: Db): Promise<RsaPair> {
  const kept = await keys.secret(db, 'rsa', async () => {
    const pair = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return Buffer.from(
      JSON.stringify({ publicKey: pair.publicKey.toString('base64'), privateKey: pair.privateKey.toString('base64') }),
    );
  });
  const pair = JSON.parse(kept.toString()) as { publicKey: string; privateKey: string };
  return { publicKey: pair.publicKey, privateKey: Buffer.from(pair.privateKey, 'base64') };
}

function readKey(file: string, mayMake: boolean): Buffer {
  try {
    if (mayMake) makeKeyFile(file);
    else if (!statSync(file, { throwIfNoEntry: false }))
      throw new StartError(
        `SECRET_KEY_FILE ${file} is missing, and the database has secrets that were made with it: put it back from its copy, or set SECRET_KEY_FILE to the key file of this site.`,
      );
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new StartError(`SECRET_KEY_FILE ${file} can be read by others: chmod 600 it.`);
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
    if (key.length !== 32) throw new StartError(`SECRET_KEY_FILE ${file} does not hold a key of 32 bytes in base64.`);
    return key;
  } catch (thrown) {
    if (thrown instanceof StartError) throw thrown;
    throw new StartError(`SECRET_KEY_FILE ${file} cannot be used: ${reasonOf(thrown)}`);
  }
}

/** Written beside its place and linked into it: a killed start leaves no half key, and of two starts one wins. */
function makeKeyFile(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })) return;
  makeFolder(dirname(file));
  const temporary = `${file}.${process.pid}`;
  const handle = openSync(temporary, 'w', 0o600);
  writeSync(handle, `${randomBytes(32).toString('base64')}\n`);
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(temporary, file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    rmSync(temporary, { force: true });
  }
}

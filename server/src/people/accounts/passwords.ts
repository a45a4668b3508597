import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults (19 MiB, 2 passes), about 34 ms. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'));

let nobody: Promise<string> | undefined;
/**
 * The hash of a password that nobody knows: checked where there is no account, so that the answer takes the same time.
 */
const nobodysHash = (): Promise<string> => (nobody ??= hash(randomBytes(24).toString('base64')));

/** Whether the password is the account's; with no account or no readable password it costs the same and is wrong. */
export async function checkPassword(passwordHash: string | undefined, password: string | undefined): Promise<boolean> {
  const right = await verify(
    passwordHash ?? (await nobodysHash()),
    (password ?? randomBytes(24).toString('base64')).normalize('NFC'),
  );
  return right && passwordHash !== undefined && password !== undefined;
}

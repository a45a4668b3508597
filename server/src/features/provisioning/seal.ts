import type { Keys } from '../../platform/keys/index.ts';

const name = 'newcomer.secret';

/** The secret a newcomer chose, as it waits for the claim. */
export const sealNewcomerSecret = (keys: Keys, secret: string): string => keys.encrypt(name, Buffer.from(secret)).toString('base64');
export const openNewcomerSecret = (keys: Keys, sealed: string): string => keys.decrypt(name, Buffer.from(sealed, 'base64')).toString();

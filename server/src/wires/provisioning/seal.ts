import type { Keys } from '../../platform/keys/index.ts';

const sealed = (name: string) => ({
  seal: (keys: Keys, secret: string): string => keys.encrypt(name, Buffer.from(secret)).toString('base64'),
  open: (keys: Keys, text: string): string => keys.decrypt(name, Buffer.from(text, 'base64')).toString(),
});

/** The secret a newcomer chose, as it waits for the claim and then for the broker. */
export const { seal: sealNewcomerSecret, open: openNewcomerSecret } = sealed('newcomer.secret');
/** The secret of a batch, for brokers that keep accounts of their own. */
export const { seal: sealBatchSecret, open: openBatchSecret } = sealed('batch.secret');

import type { Keys } from '../../platform/keys/index.ts';

const mark = 'sealed:';

/** A secret of a device as the row keeps it: encrypted with the site's key, bound to its field. */
export const sealSecret = (keys: Keys, field: string, plain: string): string =>
  `${mark}${keys.encrypt(`device.${field}`, Buffer.from(plain)).toString('base64')}`;

/** Opens what `sealSecret` made. */
export const openSecret = (keys: Keys, field: string, sealed: string): string =>
  keys.decrypt(`device.${field}`, Buffer.from(sealed.slice(mark.length), 'base64')).toString();

import { randomInt } from 'node:crypto';

// Without look-alikes (l I 1, O o 0).
const lower = 'abcdefghijkmnpqrstuvwxyz';
const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '23456789';

/**
 * A random password of 60 bits that meets the password rule by its form: five groups of lower case, upper case and
 * digit, so no run of neighbouring keys and no account name can appear in it.
 */
export function randomPassword(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  return Array.from({ length: 5 }, () => pick(lower) + pick(upper) + pick(digits)).join('-');
}

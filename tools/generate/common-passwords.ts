import { dictionary } from '@zxcvbn-ts/language-common';

const count = 10_000;

/**
 * The most common passwords as the server reads them: one a line, the most common first. The package's whole dictionary
 * would take 55 ms to unpack and 5 MB.
 */
export const commonPasswords = (): string => `${dictionary['passwords-common'].slice(0, count).join('\n')}\n`;

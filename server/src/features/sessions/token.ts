import { createHash, randomBytes } from 'node:crypto';

/** A new session token: opaque, 256 bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Tokens travel with their prefix (decisions 2). */
export const withPrefix = (token: string): string => `Bearer ${token}`;

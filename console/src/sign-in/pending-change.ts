import { session } from '../session/index.ts';

/**
 * A sign-in that was answered with passwordStatus 1 or 2: whose, why, and until when the server takes the new password.
 */
export interface PendingChange {
  readonly username: string;
  readonly status: number;
  readonly until: number;
}

/** Decisions 3: the change is accepted within 10 minutes after that sign-in. */
const CHANGE_WITHIN_MS = 10 * 60_000;
const KEY = 'passwordChange';

export function rememberPendingChange(username: string, status: number, now: number = Date.now()): void {
  session.set(KEY, JSON.stringify({ username, status, until: now + CHANGE_WITHIN_MS } satisfies PendingChange));
}

export const forgetPendingChange = (): void => session.remove(KEY);

/** The pending change of this tab, also after a reload; undefined when there is none. */
export function pendingChange(): PendingChange | undefined {
  try {
    const value: unknown = JSON.parse(session.get(KEY) ?? 'null');
    if (typeof value !== 'object' || value === null) return undefined;
    const { username, status, until } = value as Record<string, unknown>;
    return typeof username === 'string' && typeof status === 'number' && typeof until === 'number'
      ? { username, status, until }
      : undefined;
  } catch {
    return undefined;
  }
}

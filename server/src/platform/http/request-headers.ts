import type { IncomingHttpHeaders } from 'node:http';

/**
 * A header's value; `undefined`, `null` and blank texts, which clients of the family send, count as absent (specified
 * 10.3).
 */
export function present(value: string | readonly string[] | undefined): string | undefined {
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === undefined || text === '' || text === 'undefined' || text === 'null' ? undefined : text;
}

/** The session token of a request, with or without its `Bearer` prefix. */
export function tokenOf(headers: IncomingHttpHeaders): string | undefined {
  const value = present(headers.authorization);
  // Basic is how devices sign in (contract/wires/ingestion.ts), never people.
  if (value === undefined || /^basic /i.test(value)) return undefined;
  return present(/^bearer(?:\s+|%20|%)(.*)$/i.exec(value)?.[1] ?? (/^bearer$/i.test(value) ? '' : value));
}

/** Minutes east of UTC+8; anything that is no offset on earth counts as absent. */
export function timezoneOffsetOf(headers: IncomingHttpHeaders): number {
  const minutes = Number(present(headers['timezoneoffset']) ?? 0);
  return Number.isInteger(minutes) && minutes >= -1200 && minutes <= 360 ? minutes : 0;
}

/** The work area in force: its id, null when absent, undefined when the header is no id. */
export function workAreaOf(headers: IncomingHttpHeaders): number | null | undefined {
  const text = present(headers['workid']);
  if (text === undefined) return null;
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Whether the console made this request by itself: it does not keep the session awake (specified 1.10). */
export const isBackground = (headers: IncomingHttpHeaders): boolean => present(headers['x-background']) === '1';

import { currentTag } from './languages.ts';
import { storedToken, storedWorkId } from './state.ts';

/** Requests wait this long for their first byte (specified 11.1). */
export const REQUEST_TIMEOUT_MS = 20_000;
/** Page chunks wait this long. */
export const CHUNK_TIMEOUT_MS = 120_000;

/** Minutes east of UTC+8: Beijing 0, Tokyo 60, Paris in winter -420 (specified 10.2). */
export const timezoneOffset = (at: Date = new Date()): number => -at.getTimezoneOffset() - 480;

/**
 * The headers every request carries (specified 10.1). `background` marks a request the console makes by itself, which
 * does not keep the session awake (specified 1.10).
 */
export function requestHeaders(options: { background?: boolean } = {}): Record<string, string> {
  const headers: Record<string, string> = {
    'Accept-Language': currentTag(),
    timezoneOffset: String(timezoneOffset()),
  };
  const token = storedToken();
  const workId = storedWorkId();
  if (token !== undefined) headers.Authorization = token;
  if (workId !== undefined) headers.workid = workId;
  if (options.background === true) headers['X-Background'] = '1';
  return headers;
}

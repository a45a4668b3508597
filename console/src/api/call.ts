import type { DryRunAnswer } from '../../../contract/dry-run.ts';
import { errors } from '../../../contract/errors.ts';
import type { InputOf, ReplyOf, RouteShape } from '../../../contract/route.ts';
import {
  isSignInPath,
  leaveForSignIn,
  noteResponse,
  requestHeaders,
  REQUEST_TIMEOUT_MS,
  storedToken,
} from '../session/index.ts';
import { startedByConsole } from './activity.ts';
import { ApiError, problemOf } from './api-error.ts';
import { addressOf, bodyOf, type RawInput } from './request.ts';
import { baseOf } from './services.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** The console asks by itself; unset: decided by whether the operator did something just before. */
  background?: boolean;
  /**
   * Of a read: the caller shows a 403 itself, no warning. A change that was refused always warns; what the console asks
   * by itself never does.
   */
  quiet?: boolean;
  /** Token refresh: not recorded as the last response (specified 10.10). */
  unrecorded?: boolean;
}

/** Input may be left out where the route takes none. */
export type CallArgs<R extends RouteShape> =
  Record<never, never> extends InputOf<R>
    ? [input?: InputOf<R>, options?: CallOptions]
    : [input: InputOf<R>, options?: CallOptions];

/** What the application does about refusals that concern the whole page; set once in `app/main.tsx`. */
export interface CallReactions {
  /** 401 elsewhere than on the sign-in screen. */
  signedOut(): void;
  /** 403: the server's message, shown as a warning for 3 s. */
  forbidden(error: ApiError): void;
  /**
   * Asks the operator for what a refused call still needs and sends it again with this added to its body; undefined: it
   * needs nothing that he could give, or he gave up.
   */
  needed?: (error: ApiError) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Minutes east of UTC+8 of the zone the operator reads times in; unset: the browser's. */
  timezoneOffset?: () => number;
}
const standard: CallReactions = { signedOut: () => leaveForSignIn('expired'), forbidden: () => undefined };
let reactions: CallReactions = standard;
export function reactToRefusals(next: CallReactions | undefined): void {
  reactions = next ?? standard;
}

/** What a refused call still needs; undefined: nothing that the operator could give, or he gave up. */
export const neededBy = (error: ApiError): Promise<Readonly<Record<string, unknown>> | undefined> =>
  reactions.needed?.(error) ?? Promise.resolve(undefined);

/** Who asks, judged once when a request is sent: the operator may do something, or go, before its answer comes. */
const judged = (options: CallOptions): CallOptions & { readonly background: boolean } => ({
  ...options,
  background: options.background ?? startedByConsole(),
});

/** The headers of every request of the console. */
export function headersOf(options: CallOptions): Record<string, string> {
  const headers = requestHeaders({ background: judged(options).background });
  if (reactions.timezoneOffset) headers.timezoneOffset = String(reactions.timezoneOffset());
  return headers;
}

/** Sends one request; resolves with the response once its first byte is there. */
async function send(
  route: RouteShape,
  input: RawInput,
  options: CallOptions,
  headers: Record<string, string>,
): Promise<Response> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), REQUEST_TIMEOUT_MS);
  const address = addressOf(route, input);
  const { body, headers: bodyHeaders } = bodyOf(route, input);
  const signals = options.signal ? [limit.signal, options.signal] : [limit.signal];
  try {
    return await fetch(baseOf(address) + address, {
      method: route.method,
      headers: { ...headers, ...bodyHeaders },
      signal: AbortSignal.any(signals),
      ...(body === undefined ? {} : { body }),
    });
  } catch (cause) {
    if (options.signal?.aborted === true) throw new ApiError('aborted', undefined, cause);
    throw new ApiError(limit.signal.aborted ? 'timeout' : 'network', undefined, cause);
  } finally {
    clearTimeout(timer);
  }
}

/** What a refusal says; 401 and 403 have their effect on the whole page. `background`: as it was sent. */
export async function refusal(
  response: Response,
  options: { readonly background: boolean; readonly quiet?: boolean },
  sentToken: string | undefined,
): Promise<ApiError> {
  const error = new ApiError('problem', await problemOf(response));
  if (response.status === 401 && !isSignInPath(window.location.pathname)) {
    // A newer token (refreshed or signed in again in another tab) is not the one that was refused; none at all means
    // that another tab has signed out, which the shell tells without throwing anything away.
    if (sentToken !== undefined && sentToken === storedToken()) reactions.signedOut();
  } else if (
    response.status === 403 &&
    options.quiet !== true &&
    error.code !== errors.confirmNeeded.code &&
    error.message !== '' &&
    !options.background
  )
    reactions.forbidden(error);
  return error;
}

async function exchange(route: RouteShape, input: RawInput, asked: CallOptions): Promise<Response> {
  const options = judged(asked);
  const headers = headersOf(options);
  const response = await send(route, input, options, headers);
  if (options.unrecorded !== true) noteResponse();
  if (response.ok) return response;
  const error = await refusal(
    response,
    route.method === 'GET' ? options : { ...options, quiet: false },
    headers.Authorization,
  );
  const added = await neededBy(error);
  if (added === undefined) throw error;
  return exchange(
    route,
    Object.keys(added).length === 0 ? input : { ...input, body: { ...(input.body as object | undefined), ...added } },
    asked,
  );
}

async function read<T>(reading: Promise<T>, options: CallOptions): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw new ApiError(options.signal?.aborted === true ? 'aborted' : 'network', undefined, cause);
  }
}

/**
 * Asks the server what a route of the contract describes. Throws `ApiError` for every failure; 401 and 403 also have
 * their effect on the whole page (specified 10.7), network errors and timeouts are silent.
 */
export async function call<const R extends RouteShape>(
  route: R,
  ...[input, options = {}]: CallArgs<R>
): Promise<ReplyOf<R>> {
  const response = await exchange(route, input ?? {}, options);
  if (route.replyKind === 'empty' || response.status === 204) return undefined as ReplyOf<R>;
  if (route.replyKind === 'text') return (await read(response.text(), options)) as ReplyOf<R>;
  return (await read(response.json(), options)) as ReplyOf<R>;
}

/**
 * Asks what a change would do, without doing it. A refusal is for the caller alone: nothing warns, and nobody is asked
 * for what the change would still need.
 */
export async function tryCall<const R extends RouteShape & { readonly dryRun: true }>(
  route: R,
  input: InputOf<R>,
  asked: CallOptions = {},
  file?: File,
): Promise<DryRunAnswer<ReplyOf<R>>> {
  const options = judged(asked);
  const headers = headersOf(options);
  const { query, ...rest }: RawInput = input;
  const response = await send(
    route,
    { ...rest, ...(file ? { body: file } : {}), query: { ...(query as object | undefined), dryRun: '1' } },
    options,
    headers,
  );
  noteResponse();
  if (!response.ok) throw await refusal(response, { ...options, quiet: true }, headers.Authorization);
  return (await read(response.json(), options)) as DryRunAnswer<ReplyOf<R>>;
}

const fileNameOf = (response: Response): string | undefined => {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded === undefined) return /filename="?([^";]+)"?/i.exec(header)?.[1];
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

/** Fetches a file to show it here. No limit once the first byte came. */
export async function fetchFile<const R extends RouteShape>(
  route: R,
  input: InputOf<R>,
  options: CallOptions = {},
): Promise<Blob> {
  const response = await exchange(route, input, options);
  return read(response.blob(), options);
}

/**
 * Fetches a file and saves it under the server's name, else under `fallbackName`. No limit once the first byte came.
 */
export async function download<const R extends RouteShape>(
  route: R,
  input: InputOf<R>,
  fallbackName: string,
  options: CallOptions = {},
): Promise<void> {
  const response = await exchange(route, input, options);
  const url = URL.createObjectURL(await read(response.blob(), options));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileNameOf(response) ?? fallbackName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

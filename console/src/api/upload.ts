import type { InputOf, ReplyOf, RouteShape } from '../../../contract/route.ts';
import { noteResponse } from '../session/index.ts';
import { ApiError } from './api-error.ts';
import { headersOf, neededBy, refusal } from './call.ts';
import { addressOf, bodyOf } from './request.ts';
import { baseOf } from './services.ts';

export interface UploadOptions {
  signal?: AbortSignal;
  /** Share of the file that has left, 0…1. */
  onProgress?: (share: number) => void;
}

/** What came back, as `fetch` would have it. */
function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(request.responseText, { status: request.status, headers });
}

function sent(
  route: RouteShape,
  input: object,
  file: Blob,
  headers: Record<string, string>,
  { signal, onProgress }: UploadOptions,
): Promise<Response> {
  const address = addressOf(route, input);
  const { body, headers: bodyHeaders } = bodyOf(route, { body: file });
  return new Promise((resolve, reject) => {
    // The only way a browser tells how much of a request has left.
    const request = new XMLHttpRequest();
    const fail = (kind: 'network' | 'aborted') => () => reject(new ApiError(kind));
    request.open(route.method, baseOf(address) + address);
    for (const [name, value] of Object.entries({ ...headers, ...bodyHeaders })) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onProgress?.(event.total > 0 ? event.loaded / event.total : 0);
    request.onload = () => (request.status === 0 ? fail('network')() : resolve(responseOf(request)));
    request.onerror = fail('network');
    request.onabort = fail('aborted');
    if (signal?.aborted) return fail('aborted')();
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body ?? null);
  });
}

/**
 * Sends a file as its bytes, with progress and without a limit of time. Throws `ApiError` like `call`; the operator
 * sends it, so that a 403 always warns, however long the file took.
 */
export async function upload<const R extends RouteShape>(
  route: R,
  input: InputOf<R>,
  file: Blob,
  options: UploadOptions = {},
): Promise<ReplyOf<R>> {
  const byOperator = { background: false };
  for (let asked = input as object; ;) {
    const headers = headersOf(byOperator);
    const response = await sent(route, asked, file, headers, options);
    noteResponse();
    if (response.ok) return (await response.json()) as ReplyOf<R>;
    const error = await refusal(response, byOperator, headers['Authorization']);
    const added = await neededBy(error);
    if (added === undefined) throw error;
    asked = { ...asked, query: { ...queryOf(asked), ...added } };
  }
}

const queryOf = (input: object): object =>
  'query' in input && typeof input.query === 'object' ? (input.query ?? {}) : {};

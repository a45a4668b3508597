import { noteResponse, requestHeaders, REQUEST_TIMEOUT_MS } from '../session/index.ts';

/** What a call came to; `refused` carries the status and whatever JSON object the server sent with it. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly body: T; readonly headers: Headers }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly problem: Readonly<Record<string, unknown>>;
      readonly retryAfter: number | undefined;
    }
  | { readonly kind: 'offline' }
  | { readonly kind: 'late' };

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * One call of the sign-in page, with the shared conventions (specified 10.1); never throws. `T` is the contract's
 * reply.
 */
export async function request<T>(path: string, { method = 'GET', json, headers = {} }: Call = {}): Promise<Outcome<T>> {
  const init: RequestInit = {
    method,
    headers: { ...requestHeaders(), ...headers },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
  if (json !== undefined) {
    init.body = JSON.stringify(json);
    init.headers = { ...init.headers, 'Content-Type': 'application/json' };
  }
  try {
    const reply = await fetch(path, init);
    noteResponse();
    const body = parse(await reply.text());
    if (reply.ok) return { kind: 'done', body: body as T, headers: reply.headers };
    const wait = Number(reply.headers.get('Retry-After'));
    return {
      kind: 'refused',
      status: reply.status,
      problem: isRecord(body) ? body : {},
      retryAfter: wait > 0 ? wait : undefined,
    };
  } catch (error) {
    return { kind: error instanceof DOMException && error.name === 'TimeoutError' ? 'late' : 'offline' };
  }
}

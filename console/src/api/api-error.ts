import { errors } from '../../../contract/errors.ts';

/** The problem body (specified 10.6): RFC 9457 plus the fields every client of the family reads. */
export interface Problem {
  type?: string;
  title?: string;
  status: number;
  detail?: string;
  path?: string;
  message?: string;
  msg?: string;
  code?: number;
  params?: readonly { field: string; rule: string; message: string }[];
  requestId?: string;
  /** Particular fields of one error (attempts, lockoutTime …). */
  [field: string]: unknown;
}

/**
 * `problem`: the server answered with a refusal; `network`: no answer; `timeout`: no first byte within the limit;
 * `aborted`: we stopped it.
 */
export type ApiErrorKind = 'problem' | 'network' | 'timeout' | 'aborted';

/**
 * Whatever goes wrong in a call. `message` is the server's sentence in the operator's language, or empty when there is
 * none.
 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(kind: ApiErrorKind, problem?: Problem, cause?: unknown) {
    super(problem?.detail ?? problem?.message ?? problem?.msg ?? '', { cause });
    this.name = 'ApiError';
    this.kind = kind;
    this.problem = problem;
    this.status = problem?.status ?? 0;
  }

  /** The catalogue's number, or undefined. */
  get code(): number | undefined {
    return this.problem?.code;
  }

  get requestId(): string | undefined {
    return this.problem?.requestId;
  }

  /** Messages by the field's name on the wire; a form shows them all at once beside their fields. */
  get fieldErrors(): Record<string, string> {
    return Object.fromEntries((this.problem?.params ?? []).map((param) => [param.field, param.message]));
  }
}

/** The call is refused only until the operator says the number of lamps that it darkens. */
export const wantsCount = ({ code }: ApiError): boolean =>
  code === errors.countNeeded.code || code === errors.holidaysDarken.code || code === errors.areaDarkens.code;

/** Reads a refusal's body; a proxy's HTML page or an empty body leaves the status alone. */
export async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = { status: response.status, ...requestIdOf(response) };
  if (!/json/.test(response.headers.get('content-type') ?? '')) return fallback;
  try {
    const body: unknown = await response.json();
    return body !== null && typeof body === 'object' ? { ...fallback, ...body, status: response.status } : fallback;
  } catch {
    return fallback;
  }
}

function requestIdOf(response: Response): { requestId?: string } {
  const id = response.headers.get('x-request-id');
  return id === null ? {} : { requestId: id };
}

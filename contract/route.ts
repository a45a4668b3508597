import { Type, type Static, type TSchema } from 'typebox';
import type { Permission } from './permissions.ts';

/**
 * Who may call a route. A declared permission code; any of several codes; `session`: every signed-in account;
 * `public`: nobody needs to sign in. A route without an `access` does not compile and the server does not start.
 */
export type Access = Permission | readonly Permission[] | 'session' | 'public';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the request body travels. `form` is application/x-www-form-urlencoded, as some specified calls require; `bytes` is a file as
 * application/octet-stream, which the handler reads as it comes.
 */
export type Encoding = 'json' | 'form' | 'bytes';

/** What comes back: JSON, or a stream with a file name, or nothing (204). */
export type ReplyKind = 'json' | 'file' | 'empty' | 'text';

/** What a request says, whatever is wrong with it. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined: the call was refused before it was read, or it is no object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The caller's account; undefined: nobody is signed in. */
  readonly accountId: number | undefined;
}

/** What a call does, by its name in the operation log (`subject.verb`); a function where that depends on the request. */
export type Action = string | ((asked: Asked) => string | undefined);

/** An action that the body decides; `unread` names it as far as the address tells. */
export const byBody = (unread: string, read: (body: Readonly<Record<string, unknown>>, accountId: number | undefined) => string): Action =>
  ({ body, accountId }) => (body === undefined ? unread : read(body, accountId));

/**
 * A call that changes state names its action, so that the log says what was tried when it is refused; others need none.
 * It writes one row of the operation log unless it says `logged: false`, with the reason beside it.
 */
type Logging =
  | { readonly method: 'GET'; readonly action?: undefined; readonly logged?: boolean }
  | { readonly method: Exclude<Method, 'GET'>; readonly action?: Action; readonly logged: false }
  | { readonly method: Exclude<Method, 'GET'>; readonly action: Action; readonly logged?: true };

export type RouteShape = RouteParts & { readonly unknownFields: UnknownFields; readonly method: Method; readonly action?: Action | undefined; readonly logged?: boolean };

/** The specified (family) calls ignore fields they do not offer; ours refuse them by name. */
export type UnknownFields = 'ignore' | 'refuse';

interface RouteParts {
  /** Fastify notation: `/api/v1/devices/:id`. Other spellings of the same call go into `aliases`. */
  readonly path: string;
  readonly aliases?: readonly string[];
  /** One English sentence for OpenAPI. */
  readonly summary: string;
  readonly tag: string;
  readonly access: Access;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly encoding?: Encoding;
  /** Content types of a body that is `bytes`; application/octet-stream unless told. */
  readonly takes?: readonly string[];
  readonly reply: TSchema;
  readonly replyKind?: ReplyKind;
  /** Success status, 200 unless told. */
  readonly status?: number;
  /** The work area header limits this call: a foreign area is 403. */
  readonly areaScoped?: boolean;
  /** A call that devices make, not people: as frequent as their messages, and as little news in the log. */
  readonly ofDevices?: boolean;
  /** Whether a read-only preview session may call it. By default what is GET; a POST that changes nothing says `true`. */
  readonly inPreview?: boolean;
}

/** Declares one of our own routes (`/api/v1`): unknown fields are refused by name. */
export function route<const R extends RouteParts & Logging>(shape: R): R & { readonly unknownFields: 'refuse' } {
  return { ...shape, unknownFields: 'refuse' };
}

/** Declares a route whose path, encoding and shape the specification fixes: unknown fields are ignored, never stored. */
export function specified<const R extends RouteParts & Logging>(shape: R): R & { readonly unknownFields: 'ignore' } {
  return { ...shape, unknownFields: 'ignore' };
}

type Part<R, K extends 'params' | 'query' | 'body'> = R extends { readonly [P in K]: infer S extends TSchema } ? Static<S> : undefined;
export type ParamsOf<R> = Part<R, 'params'>;
export type QueryOf<R> = Part<R, 'query'>;
export type BodyOf<R> = Part<R, 'body'>;
export type ReplyOf<R extends RouteShape> = Static<R['reply']>;

/** Everything a caller hands over: only the parts that the route declares. */
export type InputOf<R> = (R extends { readonly params: infer S extends TSchema } ? { params: Static<S> } : { params?: undefined }) &
  (R extends { readonly query: infer S extends TSchema } ? { query: Static<S> } : { query?: undefined }) &
  (R extends { readonly body: infer S extends TSchema } ? { body: Static<S> } : { body?: undefined });

/** A list answer of our own routes. `recordsTotalExact: false` marks an estimate (above 10,000 rows). */
export const listOf = <T extends TSchema>(row: T) =>
  Type.Object({ data: Type.Array(row), recordsTotal: Type.Integer(), recordsTotalExact: Type.Optional(Type.Boolean()) });

/** A list whose neighbouring pages are found from where this one ends and begins, however deep: hand back `next` as `after`, `previous` as `before`. */
export const pagesOf = <T extends TSchema>(row: T) => Type.Object({
  data: Type.Array(row), recordsTotal: Type.Integer(), recordsTotalExact: Type.Optional(Type.Boolean()),
  /** Absent: there is none. */
  next: Type.Optional(Type.String()), previous: Type.Optional(Type.String()),
});

/** Ids: JSON numbers below 2^53 on output; on input decimal text is accepted too (the server coerces). */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const IdParams = Type.Object({ id: Id });

/** ISO 8601 with offset. */
export const Timestamp = Type.String({ format: 'date-time' });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

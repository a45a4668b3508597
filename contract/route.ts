import { Type, type Static, type TSchema } from 'typebox';
import type { ErrorName } from './errors.ts';
import type { Permission } from './permissions.ts';

/**
 * Who may call a route: a permission code; any of several codes; `session`: every signed-in account; `public`:
 * everyone. A route without an `access` does not compile and the server does not start.
 */
export type Access = Permission | readonly Permission[] | 'session' | 'public';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the request body travels. `form` is application/x-www-form-urlencoded, as some specified calls require. `bytes`
 * is a file as application/octet-stream; the handler reads the stream.
 */
export type Encoding = 'json' | 'form' | 'bytes';

/** Content types of files. */
export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const csv = 'text/csv';

/** Content types of the answers of a call, without parameters; empty: the answer has no body. */
export const sentTypes = ({ replyKind, sends }: Pick<RouteShape, 'replyKind' | 'sends'>): readonly string[] =>
  sends ?? (replyKind === 'empty' ? [] : [replyKind === 'text' ? 'text/plain' : 'application/json']);

/** A form of the catalogue: a device of any family or a record of any kind, new or changed. */
export type CatalogueForm = 'newDevice' | 'deviceChanges' | 'newRecord' | 'recordChanges';

/** Kind of the answer; `empty` is 204, `file` a stream with a file name. */
export type ReplyKind = 'json' | 'file' | 'empty' | 'text';

/** Limits that apply before a handler sees the request. The server does not start with a route without limits. */
export interface RouteLimits {
  /** Bytes of the body, unpacked; more is 413. */
  readonly bytes: number;
  /** Fields and list entries of a JSON or form body at any depth, counted before the body is parsed; more is 400. */
  readonly entries: number;
  /** Calls a minute from one address; more is 429. Every public route has this limit. */
  readonly perMinute?: number;
  /** The error of a body that is too large, if the route has its own. */
  readonly tooLarge?: ErrorName;
}

/** Defaults for limits that a route does not name. */
const usualLimits = {
  public: { bytes: 16 * 1024, entries: 200, perMinute: 600 },
  signedIn: { bytes: 64 * 1024, entries: 2000 },
} as const satisfies Record<string, RouteLimits>;

/** Limit of a JSON body with pictures as data addresses, bytes. */
export const bodyWithPictures = 3 * 1024 * 1024;

/** The parts of a request, valid or not. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined: the call was refused before its body was read, or the body is no object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The caller's account; undefined: not signed in. */
  readonly accountId: number | undefined;
}

/** The name of a call in the operation log (`subject.verb`), or a function that derives it from the request. */
export type Action = string | ((asked: Asked) => string | undefined);

/** An action that depends on the body; `unread` is the action without a body. */
export const byBody =
  (unread: string, read: (body: Readonly<Record<string, unknown>>, accountId: number | undefined) => string): Action =>
  ({ body, accountId }) =>
    body === undefined ? unread : read(body, accountId);

/**
 * A call that changes state names its action, so that the log of a refusal says what was tried; other calls need none.
 * It writes one row of the operation log, except with `logged: false` and the reason beside it.
 */
type Logging =
  | { readonly method: 'GET'; readonly action?: undefined; readonly logged?: boolean }
  | { readonly method: Exclude<Method, 'GET'>; readonly action?: Action; readonly logged: false }
  | { readonly method: Exclude<Method, 'GET'>; readonly action: Action; readonly logged?: true };

/** A file declares its content types, for the OpenAPI document and for a test of every call. */
type Sending =
  | { readonly replyKind: 'file'; readonly sends: readonly string[] }
  | { readonly replyKind: 'text'; readonly sends?: readonly string[] }
  | { readonly replyKind?: 'json' | 'empty'; readonly sends?: undefined };

export type RouteShape = RouteParts & {
  readonly unknownFields: UnknownFields;
  readonly method: Method;
  readonly action?: Action | undefined;
  readonly logged?: boolean;
  readonly replyKind?: ReplyKind;
  readonly sends?: readonly string[] | undefined;
};

/** Specified (family) calls ignore unknown fields; our own refuse them by name. */
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
  /** The catalogue declares the other fields of the body, or of its part `at`; the OpenAPI document lists them. */
  readonly form?: { readonly of: CatalogueForm; readonly at?: string };
  /** Errors other than those of access, input and limits; the OpenAPI document lists their statuses. */
  readonly refuses?: readonly ErrorName[];
  readonly encoding?: Encoding;
  /** Content types of a `bytes` body; default: application/octet-stream. */
  readonly takes?: readonly string[];
  readonly limits: RouteLimits;
  readonly reply: TSchema;
  /** Success status; default: 200. */
  readonly status?: number;
  /** The work area header limits this call: a foreign area is 403. */
  readonly areaScoped?: boolean;
  /** Devices make this call as often as they send messages: the log treats it as routine. */
  readonly ofDevices?: boolean;
  /**
   * `true`: with `dryRun=1` in its query it changes nothing and answers what it would change (dry-run.ts); its effects
   * outside the database are `unlessDry`. A text says why a call cannot be tried.
   */
  readonly dryRun?: true | string;
  /** Whether a read-only preview session may call it. Default: only GET. A POST that changes nothing says `true`. */
  readonly inPreview?: boolean;
}

/** The same route with public access and the limits of public routes. */
export const openToAll = <R extends RouteShape>(shape: R): R => ({
  ...shape,
  access: 'public',
  limits: { ...usualLimits.public },
});

/** A route as declared; defaults of its access complete the limits. */
type Declared = Omit<RouteParts, 'limits'> & Logging & { readonly limits?: Partial<RouteLimits> } & Sending;

const limitsOf = ({ access, limits }: Declared): RouteLimits => ({
  ...usualLimits[access === 'public' ? 'public' : 'signedIn'],
  ...limits,
});

/** Declares one of our own routes (`/api/v1`): unknown fields are refused by name. */
export function route<const R extends Declared>(
  shape: R,
): R & { readonly unknownFields: 'refuse'; readonly limits: RouteLimits } {
  return { ...shape, limits: limitsOf(shape), unknownFields: 'refuse' };
}

/**
 * Declares a route whose path, encoding and shape the specification fixes: unknown fields are ignored, never stored.
 */
export function specified<const R extends Declared>(
  shape: R,
): R & { readonly unknownFields: 'ignore'; readonly limits: RouteLimits } {
  return { ...shape, limits: limitsOf(shape), unknownFields: 'ignore' };
}

type Part<R, K extends 'params' | 'query' | 'body'> = R extends { readonly [P in K]: infer S extends TSchema }
  ? Static<S>
  : undefined;
export type ParamsOf<R> = Part<R, 'params'>;
export type QueryOf<R> = Part<R, 'query'>;
export type BodyOf<R> = Part<R, 'body'>;
export type ReplyOf<R extends RouteShape> = Static<R['reply']>;

/** The input of a handler: only the parts that the route declares. */
export type InputOf<R> = (R extends { readonly params: infer S extends TSchema }
  ? { params: Static<S> }
  : { params?: undefined }) &
  (R extends { readonly query: infer S extends TSchema } ? { query: Static<S> } : { query?: undefined }) &
  (R extends { readonly body: infer S extends TSchema } ? { body: Static<S> } : { body?: undefined });

/** A list answer of our own routes. `recordsTotalExact: false` marks an estimate (above 10,000 rows). */
export const listOf = <T extends TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    recordsTotal: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
  });

/** A list with neighbouring pages at any depth: the caller sends `next` back as `after`, or `previous` as `before`. */
export const pagesOf = <T extends TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    recordsTotal: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
    /** Absent: there is no such page. */
    next: Type.Optional(Type.String()),
    previous: Type.Optional(Type.String()),
  });

const largestId = Number.MAX_SAFE_INTEGER;
/** Ids: JSON numbers below 2^53 in answers. Requests may also send decimal text (where the format is int64). */
export const Id = Type.Integer({ format: 'int64', minimum: 1, maximum: largestId });
/** An id, or 0 for the root or none. */
export const IdOrNone = Type.Integer({ format: 'int64', minimum: 0, maximum: largestId });
export const IdParams = Type.Object({ id: Id });
/** Ids in one text, comma-separated; the limit is about the length of an address. */
export const IdList = Type.String({ pattern: '^\\d{1,15}(,\\d{1,15})*$', maxLength: 16_000 });

/** Page and size of a list. */
const lastPage = 1_000_000;
export const Page = Type.Integer({ minimum: 0, maximum: lastPage });
/** A page of a list that counts from 1 and refuses 0. */
export const PageFromOne = Type.Integer({ minimum: 1, maximum: lastPage });
export const Size = (most = 1000) => Type.Integer({ minimum: 1, maximum: most });
/** The version of a row as the caller read it; 0: settings that were never changed. */
export const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** The position among siblings. */
export const Order = Type.Integer({ minimum: 0, maximum: 1_000_000 });
/** A civil day: yyyy-MM-dd. */
export const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', maxLength: 10 });

/** ISO 8601 with an offset that exists on earth. */
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '(?:[Zz]|[+-](?:0\\d|1[0-4]):?\\d\\d)$',
  maxLength: 40,
});
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

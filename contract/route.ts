import { Type, type Static, type TSchema } from 'typebox';
import type { ErrorName } from './errors.ts';
import type { Permission } from './permissions.ts';

/**
 * Who may call a route. A declared permission code; any of several codes; `session`: every signed-in account;
 * `public`: nobody needs to sign in. A route without an `access` does not compile and the server does not start.
 */
export type Access = Permission | readonly Permission[] | 'session' | 'public';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the request body travels. `form` is application/x-www-form-urlencoded, as some specified calls require; `bytes`
 * is a file as application/octet-stream, which the handler reads as it comes.
 */
export type Encoding = 'json' | 'form' | 'bytes';

/** Content types of files. */
export const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const csv = 'text/csv';

/** The content types that a call may answer with, without their parameters; none: an empty answer. */
export const sentTypes = ({ replyKind, sends }: Pick<RouteShape, 'replyKind' | 'sends'>): readonly string[] =>
  sends ?? (replyKind === 'empty' ? [] : [replyKind === 'text' ? 'text/plain' : 'application/json']);

/** A form of the catalogue: a device of any family, a record of any kind, as it is made or as it is changed. */
export type CatalogueForm = 'newDevice' | 'deviceChanges' | 'newRecord' | 'recordChanges';

/** What comes back: JSON, or a stream with a file name, or nothing (204). */
export type ReplyKind = 'json' | 'file' | 'empty' | 'text';

/** What a call may cost before anybody has looked at it. A route without limits does not start. */
export interface RouteLimits {
  /** Bytes of the body, unpacked; more is 413. */
  readonly bytes: number;
  /**
   * Fields and list entries of a JSON or form body, at any depth, counted before anything is made of it; more is 400.
   */
  readonly entries: number;
  /** Calls a minute of one address; more is 429. Every public route has it. */
  readonly perMinute?: number;
  /** The refusal of a body that is too large, where it has a text of its own. */
  readonly tooLarge?: ErrorName;
}

/** What holds unless a route names its own. */
const usualLimits = {
  public: { bytes: 16 * 1024, entries: 200, perMinute: 600 },
  signedIn: { bytes: 64 * 1024, entries: 2000 },
} as const satisfies Record<string, RouteLimits>;

/** The body of a call that carries pictures as data addresses in its JSON, bytes. */
export const bodyWithPictures = 3 * 1024 * 1024;

/** What a request says, whatever is wrong with it. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  /** Undefined: the call was refused before it was read, or it is no object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** The caller's account; undefined: nobody is signed in. */
  readonly accountId: number | undefined;
}

/**
 * What a call does, by its name in the operation log (`subject.verb`); a function where that depends on the request.
 */
export type Action = string | ((asked: Asked) => string | undefined);

/** An action that the body decides; `unread` names it as far as the address tells. */
export const byBody =
  (unread: string, read: (body: Readonly<Record<string, unknown>>, accountId: number | undefined) => string): Action =>
  ({ body, accountId }) =>
    body === undefined ? unread : read(body, accountId);

/**
 * A call that changes state names its action, so that the log says what was tried when it is refused; others need none.
 * It writes one row of the operation log unless it says `logged: false`, with the reason beside it.
 */
type Logging =
  | { readonly method: 'GET'; readonly action?: undefined; readonly logged?: boolean }
  | { readonly method: Exclude<Method, 'GET'>; readonly action?: Action; readonly logged: false }
  | { readonly method: Exclude<Method, 'GET'>; readonly action: Action; readonly logged?: true };

/** A file says of what types it may be: the description of the calls, and a test of every call, go by that. */
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
  /**
   * The catalogue declares what else the body holds, or the part `at` of it: the description of the calls tells it
   * field by field.
   */
  readonly form?: { readonly of: CatalogueForm; readonly at?: string };
  /**
   * Refusals that its access, its parts and its limits do not tell of; the description of the calls names their
   * statuses.
   */
  readonly refuses?: readonly ErrorName[];
  readonly encoding?: Encoding;
  /** Content types of a body that is `bytes`; application/octet-stream unless told. */
  readonly takes?: readonly string[];
  readonly limits: RouteLimits;
  readonly reply: TSchema;
  /** Success status, 200 unless told. */
  readonly status?: number;
  /** The work area header limits this call: a foreign area is 403. */
  readonly areaScoped?: boolean;
  /** A call that devices make, not people: as frequent as their messages, and as little news in the log. */
  readonly ofDevices?: boolean;
  /**
   * Whether a read-only preview session may call it. By default what is GET; a POST that changes nothing says `true`.
   */
  readonly inPreview?: boolean;
}

/** The same route, open to everybody: with the limits of public ones. */
export const openToAll = <R extends RouteShape>(shape: R): R => ({
  ...shape,
  access: 'public',
  limits: { ...usualLimits.public },
});

/** A route as it is declared: limits that it does not name are the usual ones of its access. */
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

/** Everything a caller hands over: only the parts that the route declares. */
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

/**
 * A list whose neighbouring pages are found from where this one ends and begins, however deep: hand back `next` as
 * `after`, `previous` as `before`.
 */
export const pagesOf = <T extends TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    recordsTotal: Type.Integer(),
    recordsTotalExact: Type.Optional(Type.Boolean()),
    /** Absent: there is none. */
    next: Type.Optional(Type.String()),
    previous: Type.Optional(Type.String()),
  });

const largestId = Number.MAX_SAFE_INTEGER;
/**
 * Ids: JSON numbers below 2^53 on output; on input decimal text is accepted too (the server reads it where the format
 * says int64).
 */
export const Id = Type.Integer({ format: 'int64', minimum: 1, maximum: largestId });
/** An id, or 0 for the root or none. */
export const IdOrNone = Type.Integer({ format: 'int64', minimum: 0, maximum: largestId });
export const IdParams = Type.Object({ id: Id });
/** Ids in one text, with commas; about as many as an address holds. */
export const IdList = Type.String({ pattern: '^\\d{1,15}(,\\d{1,15})*$', maxLength: 16_000 });

/** The page of a list, and how many rows it has. */
const lastPage = 1_000_000;
export const Page = Type.Integer({ minimum: 0, maximum: lastPage });
/** Where pages are counted from 1 and there is no other first one. */
export const PageFromOne = Type.Integer({ minimum: 1, maximum: lastPage });
export const Size = (most = 1000) => Type.Integer({ minimum: 1, maximum: most });
/** The version of a thing as it was read; 0: settings that nobody changed yet. */
export const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
/** The place among its siblings. */
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

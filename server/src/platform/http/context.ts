import type { TSchema } from 'typebox';
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '../../../../catalogue/languages.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import type { Access, InputOf, ReplyOf, RouteShape } from '../../../../contract/route.ts';
import type { Transaction } from '../db/index.ts';
import type { NamedIds } from './named-ids.ts';
import type { FieldProblem, WordedProblem } from './refuse.ts';
import type { Sound } from './sound-fields.ts';

/** The signed-in account of one request, with the rights of its session, read on every request. */
export interface Caller {
  readonly accountId: number;
  readonly username: string;
  /** 0 administrator, 1 to 5 A to E. */
  readonly level: number;
  readonly sessionId: number;
  /** The administrator who previews as this account; the session then changes nothing. */
  readonly previewBy?: { readonly accountId: number; readonly username: string };
  readonly permissions: ReadonlySet<Permission>;
  /** Work areas the account may see; administrators see all. */
  readonly workAreas: 'all' | readonly number[];
  /** The one it works in now (header workid), null: all it may see. Only set on calls that the area limits. */
  readonly workAreaId: number | null;
}

/** What the operation log says about a change. */
export interface ChangeNote {
  /** A stable key of the form `subject.verb`, e.g. `lamp.command`. */
  readonly action: string;
  /** What to keep of the request; by default its path parameters, query and body. Secrets are masked either way. */
  readonly params?: object;
  /** What the work finds out about the change: it fills them, and the row has them before what is kept of the request. */
  readonly facts?: object;
  /** The account that the caller begins to preview as: the log shows its name before the caller's. */
  readonly through?: string;
}

/** Everything a handler may know of its request besides the input the route declares. */
export interface RequestContext<C = Caller> {
  readonly caller: C;
  readonly language: Language;
  /** Minutes east of UTC+8 (Beijing 0). */
  readonly timezoneOffset: number;
  /** The caller's address, after TRUSTED_PROXIES. */
  readonly address: string;
  /** The host name (and port) of the request, after TRUSTED_PROXIES. */
  readonly host: string;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** The body of a call whose encoding is `bytes`, as it comes. */
  readonly upload?: AsyncIterable<Uint8Array>;
  setHeader(name: string, value: string): void;
  /** Adds a thing that the request is about to the log, if its address does not name it. */
  about(ids: NamedIds): void;
  /**
   * Runs a change in one transaction with its operation-log row, and again if the database had to end it: the work has
   * no effect outside its SQL.
   */
  change<T>(note: ChangeNote, work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** A public route has a caller only if the request carries a valid token. */
export type CallerOf<A extends Access> = A extends 'public' ? Caller | undefined : Caller;

export type Handler<R extends RouteShape> = (
  input: InputOf<R>,
  ctx: RequestContext<CallerOf<R['access']>>,
) => Promise<AnswerOf<R>> | AnswerOf<R>;

/** A file answer is a stream or buffer with its name and type; an empty one (204) is nothing. */
export type AnswerOf<R extends RouteShape> = R['replyKind'] extends 'file'
  ? FileAnswer
  : R['replyKind'] extends 'empty'
    ? void
    : ReplyOf<R>;

export interface FileAnswer {
  readonly name: string;
  readonly type: string;
  readonly content: NodeJS.ReadableStream | Uint8Array;
}

export interface BindOptions {
  /**
   * Checked before anything else (429 comes first): seconds that the caller of this address has to wait, 0 to go on. It
   * gets no body.
   */
  readonly limit?: (address: string) => Promise<number>;
}

/**
 * Problems of fields by rules beyond the shape of an input. Asked when a call is refused, for the shape of a field or
 * by its handler, so that one answer names everything. It gets the input without fields of a wrong shape; any of them
 * may be absent. The handler may refuse at the first problem, but only for reasons that the rules name too.
 */
export type Rules<R extends RouteShape> = (
  input: Sound<InputOf<R>>,
  ctx: RulesContext<CallerOf<R['access']>>,
) => Promise<readonly RuleProblem[]> | readonly RuleProblem[];
export type RuleProblem = FieldProblem | WordedProblem;
/** Rules only read: they change nothing and answer nothing. */
export type RulesContext<C = Caller> = Pick<RequestContext<C>, 'caller' | 'language' | 'timezoneOffset'>;

/** A route with the function that answers it, types forgotten: what createHttp takes. */
export interface Binding {
  readonly route: RouteShape;
  readonly handler: (input: unknown, ctx: RequestContext<Caller | undefined>) => unknown;
  readonly options: BindOptions;
  readonly rules:
    | 'none'
    | ((
        input: unknown,
        ctx: RulesContext<Caller | undefined>,
      ) => Promise<readonly RuleProblem[]> | readonly RuleProblem[]);
}

/**
 * Whether a call changes something and takes more than the thing's id: a person filled in a form, which rules may
 * refuse beyond its shape.
 */
type TakesForm<R extends RouteShape> = R extends { readonly method: 'GET' }
  ? false
  : R extends { readonly body: TSchema } | { readonly query: TSchema }
    ? true
    : false;
/** `none`: only the shape of the input can be refused. */
type BoundWith<R extends RouteShape> =
  TakesForm<R> extends true
    ? readonly [options: BindOptions & { readonly rules: Rules<R> | 'none' }]
    : readonly [options?: BindOptions & { readonly rules?: Rules<R> }];

/**
 * Binds a declared route to the function that answers it; input and answer have the route's types. A call that takes a
 * form names the rules that refuse its fields.
 */
export function bind<const R extends RouteShape>(route: R, handler: Handler<R>, ...[bound]: BoundWith<R>): Binding {
  const { rules, ...options }: BindOptions & { readonly rules?: Rules<R> | 'none' } = bound ?? {};
  // The one place where types meet the untyped wire: the input was checked against this route's schemas.
  return {
    route,
    handler: handler as Binding['handler'],
    options,
    rules: typeof rules === 'function' ? (rules as Exclude<Binding['rules'], 'none'>) : 'none',
  };
}

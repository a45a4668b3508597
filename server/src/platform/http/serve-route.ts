import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { permissions, type Permission } from '../../../../contract/permissions.ts';
import type { Access, RouteLimits, RouteShape } from '../../../../contract/route.ts';
import { changing } from '../db/index.ts';
import { collectedBytes, isUpload, uploadOf } from './bodies.ts';
import { inputCheck, type CheckedInput, type RawInput } from './check-input.ts';
import type { Binding, Caller, ChangeNote, FileAnswer, RequestContext } from './context.ts';
import { boundForm, mostQueryFields } from './count-entries.ts';
import { createDryTurns, dryAnswer, readDryRun } from './dry-run.ts';
import { chooseLanguage } from './language.ts';
import { idsAnswered, idsAsked, type NamedIds } from './named-ids.ts';
import { packed } from './packed.ts';
import type { HttpParts } from './parts.ts';
import { problemsOf } from './problems-of.ts';
import { createPublicRates } from './public-rates.ts';
import { Refusal, refuse, refuseFields, refuseWithout } from './refuse.ts';
import { inputOf } from './refusals.ts';
import { isBackground, timezoneOffsetOf, tokenOf, workAreaOf } from './request-headers.ts';
import { actionOf, changesState, openInPreview, routePaths } from './routes.ts';
import { besideShape, mostShapeProblems } from './sound-fields.ts';
import { whoIs } from './who.ts';

/** What is known of a request so far; the error handler writes refused changes down from it. */
export interface KnownRequest {
  readonly route: RouteShape;
  /** The caller's address: a connection that broke off, or an upload that was cut short, no longer knows it. */
  readonly ip: string;
  caller?: Caller;
  note?: ChangeNote;
  /** Which things it is about, and why it was refused, for the log. */
  about: NamedIds;
  refused?: string;
  /** Whether the operation log has its row. */
  written: boolean;
  /** It is only tried: nothing of it stays, but the row of a right that it lacked. */
  isDry: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    known: KnownRequest | null;
  }
}

export function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('known', null);
}

/**
 * Registers bindings under their paths and other spellings. Order of refusals: 429, 401, 403, 400, then the thing
 * itself.
 */
export function routesOn(parts: HttpParts): (app: FastifyInstance, binding: Binding) => void {
  const turns = { rates: createPublicRates(parts.clock), dry: createDryTurns(parts.dryRun) };
  return (app, binding) => addRoute(app, parts, binding, turns);
}

interface Turns {
  readonly rates: ReturnType<typeof createPublicRates>;
  readonly dry: ReturnType<typeof createDryTurns>;
}

function addRoute(app: FastifyInstance, parts: HttpParts, binding: Binding, { rates, dry: tryInTurn }: Turns): void {
  const { route, handler, options } = binding;
  refuseUndeclared(route);
  const check = inputCheck(route);
  for (const url of routePaths(route)) {
    app.route({
      method: route.method,
      url,
      bodyLimit: collectedBytes(route),
      config: { takesFile: route.encoding === 'bytes' },
      onRequest: async (request) => {
        request.known = {
          route,
          ip: request.ip,
          about: {},
          written: false,
          isDry: readDryRun(route, request.query).isDry,
        };
        const wait = rates(route, request.ip) || ((await options.limit?.(request.ip)) ?? 0);
        if (wait > 0) throw refuse('tooManyTries', { seconds: wait }, { headers: { 'retry-after': String(wait) } });
        const caller = await identify(parts, request, route.access);
        if (caller) request.known.caller = caller;
      },
      handler: async (request, reply) => {
        const dry = readDryRun(route, request.query);
        const result = checked(route, check, request, dry);
        if (result.problems.length > 0)
          throw refuseFields(...result.problems, ...(await rulesBesideShape(parts, binding, result, request, reply)));
        const { input } = result;
        const asked = idsAsked(route, input);
        noteIds(request, asked);
        const ctx = await contextOf(parts, route, request, reply);
        const handle = () => withAllProblems(parts, binding, input, ctx, () => handler(input, ctx));
        if (dry.isDry) {
          const account = request.known?.caller?.accountId ?? 0;
          const tried = await tryInTurn(account, () => request.raw.socket.destroyed, handle);
          return sendJson(200, reply, dryAnswer(route, tried));
        }
        const answer = await handle();
        noteIds(request, idsAnswered(route, asked, answer));
        await writeUnwritten(parts, route, request);
        return send(route, reply, answer);
      },
    });
  }
}

function noteIds({ known }: FastifyRequest, ids: NamedIds): void {
  if (known) known.about = { ...known.about, ...ids };
}

/** The type already asks for an access; this catches what was cast or read from elsewhere. */
function refuseUndeclared(route: RouteShape): void {
  const codes = typeof route.access === 'string' ? [route.access] : route.access;
  const known: readonly string[] = [...permissions, 'session', 'public'];
  if (!codes || codes.length === 0 || !codes.every((code) => known.includes(code))) {
    throw new Error(`${route.method} ${route.path} declares no access that exists; every route says who may call it`);
  }
  if (changesState(route) && route.action === undefined)
    throw new Error(
      `${route.method} ${route.path} declares no action; every route that changes state says what it does`,
    );
  const { bytes, entries, perMinute } = (route.limits as RouteLimits | undefined) ?? { bytes: 0, entries: 0 };
  const numbers = [bytes, entries, ...(route.access === 'public' ? [perMinute ?? 0] : [])];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
    throw new Error(
      `${route.method} ${route.path} declares no limits; every route says how large a body, how many entries and, if it is public, how many calls a minute it takes`,
    );
  }
}

async function identify(parts: HttpParts, request: FastifyRequest, access: Access): Promise<Caller | undefined> {
  const token = tokenOf(request.headers);
  const asked =
    token === undefined
      ? undefined
      : parts.authenticate(token, {
          background: isBackground(request.headers),
          address: request.ip,
          atOnce: access === 'public',
        });
  // A browser that still sends an old token can sign in though its address asks with too many strange ones: who calls a
  // public route need not be known.
  const caller = await (access === 'public'
    ? asked?.catch((thrown: unknown) => {
        if (thrown instanceof Refusal && thrown.code === 'tooManyTries') return undefined;
        throw thrown;
      })
    : asked);
  if (caller?.previewBy && request.known && !openInPreview(request.known.route)) {
    request.known.caller = caller;
    throw refuse('previewIsReadOnly');
  }
  if (access === 'public') return caller;
  if (!caller) throw refuse(token === undefined ? 'notSignedIn' : 'sessionEnded');
  const codes: readonly (Permission | 'session')[] = typeof access === 'string' ? [access] : access;
  if (!codes.some((code) => code === 'session' || caller.permissions.has(code))) {
    if (request.known) request.known.caller = caller;
    throw refuseWithout(...codes);
  }
  return caller;
}

function checked(
  route: RouteShape,
  check: (raw: RawInput) => CheckedInput,
  request: FastifyRequest,
  dry: ReturnType<typeof readDryRun>,
): CheckedInput {
  const form = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  if (form && route.encoding !== 'form' && route.unknownFields === 'refuse') throw refuse('unsupportedMediaType');
  if (isUpload(request) !== (route.encoding === 'bytes')) throw refuse('unsupportedMediaType');
  boundForm(request.url.split('?', 2)[1] ?? '', mostQueryFields);
  const result = check({
    params: request.params,
    query: dry.query,
    body: isUpload(request) ? undefined : request.body,
    form,
  });
  return dry.problems.length === 0 ? result : { ...result, problems: [...result.problems, ...dry.problems] };
}

/**
 * What the rules say of the fields whose shape is right; nothing for whom the area is foreign, who hears of it next.
 */
async function rulesBesideShape(
  parts: HttpParts,
  { route, rules }: Binding,
  { sound: soundInput, problems }: CheckedInput,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const sound = rules !== 'none' && problems.length <= mostShapeProblems ? soundInput() : undefined;
  if (rules === 'none' || sound === undefined) return [];
  return besideShape(
    problems,
    await problemsOf(async () => rules(sound, await contextOf(parts, route, request, reply))),
  );
}

/**
 * Runs a handler. Fields that it refuses are reported together with all problems of the rules; a handler may refuse
 * fields only by those rules.
 */
async function withAllProblems(
  parts: HttpParts,
  { route, rules }: Binding,
  input: CheckedInput['input'],
  ctx: RequestContext<Caller | undefined>,
  handle: () => unknown,
): Promise<unknown> {
  try {
    return await handle();
  } catch (thrown) {
    const fields =
      thrown instanceof Refusal && thrown.status === 400 && route.method !== 'GET' ? (thrown.details.fields ?? []) : [];
    if (!(thrown instanceof Refusal) || fields.length === 0) throw thrown;
    const told = rules === 'none' ? [] : await problemsOf(() => rules(input, ctx));
    // What a file holds is not known before it was read.
    const untold = route.encoding === 'bytes' || thrown.code !== 'invalidInput' ? [] : besideShape(told, fields);
    if (untold.length > 0)
      parts.untold(
        `${route.method} ${route.path} refuses ${untold.map(({ field }) => field).join(', ')} by a rule that it does not declare`,
      );
    throw new Refusal(thrown.code, thrown.values, {
      ...thrown.details,
      fields: [...fields, ...besideShape(fields, told)],
    });
  }
}

async function contextOf(
  parts: HttpParts,
  route: RouteShape,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<RequestContext<Caller | undefined>> {
  const caller = await inArea(parts, route, request);
  return {
    caller,
    language: chooseLanguage(request.headers['accept-language']),
    timezoneOffset: timezoneOffsetOf(request.headers),
    address: request.ip,
    host: request.host,
    requestId: request.id,
    headers: request.headers,
    ...(isUpload(request) ? { upload: uploadOf(request, route) } : {}),
    // What a dry run answers is of another form.
    setHeader: (name, value) => void (request.known?.isDry || reply.header(name, value)),
    about: (ids) => noteIds(request, ids),
    change: async (note, work) => {
      if (request.known) request.known.note = note;
      const result = await changing(parts.db, async (tx) => {
        const done = await work(tx);
        await parts.operations.write(entryOf(parts, route, request, note), tx);
        return done;
      });
      if (request.known) request.known.written = true;
      return result;
    },
  };
}

/**
 * The caller with the work area in force; a foreign one, or one that does not exist, is refused on the calls that it
 * limits.
 */
async function inArea(parts: HttpParts, route: RouteShape, request: FastifyRequest): Promise<Caller | undefined> {
  const caller = request.known?.caller;
  if (!caller || !route.areaScoped) return caller;
  const workAreaId = workAreaOf(request.headers);
  if (workAreaId === undefined) throw refuseFields({ field: 'workid', rule: 'type' });
  if (workAreaId !== null && !(await maySee(parts, caller, workAreaId))) throw refuse('foreignWorkArea');
  return { ...caller, workAreaId };
}

async function maySee({ db }: HttpParts, { workAreas }: Caller, workAreaId: number): Promise<boolean> {
  if (workAreas !== 'all') return workAreas.includes(workAreaId);
  return (await db.selectFrom('work_area').select('id').where('id', '=', workAreaId).executeTakeFirst()) !== undefined;
}

function entryOf(parts: HttpParts, route: RouteShape, request: FastifyRequest, note: ChangeNote) {
  return {
    ...whoIs(request.known?.caller, note.through),
    uri: `${request.method} ${request.url.split('?')[0]}`,
    ip: request.ip,
    at: parts.clock.now(),
    params: { ...note.facts, ...(note.params ?? inputOf(request)) },
    message: note.action,
    status: route.status ?? 200,
  };
}

/** A change that its handler did not write down itself still gets its row. */
async function writeUnwritten(parts: HttpParts, route: RouteShape, request: FastifyRequest): Promise<void> {
  if (!changesState(route) || request.known?.written) return;
  await parts.operations.write(
    entryOf(
      parts,
      route,
      request,
      request.known?.note ?? {
        action:
          actionOf(route, request, request.known?.caller?.accountId) ?? `${route.tag}.${route.method.toLowerCase()}`,
      },
    ),
  );
}

/**
 * A name of any letters as a header may carry it (RFC 8187): brackets and quotation marks too are written by their
 * bytes.
 */
const extended = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function send(route: RouteShape, reply: FastifyReply, answer: unknown) {
  switch (route.replyKind) {
    case 'empty':
      return reply.code(route.status ?? 204).send();
    case 'file': {
      const file = answer as FileAnswer;
      const plainName = file.name.replaceAll(/[^\w.-]/g, '_');
      reply.header(
        'content-disposition',
        `attachment; filename="${plainName}"; filename*=UTF-8''${extended(file.name)}`,
      );
      return reply
        .code(route.status ?? 200)
        .type(file.type)
        .send(file.content);
    }
    case 'text':
      if (!reply.hasHeader('content-type')) reply.type('text/plain; charset=utf-8');
      return reply.code(route.status ?? 200).send(String(answer));
    default:
      return sendJson(route.status ?? 200, reply, JSON.stringify(answer ?? null));
  }
}

function sendJson(status: number, reply: FastifyReply, text: string) {
  reply.code(status).type('application/json; charset=utf-8');
  const short = packed(text, reply.request.headers['accept-encoding']);
  if (!short) return reply.send(text);
  const vary = reply.getHeader('vary');
  return reply
    .header('content-encoding', 'br')
    .header('vary', vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`)
    .send(short);
}

import type { TSchema } from 'typebox';
import { dryRunOf, DryRunQuery } from '../../../../contract/dry-run.ts';
import { sentTypes, type RouteShape } from '../../../../contract/route.ts';
import { tags } from '../../../../contract/tags.ts';
import { routePaths, type Binding } from '../../platform/http/index.ts';
import { catalogueSchemas, contentSchema, contentSchemas, formSchema } from './forms.ts';
import { refusedStatuses, statusTexts } from './statuses.ts';

type Json = Record<string, unknown>;

/** Everything the problem body of a refusal carries (RFC 9457, specified 10.6). */
const problem: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'path', 'message', 'msg', 'code', 'params', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    path: { type: 'string' },
    message: { type: 'string' },
    msg: { type: 'string' },
    code: { type: 'integer', description: 'Stable, never zero; see the error catalogue.' },
    params: {
      type: 'array',
      description: 'Every offending field by its name on the wire.',
      items: {
        type: 'object',
        properties: { field: { type: 'string' }, rule: { type: 'string' }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string' },
    permissions: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of a caller without a right (code 1201): the permission codes any of which is enough.',
    },
  },
};

/** The OpenAPI 3.1 document of these routes, other spellings of a path included. */
export function openApiDocument(served: readonly Pick<Binding, 'route' | 'options'>[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const { route, options } of served) {
    routePaths(route).forEach((path, spelling) => {
      const at = path.replaceAll(/:(\w+)/g, '{$1}');
      (paths[at] ??= {})[route.method.toLowerCase()] = operation(
        route,
        spelling,
        refusedStatuses(route, options.limit !== undefined),
      );
    });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lampyris',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Calls under /api/v1 are ours and refuse unknown fields and values of another JSON type (ids may be decimal text); the others are fixed by the specification and ignore fields they do not offer. x-limits says what a call takes at most: bytes of its body, fields and list entries at any depth, and calls a minute of one address. How devices talk to the server is described by /api/asyncapi.json.',
    },
    externalDocs: { url: '/api/asyncapi.json', description: 'How devices talk to the server: AsyncAPI 3.' },
    servers: [{ url: '/' }],
    tags: [...new Set(served.map(({ route }) => route.tag))]
      .toSorted()
      .map((name) => ({ name, ...(tags[name] === undefined ? {} : { description: tags[name] }) })),
    security: [{ session: [] }],
    paths: Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => a.localeCompare(b))),
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that sign-in returned, with or without its prefix.',
        },
      },
      schemas: { Problem: problem, ...catalogueSchemas(), ...contentSchemas },
      parameters: standingHeaders,
      responses: {
        Refused: refused('Refused: what and why, in the caller’s language.'),
        ...Object.fromEntries(Object.entries(statusTexts).map(([status, text]) => [`Refused${status}`, refused(text)])),
      },
    },
  };
}

const refused = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});
const header = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});
const standingHeaders: Json = {
  language: header(
    'Accept-Language',
    'Language of every message: zh-CN (default), zh-TW, en-US, fr-FR, ja-JP, ko-KR.',
    { type: 'string' },
  ),
  timezone: header('timezoneOffset', 'Minutes east of UTC+8; dates in filters are the days of that zone.', {
    type: 'integer',
  }),
  workArea: header('workid', 'The work area in force; without it every one the account may see.', { type: 'integer' }),
};
const dryRunParameter: Json = {
  ...parameters('query', DryRunQuery)[0],
  description: 'The call changes nothing: it answers what it would change and what it would answer.',
};
const standing = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

function operation(route: RouteShape, spelling: number, statuses: readonly number[]): Json {
  const id = `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-zA-Z0-9]+(.)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`;
  const codes = typeof route.access === 'string' ? [route.access] : route.access;
  return {
    operationId: spelling === 0 ? id : `${id}Alias${spelling}`,
    summary: route.summary,
    tags: [route.tag],
    ...(route.access === 'public' ? { security: [] } : { 'x-permission': codes }),
    ...(spelling > 0 ? { description: `Another spelling of ${route.method} ${route.path}.` } : {}),
    parameters: [
      ...parameters('path', route.params),
      ...parameters('query', route.query),
      ...(route.dryRun === true ? [dryRunParameter] : []),
      standing('language'),
      standing('timezone'),
      ...(route.areaScoped ? [standing('workArea')] : []),
    ],
    ...(route.encoding === 'bytes'
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              (route.takes ?? ['application/octet-stream']).map((type) => [
                type,
                { schema: { type: 'string', format: 'binary' } },
              ]),
            ),
          },
        }
      : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: {
              [route.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
                schema: bodyOf(route),
              },
            },
          },
        }
      : {}),
    // What is more is 413, 400 and, of public calls, 429.
    'x-limits': {
      bytes: route.limits.bytes,
      entries: route.limits.entries,
      ...(route.limits.perMinute === undefined ? {} : { callsPerMinuteAndAddress: route.limits.perMinute }),
    },
    responses: {
      ...successes(route),
      ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }])),
      default: { $ref: '#/components/responses/Refused' },
    },
  };
}

/** What a call answers when it is done, and when it was only tried. */
function successes(route: RouteShape): Json {
  const status = String(route.status ?? (route.replyKind === 'empty' ? 204 : 200));
  if (route.dryRun !== true) return { [status]: success(route) };
  const dry = modern(dryRunOf(route.reply));
  if (status !== '200')
    return { 200: answered('With `dryRun=1`: what it would change.', dry), [status]: success(route) };
  return { 200: answered('Done; with `dryRun=1`: what it would change.', { anyOf: [modern(route.reply), dry] }) };
}

const answered = (description: string, schema: unknown): Json => ({
  description,
  content: { 'application/json': { schema } },
});

/** The body as it is told: what the catalogue declares of it by reference. */
function bodyOf({ body, form }: RouteShape): unknown {
  if (!form) return modern(body);
  if (form.at === undefined) return formSchema(form.of);
  const whole = modern(body) as Json & { readonly properties: Json };
  return { ...whole, properties: { ...whole.properties, [form.at]: formSchema(form.of) } };
}

function success(route: RouteShape): Json {
  switch (route.replyKind) {
    case 'empty':
      return { description: 'Done.' };
    case 'file':
      return {
        description: 'A file with its name.',
        content: Object.fromEntries(sentTypes(route).map((type) => [type, {}])),
      };
    case 'text':
      return {
        description: 'Text.',
        content: Object.fromEntries(sentTypes(route).map((type) => [type, { schema: { type: 'string' } }])),
      };
    default:
      return answered('Done.', modern(route.reply));
  }
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: modern(field),
  }));
}

/** The same schema in the dialect of OpenAPI 3.1: tuples are `prefixItems` there. Contents stand by reference. */
function modern(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(modern);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { items, additionalItems, ...rest } = schema as Json;
  const content = contentSchema(rest['title']);
  if (content) return content;
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, modern(value)])),
    ...(items === undefined
      ? {}
      : Array.isArray(items)
        ? { prefixItems: modern(items), items: additionalItems ?? false }
        : { items: modern(items) }),
  };
}

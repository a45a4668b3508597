import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { TSchema } from 'typebox';
import type { RouteShape } from '../../../../contract/route.ts';
import { coerce, plain, type PlainSchema, type Source } from './coerce.ts';
import { fieldProblems } from './field-problems.ts';
import type { FieldProblem } from './refuse.ts';

export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Whether the body came form-encoded. */
  readonly form: boolean;
}

export interface CheckedInput {
  readonly input: { params?: unknown; query?: unknown; body?: unknown };
  readonly problems: readonly FieldProblem[];
}

// The package is CommonJS: under Node its default export is the function itself, for the type checker it hides one level deeper.
const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

function createAjv(unknownFields: RouteShape['unknownFields']): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: false, useDefaults: true, removeAdditional: unknownFields === 'ignore' });
  addFormats(ajv);
  return ajv;
}

const compilers = { ignore: createAjv('ignore'), refuse: createAjv('refuse') };

const nothing: PlainSchema = { type: 'object', properties: {} };

/**
 * Prepares the check of everything a route declares: returns the coerced input and every offending field of path, query and
 * body at once. Unknown fields are dropped or named, as the route says.
 */
export function inputCheck(route: RouteShape): (raw: RawInput) => CheckedInput {
  const params = part(route, route.params);
  const query = part(route, route.query);
  const body = part(route, route.body);
  return (raw) => {
    const checked = {
      params: params(raw.params ?? {}, 'text'),
      query: query(withoutBlanks(raw.query ?? {}, route.unknownFields), 'text'),
      body: body(raw.body ?? {}, raw.form ? 'text' : 'json'),
    };
    return {
      input: {
        ...(route.params ? { params: checked.params.value } : {}),
        ...(route.query ? { query: checked.query.value } : {}),
        ...(route.body ? { body: checked.body.value } : {}),
      },
      problems: [checked.params, checked.query, checked.body].flatMap((found) => [...found.problems, ...unstorable(found.value)]).slice(0, 200),
    };
  };
}

function part(route: RouteShape, schema: TSchema | undefined): (value: unknown, source: Source) => { value: unknown; problems: FieldProblem[] } {
  const shape = schema ? plain(schema) : nothing;
  const validate: ValidateFunction = compilers[route.unknownFields].compile(closed(shape));
  return (raw, source) => {
    const value = coerce(shape, raw, source);
    const errors: ErrorObject[] = validate(value) ? [] : (validate.errors ?? []);
    return { value, problems: fieldProblems(errors) };
  };
}

/** The same schema with every object that lists its fields closed, so that unknown ones are found. */
function closed(schema: PlainSchema): PlainSchema {
  const each = (schemas: readonly PlainSchema[]) => schemas.map(closed);
  const mapped = (fields: Readonly<Record<string, PlainSchema>>) => Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, closed(field)]));
  return {
    ...schema,
    ...(schema.properties ? { properties: mapped(schema.properties), additionalProperties: schema.additionalProperties ?? false } : {}),
    ...(schema.patternProperties ? { patternProperties: mapped(schema.patternProperties), additionalProperties: schema.additionalProperties ?? false } : {}),
    ...(schema.anyOf ? { anyOf: each(schema.anyOf) } : {}),
    ...(schema.oneOf ? { oneOf: each(schema.oneOf) } : {}),
    ...(schema.items ? { items: 'length' in schema.items ? each(schema.items) : closed(schema.items) } : {}),
  };
}

/** Deeper than any body of ours; what recurses over it must not run out of stack. */
const deepest = 40;

/** Texts that no database keeps (NUL, half a character), and values nested beyond measure, by the field they stand in. */
function unstorable(value: unknown, path: readonly string[] = []): FieldProblem[] {
  const wrong = typeof value === 'string' ? value.includes('\u0000') || !value.isWellFormed() : path.length > deepest;
  if (wrong) return [{ field: path.slice(0, 3).join('.').replaceAll('\u0000', '').slice(0, 200), rule: 'invalid' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => unstorable(key).length > 0 ? [{ field: path.join('.'), rule: 'invalid' as const }] : unstorable(part, [...path, key]));
}

/** An empty field of a query is no filter; clients of the family also write `undefined` and `null` for nothing. */
function withoutBlanks(query: unknown, unknownFields: RouteShape['unknownFields']): unknown {
  if (typeof query !== 'object' || query === null) return {};
  const nothings: readonly unknown[] = unknownFields === 'ignore' ? ['', 'undefined', 'null'] : [''];
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !nothings.includes(value)));
}

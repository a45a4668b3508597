import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { TSchema } from 'typebox';
import type { FieldProblem, RuleName } from './refuse.ts';

/** A JSON schema as plain data: what TypeBox builds is exactly that. Only what is named here may stand in an input. */
interface PlainSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PlainSchema[];
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly patternProperties?: Readonly<Record<string, PlainSchema>>;
  readonly additionalProperties?: boolean;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: PlainSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}
const understood = new Set([
  'type',
  'const',
  'enum',
  'anyOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'minProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'title',
  'description',
]);

export interface ReadingRules {
  /** Fields that the schema does not name are left out, or named as wrong. */
  readonly unknownFields: 'ignore' | 'refuse';
  /**
   * Which texts become what the schema asks for: all (query, path, form, and bodies of the fixed calls), or in a JSON
   * body of ours only decimal texts of ids. null is never turned into anything: it means "empty it".
   */
  readonly texts: 'all' | 'ids';
  /** A single value where a list is asked for is a list of one: in a query or form. */
  readonly single: boolean;
}

/** Problems reported of one input, fewer on public routes; the reader stops there. */
export const mostProblems = { signedIn: 200, public: 30 } as const;

/** What is being looked at: where in the input, and what was found wrong so far. */
class Looking {
  readonly path: (string | number)[] = [];
  readonly problems: FieldProblem[] = [];
  readonly #seen = new Set<string>();
  readonly #most: number;
  constructor(most: number, path: readonly (string | number)[] = []) {
    this.#most = most;
    this.path.push(...path);
  }

  get full(): boolean {
    return this.problems.length >= this.#most;
  }

  wrong(rule: RuleName, limit?: number, field?: string): undefined {
    if (this.full) return undefined;
    const at = (field === undefined ? this.path : [...this.path, field])
      .join('.')
      .replaceAll('\u0000', '')
      .slice(0, 200);
    const key = `${at} ${rule}`;
    if (this.#seen.has(key)) return undefined;
    this.#seen.add(key);
    this.problems.push({ field: at, rule, ...(limit === undefined ? {} : { values: { limit } }) });
    return undefined;
  }
}

/** Looks at a value and gives it back as the schema has it; what is wrong is noted. */
type Read = (value: unknown, look: Looking) => unknown;

/**
 * Prepares the reading of values of one schema. Throws for a schema it does not fully understand: then the program does
 * not start.
 */
export function readerOf(
  schema: TSchema,
  rules: ReadingRules,
  most: number = mostProblems.signedIn,
): (value: unknown) => { readonly value: unknown; readonly problems: readonly FieldProblem[] } {
  const read = prepare(schema as PlainSchema, rules);
  return (value) => {
    const look = new Looking(most);
    return { value: read(value, look), problems: look.problems };
  };
}

function prepare(schema: PlainSchema, rules: ReadingRules): Read {
  const strange = Object.keys(schema).find((key) => !understood.has(key));
  if (strange !== undefined)
    throw new Error(`inputs are not checked for "${strange}": ${JSON.stringify(schema).slice(0, 200)}`);
  if (schema.anyOf) return readOneOf(schema.anyOf, rules);
  if (schema.const !== undefined) return readLiteral([schema.const], rules);
  if (schema.enum) return readLiteral(schema.enum, rules);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return readNumber(schema, rules);
    case 'boolean':
      return rules.texts === 'all' ? (value, look) => readFlag(flagOf(value), look) : readFlag;
    case 'string':
      return readText(schema, rules);
    case 'array':
      return readList(schema, rules);
    case 'object':
      return readObject(schema, rules);
    case 'null':
      return (value, look) => (value === null ? null : look.wrong('type'));
    case undefined:
      return readFree;
    default:
      throw new Error(`inputs are not checked for the type "${schema.type}"`);
  }
}

const decimal = /^[+-]?\d{1,17}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/i;
const whole = /^\d{1,19}$/;

function readNumber(schema: PlainSchema, { texts }: ReadingRules): Read {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  const fromText = texts === 'all' ? decimal : schema.format === 'int64' ? whole : undefined;
  const isNumber = schema.type === 'integer' ? Number.isInteger : Number.isFinite;
  return (given, look) => {
    const value =
      typeof given === 'string' && fromText?.test(given.length > 60 ? '' : given.trim()) ? Number(given) : given;
    if (typeof value !== 'number' || !isNumber(value)) return look.wrong('type');
    if (value < minimum) return look.wrong('minimum', minimum);
    if (value > maximum) return look.wrong('maximum', maximum);
    return value > exclusiveMinimum ? value : look.wrong('exclusiveMinimum', exclusiveMinimum);
  };
}

function flagOf(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 1) return true;
  return value === 'false' || value === '0' || value === 0 ? false : value;
}
const readFlag: Read = (value, look) => (typeof value === 'boolean' ? value : look.wrong('type'));

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function readLiteral(literals: readonly unknown[], { texts }: ReadingRules): Read {
  const known = new Set(literals);
  return (value, look) => {
    if (known.has(value)) return value;
    const meant =
      texts === 'all' && isScalar(value)
        ? literals.find(
            (literal) =>
              typeof literal !== typeof value && isScalar(literal) && String(literal) === String(value).trim(),
          )
        : undefined;
    return meant ?? look.wrong('enum');
  };
}

/** No database keeps NUL or half a character. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();
/** Lengths count characters, not the UTF-16 halves of some of them. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

function readText(schema: PlainSchema, { texts }: ReadingRules): Read {
  const { minLength = 0, maxLength = Infinity } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const hasFormat = schema.format === undefined ? undefined : formatCheck(schema.format);
  return (given, look) => {
    const value = texts === 'all' && (typeof given === 'number' || typeof given === 'boolean') ? String(given) : given;
    if (typeof value !== 'string') return look.wrong('type');
    if (isLonger(value, maxLength)) return look.wrong('maxLength', maxLength);
    // An empty text where one is needed reads better as "required" than as "at least 1 character".
    if (value.length < minLength) return minLength === 1 ? look.wrong('required') : look.wrong('minLength', minLength);
    if (!isStorable(value)) return look.wrong('invalid');
    if (pattern && !pattern.test(value)) return look.wrong('pattern');
    return hasFormat && !hasFormat(value) ? look.wrong('format') : value;
  };
}

function formatCheck(name: string): (text: string) => boolean {
  const format: unknown = Object.hasOwn(fullFormats, name) ? fullFormats[name as keyof typeof fullFormats] : undefined;
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate: unknown =
    typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format;
  if (typeof validate !== 'function') throw new Error(`inputs are not checked for the format "${name}"`);
  return (text) => Boolean((validate as (text: string) => unknown)(text));
}

function readList(schema: PlainSchema, rules: ReadingRules): Read {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = schema;
  const item = schema.items ? prepare(schema.items, rules) : readFree;
  return (given, look) => {
    const list = Array.isArray(given)
      ? (given as readonly unknown[])
      : rules.single && given !== undefined && given !== null
        ? [given]
        : undefined;
    if (!list) return look.wrong('type');
    if (list.length > maxItems) return look.wrong('maxItems', maxItems);
    if (list.length < minItems) return look.wrong('minItems', minItems);
    const read: unknown[] = [];
    for (let index = 0; index < list.length && !look.full; index += 1) {
      look.path.push(index);
      read.push(item(list[index], look));
      look.path.pop();
    }
    return uniqueItems && new Set(read).size < read.length ? look.wrong('uniqueItems') : read;
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readObject(schema: PlainSchema, rules: ReadingRules): Read {
  const own = new Map(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, prepare(field, rules)]));
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, field]) => ({
    pattern: new RegExp(pattern, 'u'),
    read: prepare(field, rules),
  }));
  const {
    required = [],
    minProperties = 0,
    additionalProperties = !schema.properties && !schema.patternProperties,
  } = schema;
  const readerFor = (key: string): Read | undefined =>
    own.get(key) ??
    patterns.find(({ pattern }) => pattern.test(key))?.read ??
    (additionalProperties && key !== '__proto__' ? readFree : undefined);
  return (given, look) => {
    if (!isObject(given)) return look.wrong('type');
    const keys = Object.keys(given);
    if (keys.length < minProperties) return look.wrong('minProperties', minProperties);
    const read: Record<string, unknown> = {};
    for (const key of required) if (!Object.hasOwn(given, key)) look.wrong('required', undefined, key);
    for (const key of keys) {
      if (look.full) break;
      if (!isStorable(key)) look.wrong('invalid');
      else {
        const field = readerFor(key);
        if (field) {
          look.path.push(key);
          read[key] = field(given[key], look);
          look.path.pop();
        } else if (rules.unknownFields === 'refuse') look.wrong('unknownField', undefined, key);
      }
    }
    return read;
  };
}

/** Anything that can be kept. How deep it goes was looked at while it was read. */
const readFree: Read = (value, look) => {
  if (typeof value === 'string') return isStorable(value) ? value : look.wrong('invalid');
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, part] of Object.entries(value)) {
    if (look.full) break;
    if (isStorable(key)) {
      look.path.push(key);
      readFree(part, look);
      look.path.pop();
    } else look.wrong('invalid');
  }
  return value;
};

/** The problem of a value that fits no branch: that of the one branch that was meant, or one for all of them. */
function readOneOf(branches: readonly PlainSchema[], rules: ReadingRules): Read {
  const nullable = branches.some(({ type }) => type === 'null');
  const others = branches.filter(({ type }) => type !== 'null');
  if (others.every((branch) => branch.const !== undefined || branch.enum)) {
    return readLiteral(
      [...others.flatMap((branch) => branch.enum ?? [branch.const]), ...(nullable ? [null] : [])],
      rules,
    );
  }
  const readers = others.map((branch) => ({ branch, read: prepare(branch, rules) }));
  const [only] = readers;
  if (readers.length === 1 && only)
    return nullable ? (value, look) => (value === null ? null : only.read(value, look)) : only.read;
  return (value, look) => {
    if (value === null && nullable) return null;
    const alike = readers.filter(({ branch }) => isOfKind(branch, value));
    for (const { read } of alike.length > 0 ? alike : readers) {
      const trial = new Looking(1, look.path);
      const result = read(value, trial);
      if (trial.problems.length === 0) return result;
    }
    const [meant] = alike;
    return meant && alike.length === 1 ? meant.read(value, look) : look.wrong('invalid');
  };
}

function isOfKind({ type, enum: literals, const: literal }: PlainSchema, value: unknown): boolean {
  if (literals) return literals.includes(value);
  if (literal !== undefined) return literal === value;
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case undefined:
      return true;
    default:
      return typeof value === type;
  }
}

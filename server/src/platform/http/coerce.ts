import type { TSchema } from 'typebox';

/** A JSON schema as plain data: what TypeBox builds is exactly that. */
export interface PlainSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PlainSchema[];
  readonly oneOf?: readonly PlainSchema[];
  readonly allOf?: readonly PlainSchema[];
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly patternProperties?: Readonly<Record<string, PlainSchema>>;
  readonly additionalProperties?: boolean | PlainSchema;
  readonly required?: readonly string[];
  readonly items?: PlainSchema | readonly PlainSchema[];
}

/** Where a value travelled: everything in a query, path or form is text. */
export type Source = 'json' | 'text';

export const plain = (schema: TSchema): PlainSchema => schema as PlainSchema;

const decimal = /^[+-]?\d{1,17}(?:\.\d{1,17})?(?:e[+-]?\d{1,3})?$/i;

/**
 * Turns decimal text into numbers, flags into booleans and single values of a query into lists, as the schema wants them. What
 * does not fit stays as it is and is refused by the check that follows. Ajv's own `coerceTypes` is not used: it makes 0 out of
 * null, and null means "empty it" (decisions 2).
 */
export function coerce(schema: PlainSchema, value: unknown, source: Source): unknown {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) return coerceToOne(branches, value, source);
  if (schema.const !== undefined) return coerceLiteral([schema.const], value);
  if (schema.enum) return coerceLiteral(schema.enum, value);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' && decimal.test(value.trim()) ? Number(value) : value;
    case 'boolean':
      return coerceFlag(value);
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    case 'array':
      return coerceList(schema, value, source);
    case 'object':
      return coerceObject(schema, value, source);
    default:
      return value;
  }
}

function coerceToOne(branches: readonly PlainSchema[], value: unknown, source: Source): unknown {
  if (value === null || branches.some((branch) => fits(branch, value))) {
    const branch = branches.find((candidate) => fits(candidate, value));
    return branch && value !== null ? coerce(branch, value, source) : value;
  }
  for (const branch of branches) {
    const coerced = coerce(branch, value, source);
    if (fits(branch, coerced)) return coerced;
  }
  return value;
}

function fits(schema: PlainSchema, value: unknown): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  switch (schema.type) {
    case 'integer': return Number.isInteger(value);
    case 'array': return Array.isArray(value);
    case 'null': return value === null;
    case 'object': return typeof value === 'object' && value !== null && !Array.isArray(value);
    case undefined: return true;
    default: return typeof value === schema.type;
  }
}

const coerceLiteral = (literals: readonly unknown[], value: unknown): unknown =>
  literals.includes(value) ? value : (literals.find((literal) => typeof literal !== typeof value && isScalar(value) && String(literal) === String(value).trim()) ?? value);

const isScalar = (value: unknown): value is string | number | boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function coerceFlag(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 1) return true;
  return value === 'false' || value === '0' || value === 0 ? false : value;
}

function coerceList(schema: PlainSchema, value: unknown, source: Source): unknown {
  const list = Array.isArray(value) ? value : source === 'text' && value !== undefined && value !== null ? [value] : undefined;
  if (!list) return value;
  const { items } = schema;
  if (!items) return list;
  return list.map((item, position) => {
    const itemSchema = 'length' in items ? items[position] : items;
    return itemSchema ? coerce(itemSchema, item, source) : item;
  });
}

function coerceObject(schema: PlainSchema, value: unknown, source: Source): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // fromEntries defines own properties, so a key called __proto__ stays an ordinary (unknown) field.
  return Object.fromEntries(Object.entries(value).map(([key, part]: [string, unknown]) => {
    const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    return [key, own ? coerce(own, part, source) : part];
  }));
}

import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { RouteShape } from '../../../../contract/route.ts';
import { inputCheck } from './check-input.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../../contract/*/*.ts', { eager: true });
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
const contract = Object.values(modules)
  .flatMap((exports) => Object.values(exports).filter(isRoute))
  .map((route) => ({ name: `${route.method} ${route.path}`, route }));

interface Schema {
  type?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maximum?: number;
  maxItems?: number;
}

/** Where a schema lets in a text, number or list of any size. */
function unbounded(schema: Schema, at: string): string[] {
  const below = [
    ...(schema.anyOf ?? []).map((branch) => unbounded(branch, at)),
    ...Object.entries({ ...schema.properties, ...schema.patternProperties }).map(([key, field]) =>
      unbounded(field, `${at}.${key}`),
    ),
    ...(schema.items ? [unbounded(schema.items, `${at}[]`)] : []),
  ].flat();
  const bounds: Readonly<Record<string, unknown>> = {
    string: schema.maxLength,
    integer: schema.maximum,
    number: schema.maximum,
    array: schema.maxItems,
  };
  const isOpen =
    schema.enum === undefined &&
    schema.const === undefined &&
    schema.type !== undefined &&
    schema.type in bounds &&
    bounds[schema.type] === undefined;
  return isOpen ? [`${at}: ${schema.type}`, ...below] : below;
}

/** How many entries the fullest value of a schema has that is worth the name: lists at their longest, with ids. */
function fullest(schema: Schema): unknown {
  if (schema.anyOf) return fullest(schema.anyOf.find(({ type }) => type === 'array') ?? schema.anyOf[0] ?? {});
  if (schema.type === 'array') return Array.from({ length: schema.maxItems ?? 0 }, () => fullest(schema.items ?? {}));
  if (schema.type === 'object')
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, fullest(field)]));
  return schema.type === 'integer'
    ? schema.maximum
    : schema.type === 'string'
      ? 'x'.repeat(Math.min(schema.maxLength ?? 0, 40))
      : null;
}
const entriesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, part) => sum + 1 + entriesOf(part), 0)
    : 0;

test('the whole contract is looked at', () => expect(contract.length).toBeGreaterThan(180));

describe.each(contract)('$name', ({ route }) => {
  const parts = (['params', 'query', 'body'] as const).flatMap((part) =>
    route[part] ? [[part, route[part] as TSchema as Schema] as const] : [],
  );

  test('bounds every text, number and list that it takes, and can be checked', () => {
    expect(parts.flatMap(([part, schema]) => unbounded(schema, part))).toEqual([]);
    expect(() => inputCheck(route)).not.toThrow();
  });

  test('takes the longest lists that it declares', () => {
    const body = fullest((route.body ?? {}) as Schema);
    expect(entriesOf(body)).toBeLessThanOrEqual(route.limits.entries);
    expect(Buffer.byteLength(JSON.stringify(body) ?? '')).toBeLessThanOrEqual(route.limits.bytes);
  });
});

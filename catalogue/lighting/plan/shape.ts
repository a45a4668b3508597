import type { JsonSchema, Problem, Rule } from '../../fields/kind.ts';

/** The shape of data from outside, declared once: it is checked, and published as JSON Schema. */
export interface Shape {
  readonly schema: JsonSchema;
  /** Adds every problem of the value at `path`. Never throws. */
  check(path: string, value: unknown, problems: Problem[]): void;
}
type Members = Readonly<Record<string, Shape>>;
type Bounds = { readonly min: number; readonly max: number; readonly step?: number };

/** Paths longer than this are cut by the server's answers; names from outside must not make them longer. */
const longestName = 60;
const at = (path: string, name: string | number): string =>
  path === '' ? String(name).slice(0, longestName) : `${path}.${String(name).slice(0, longestName)}`;
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Only finite numbers in the bounds; `step` 1: whole ones. NaN is a field of a form that was emptied. */
export const number = ({ min, max, step = 0 }: Bounds): Shape => ({
  schema: { type: step === 1 ? 'integer' : 'number', minimum: min, maximum: max },
  check(path, value, problems) {
    if (Number.isNaN(value)) problems.push({ field: path, rule: 'required' });
    else if (typeof value !== 'number' || !Number.isFinite(value)) problems.push({ field: path, rule: 'type' });
    else if (value < min || value > max) problems.push({ field: path, rule: 'range', params: { min, max } });
    else if (step > 0 && !Number.isInteger(value / step)) problems.push({ field: path, rule: 'whole' });
  },
});

/** A text that is not blank; lengths count characters. `pattern`: of the published schema; `empty`: of a blank text. */
export const text = ({ min, max }: Bounds, pattern?: string, empty: Rule = 'required'): Shape => ({
  schema: { type: 'string', minLength: min, maxLength: max, ...(pattern === undefined ? {} : { pattern }) },
  check(path, value, problems) {
    if (typeof value !== 'string') return void problems.push({ field: path, rule: 'type' });
    const length = [...value.trim()].length;
    if (length === 0 && min > 0) problems.push({ field: path, rule: empty });
    else if (length < min) problems.push({ field: path, rule: 'minLength', params: { min } });
    else if ([...value].length > max) problems.push({ field: path, rule: 'maxLength', params: { max } });
    else if (!value.isWellFormed() || value.includes('\u0000')) problems.push({ field: path, rule: 'characters' });
  },
});

export const option = (values: readonly (string | number)[]): Shape => ({
  schema: { enum: values },
  check(path, value, problems) {
    if (!values.some((one) => one === value)) problems.push({ field: path, rule: 'option' });
  },
});

export const nullable = (shape: Shape): Shape => ({
  schema: { anyOf: [shape.schema, { type: 'null' }] },
  check: (path, value, problems) => (value === null ? undefined : shape.check(path, value, problems)),
});

/** One of two: `first` where the value is the literal, else the shape. */
export const literalOr = (literal: string, shape: Shape): Shape => ({
  schema: { anyOf: [{ const: literal }, shape.schema] },
  check: (path, value, problems) => (value === literal ? undefined : shape.check(path, value, problems)),
});

export const list = ({ min, max }: Bounds, entry: Shape): Shape => ({
  schema: { type: 'array', minItems: min, maxItems: max, items: entry.schema },
  check(path, value, problems) {
    if (!Array.isArray(value)) problems.push({ field: path, rule: 'type' });
    else if (value.length < min || value.length > max)
      problems.push({ field: path, rule: 'entries', params: { min, max } });
    else value.forEach((one, place) => entry.check(at(path, place), one, problems));
  },
});

/** Exactly these members; the optional ones may be absent. */
export const object = (members: Members, optional: Members = {}): Shape => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries({ ...members, ...optional }).map(([name, { schema }]) => [name, schema]),
    ),
    required: Object.keys(members),
    additionalProperties: false,
  },
  check(path, value, problems) {
    if (!isFields(value)) return void problems.push({ field: path, rule: 'type' });
    for (const [name, member] of Object.entries(members))
      if (Object.hasOwn(value, name)) member.check(at(path, name), value[name], problems);
      else problems.push({ field: at(path, name), rule: 'required' });
    for (const [name, one] of Object.entries(value))
      if (Object.hasOwn(optional, name)) optional[name]?.check(at(path, name), one, problems);
      else if (!Object.hasOwn(members, name)) problems.push({ field: at(path, name), rule: 'unknown' });
  },
});

/** Any of these members. */
export const some = (members: Members): Shape => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema])),
    additionalProperties: false,
  },
  check(path, value, problems) {
    if (!isFields(value)) return void problems.push({ field: path, rule: 'type' });
    for (const [name, one] of Object.entries(value)) {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      if (member) member.check(at(path, name), one, problems);
      else problems.push({ field: at(path, name), rule: 'unknown' });
    }
  },
});

/** Checked by somebody else; `schema` says what is known. */
export const elsewhere = (schema: JsonSchema): Shape => ({ schema, check: () => undefined });

/** What a value breaks, each field once, the first problem first. */
export function problemsOnce(problems: readonly Problem[]): Problem[] {
  const byField = new Map<string, Problem>();
  for (const problem of problems) if (!byField.has(problem.field)) byField.set(problem.field, problem);
  return [...byField.values()];
}

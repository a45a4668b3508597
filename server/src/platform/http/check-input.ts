import type { TSchema } from 'typebox';
import type { RouteShape } from '../../../../contract/route.ts';
import { mostProblems, readerOf, type ReadingRules } from './read-shape.ts';
import type { FieldProblem } from './refuse.ts';
import { onceEach, soundOf } from './sound-fields.ts';

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
  /**
   * The input without the fields that are wrong in their shape; undefined: a whole part is. Asked for only when
   * something is wrong.
   */
  readonly sound: () => CheckedInput['input'] | undefined;
}

type Reading = ReturnType<typeof readerOf>;

const nothing = { type: 'object', properties: {} } as unknown as TSchema;

/**
 * Prepares the check of everything a route declares: returns the input as it is declared and every offending field of
 * path, query and body at once, at most 200, of a public route 30. Unknown fields are left out or named, as the route
 * says. Throws when a schema asks for something that is not checked.
 */
export function inputCheck(route: RouteShape): (raw: RawInput) => CheckedInput {
  const { unknownFields } = route;
  const text: ReadingRules = { unknownFields, texts: 'all', single: true };
  const most = mostProblems[route.access === 'public' ? 'public' : 'signedIn'];
  const reading = (schema: TSchema | undefined, rules: ReadingRules): Reading =>
    readerOf(schema ?? nothing, rules, most);
  const params = reading(route.params, text);
  const query = reading(route.query, text);
  const form = reading(route.body, text);
  const json = reading(route.body, { unknownFields, texts: unknownFields === 'ignore' ? 'all' : 'ids', single: false });
  return (raw) => {
    const checked = {
      params: params(raw.params ?? {}),
      query: query(withoutBlanks(raw.query ?? {}, unknownFields)),
      body: (raw.form ? form : json)(raw.body ?? {}),
    };
    const parts = [checked.params, checked.query, checked.body];
    const inputOf = (read: (value: unknown) => unknown) => ({
      ...(route.params ? { params: read(checked.params.value) } : {}),
      ...(route.query ? { query: read(checked.query.value) } : {}),
      ...(route.body ? { body: read(checked.body.value) } : {}),
    });
    return {
      input: inputOf((value) => value),
      problems: onceEach(parts.flatMap(({ problems }) => problems)).slice(0, most),
      sound: () => (parts.some(({ value }) => value === undefined) ? undefined : inputOf(soundOf)),
    };
  };
}

/** An empty field of a query is no filter; clients of the family also write `undefined` and `null` for nothing. */
function withoutBlanks(query: unknown, unknownFields: RouteShape['unknownFields']): unknown {
  if (typeof query !== 'object' || query === null) return {};
  const nothings: readonly unknown[] = unknownFields === 'ignore' ? ['', 'undefined', 'null'] : [''];
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !nothings.includes(value)));
}

import type { ErrorObject } from 'ajv';
import type { FieldProblem, RuleName } from './refuse.ts';

/** Turns Ajv's errors into one list of offending fields by their names on the wire (`scope.roadId`, `deviceIds.3`). */
export function fieldProblems(errors: readonly ErrorObject[]): FieldProblem[] {
  const seen = new Map<string, FieldProblem>();
  for (const error of withoutBranches(errors)) {
    const problem = problemOf(error);
    if (!seen.has(`${problem.field} ${problem.rule}`)) seen.set(`${problem.field} ${problem.rule}`, problem);
  }
  return [...seen.values()];
}

/** For a union Ajv reports every branch; what helps is the one branch that was meant, or one word about all of them. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf');
  return errors.flatMap((error) => {
    const within = unions.filter((union) => error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`));
    if (unions.includes(error)) return meantBranch(error, errors).length > 0 ? [] : [error];
    return within.every((union) => meantBranch(union, errors).includes(error)) ? [error] : [];
  });
}

function meantBranch(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inside = errors.filter((error) => error.schemaPath.startsWith(`${union.schemaPath}/`) && !(error.keyword === 'type' && error.params['type'] === 'null'));
  if (inside.length > 0 && inside.every((error) => error.keyword === 'const' || error.keyword === 'enum')) return inside;
  const branches = new Set(inside.map((error) => error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0]));
  return branches.size === 1 ? inside : [];
}

const rules: Readonly<Record<string, RuleName>> = {
  required: 'required', type: 'type', minLength: 'minLength', maxLength: 'maxLength', minimum: 'minimum', maximum: 'maximum',
  exclusiveMinimum: 'exclusiveMinimum', exclusiveMaximum: 'exclusiveMaximum', multipleOf: 'multipleOf', format: 'format', pattern: 'pattern',
  enum: 'enum', const: 'enum', minItems: 'minItems', maxItems: 'maxItems', uniqueItems: 'uniqueItems', minProperties: 'minProperties',
  additionalProperties: 'unknownField', additionalItems: 'maxItems',
};

function problemOf(error: ErrorObject): FieldProblem {
  const path = error.instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  const limit: unknown = error.params['limit'] ?? error.params['multipleOf'];
  const rule = rules[error.keyword] ?? 'invalid';
  return {
    field: path.join('.').slice(0, 200),
    // An empty text where one is needed reads better as "required" than as "at least 1 character".
    rule: rule === 'minLength' && limit === 1 ? 'required' : rule,
    ...(typeof limit === 'number' ? { values: { limit } } : {}),
  };
}

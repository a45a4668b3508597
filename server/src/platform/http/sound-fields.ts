import { isStorable } from './read-shape.ts';
import type { FieldProblem, WordedProblem } from './refuse.ts';

/** Input of which some fields were left out because their shape is wrong: any field may be absent. */
export type Sound<T> = T extends readonly (infer Item)[]
  ? Sound<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Sound<T[Key]> | undefined }
    : T;

/** With more problems the body is no form of a person; its rules are not asked. */
export const mostShapeProblems = 50;

/**
 * A value as it was read, where undefined stands for what is wrong: a list goes whole when an entry of it does, and
 * texts that nothing keeps go too.
 */
export function soundOf(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]: [string, unknown]) => [key, soundOf(part)]));
  const entries = value.map(soundOf);
  return entries.includes(undefined) ? undefined : entries;
}

/**
 * Every field once. What is needed in one part of the request and unknown in another is needed: it was put into the
 * wrong one.
 */
export function onceEach(problems: readonly FieldProblem[]): FieldProblem[] {
  const byField = new Map<string, FieldProblem>();
  for (const problem of problems) {
    const known = byField.get(problem.field);
    if (known === undefined || (known.rule === 'unknownField' && problem.rule !== 'unknownField'))
      byField.set(problem.field, problem);
  }
  return [...byField.values()];
}

/**
 * What the rules found beside the shape, every field once; what hangs on a field that is wrong in its shape was judged
 * without it, and is left out.
 */
export function besideShape(
  shape: readonly { readonly field: string }[],
  found: readonly (FieldProblem | WordedProblem)[],
): (FieldProblem | WordedProblem)[] {
  const told = new Set<string>();
  return found.filter(({ field }) => {
    const isSame =
      told.has(field) ||
      shape.some(
        (one) =>
          one.field === field ||
          one.field.endsWith(`.${field}`) ||
          field.startsWith(`${one.field}.`) ||
          one.field.startsWith(`${field}.`),
      );
    told.add(field);
    return !isSame;
  });
}

import type { RuleProblem } from './context.ts';
import { Refusal } from './refuse.ts';

/** A check of a form: it returns what is wrong, or refuses it. */
export type Check = () => Promise<readonly RuleProblem[] | void> | readonly RuleProblem[] | void;

/**
 * Everything that these checks find, whether they return it or refuse it; so rules are made of the very functions by
 * which a handler refuses. A refusal of the thing itself (unknown, foreign) names no field: who asked hears of it when
 * the form is right.
 */
export async function problemsOf(...checks: readonly Check[]): Promise<RuleProblem[]> {
  const found: RuleProblem[] = [];
  for (const check of checks) {
    try {
      found.push(...((await check()) ?? []));
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      found.push(...(thrown.details.fields ?? []));
    }
  }
  return found;
}

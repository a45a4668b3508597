import { namesIn } from '../../../../catalogue/locales/index.ts';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { refuseFields, type Refusal, type WordedProblem } from './refuse.ts';

/** What the catalogue found wrong with an input, in the catalogue's words. */
export const wordedProblems = (problems: readonly Problem[]): WordedProblem[] =>
  problems.map(({ field, rule, params }) => ({
    field: field.slice(0, 200),
    rule,
    say: (language) => namesIn(language).rule(rule, params),
  }));

/** Refuses an input by what the catalogue found wrong with it: every field at once. */
export const refuseProblems = (problems: readonly Problem[]): Refusal => refuseFields(...wordedProblems(problems));

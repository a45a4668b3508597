import { namesIn } from '../../../../catalogue/locales/index.ts';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { refuseFields, type Refusal } from './refuse.ts';

/** Refuses an input by what the catalogue found wrong with it: every field at once, in the catalogue's words. */
export const refuseProblems = (problems: readonly Problem[]): Refusal => refuseFields(...problems.map(({ field, rule, params }) => ({
  field: field.slice(0, 200), rule, say: (language: Parameters<typeof namesIn>[0]) => namesIn(language).rule(rule, params),
})));

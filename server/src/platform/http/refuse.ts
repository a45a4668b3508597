import type { Language } from '../../../../catalogue/languages.ts';
import { errors, type ErrorName } from '../../../../contract/errors.ts';
import type { Placeholders } from './texts/index.ts';

/**
 * One offending field by its name on the wire; the message is made in the caller's language from `rule` and `values`.
 */
export interface FieldProblem {
  readonly field: string;
  readonly rule: RuleName;
  readonly values?: TextValues;
}

/** The same for a rule whose words stand elsewhere, as the catalogue's do. */
export interface WordedProblem {
  readonly field: string;
  readonly rule: string;
  readonly say: (language: Language) => string;
}

/** The rules whose texts stand in the locale files under `rules`. */
export type RuleName =
  | 'required'
  | 'type'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'format'
  | 'pattern'
  | 'enum'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'unknownField'
  | 'invalid'
  | 'taken'
  | 'notFound';

/** What fills the placeholders of a text; a function is asked in the caller's language. */
export type TextValues = Readonly<Record<string, string | number | ((language: Language) => string)>>;

export interface RefusalDetails {
  readonly fields?: readonly (FieldProblem | WordedProblem)[];
  /** Put into the problem body beside its usual members (attempts, lockoutTime …). */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Says more than the catalogue's title; for calls whose clients show the title alone (specified 6.7). */
  readonly title?: (language: Language) => string;
  /** A `detail` that is the same in every language, because clients compare it. */
  readonly detail?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An HTTP status other than the catalogue's, where the specification wants one. */
  readonly status?: number;
}

/** An expected refusal: its code, status and text come from the error catalogue. */
export class Refusal extends Error {
  readonly code: ErrorName;
  readonly values: TextValues;
  readonly details: RefusalDetails;
  constructor(code: ErrorName, values: TextValues, details: RefusalDetails) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.values = values;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? errors[this.code].status;
  }
}

/** What the texts of a refusal cannot do without, of several of all of them; nothing where it may be any. */
type Needed<Code extends ErrorName> = ErrorName extends Code
  ? never
  : Placeholders[Extract<keyof Placeholders, `errors.${Code}.${string}`>];
type Values<Code extends ErrorName> = TextValues & Readonly<Record<Needed<Code>, TextValues[string]>>;

/**
 * `throw refuse('changedMeanwhile')`: an expected refusal by its name in contract/errors.ts, with what fills the
 * placeholders of its texts.
 */
export function refuse<const Code extends ErrorName>(
  code: Code,
  ...[values = {}, details = {}]: [Needed<Code>] extends [never]
    ? [TextValues?, RefusalDetails?]
    : [Values<Code>, RefusalDetails?]
): Refusal {
  return new Refusal(code, values, details);
}

/** A caller without a right: any of these codes would do. The body has them as `permissions`, beside the text. */
export function refuseWithout(...codes: readonly string[]): Refusal {
  return new Refusal('missingPermission', { permission: codes.join(', ') }, { body: { permissions: codes } });
}

/** A refused input: every offending field at once. */
export function refuseFields(...fields: (FieldProblem | WordedProblem)[]): Refusal {
  return new Refusal('invalidInput', {}, { fields });
}

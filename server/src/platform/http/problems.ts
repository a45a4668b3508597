import type { Language } from '../../../../catalogue/languages.ts';
import { errors } from '../../../../contract/errors.ts';
import { texts, fill } from './texts.ts';
import type { Refusal } from './refuse.ts';

/** An RFC 9457 problem body, filled so that every known client finds its text (specified 10.6). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly path: string;
  readonly message: string;
  readonly msg: string;
  readonly code: number;
  readonly params: readonly { field: string; rule: string; message: string }[];
  readonly requestId: string;
}

/** The problem body of a refusal in the caller's language; `path` is the request's path without its query. */
export function problemOf(refusal: Refusal, language: Language, path: string, requestId: string): Problem {
  const { title, detail } = texts(language).errors[refusal.code];
  const message = fill(language, detail ?? title, refusal.values);
  return {
    ...refusal.details.body,
    type: `urn:lampyris:problem:${refusal.code}`,
    title: refusal.details.title?.(language) ?? fill(language, title, refusal.values),
    status: refusal.status,
    detail: refusal.details.detail ?? message,
    path,
    message,
    msg: message,
    code: errors[refusal.code].code,
    params: (refusal.details.fields ?? []).map((problem) => ({
      field: problem.field,
      rule: problem.rule,
      message:
        'say' in problem
          ? problem.say(language)
          : fill(language, texts(language).rules[problem.rule], problem.values ?? {}),
    })),
    requestId,
  };
}

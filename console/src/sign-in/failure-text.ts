import { errors } from '../../../contract/errors.ts';
import { durationText } from './duration.ts';
import type { Outcome } from './request.ts';
import type { Texts } from './texts.ts';

type Failure = Exclude<Outcome<unknown>, { kind: 'done' }>;

const positive = (value: unknown): number | undefined => (Number(value) > 0 ? Number(value) : undefined);

/** The server's own words, in whichever field it or a proxy put them. */
function serverMessage({ problem }: Extract<Failure, { kind: 'refused' }>): string | undefined {
  return [problem.message, problem.msg, problem.detail, problem.title].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}

/** What a failed sign-in says (specified 1.5). */
export function loginFailureText(texts: Texts, failure: Failure): string {
  if (failure.kind === 'late') return texts('networkTimeout');
  if (failure.kind === 'offline') return texts('networkError');
  const { status, problem } = failure;
  if (status === 401) {
    const attempts = positive(problem.attempts);
    if (attempts !== undefined) return texts.counted('attemptsLeft', attempts);
    const seconds = positive(problem.lockoutTime);
    if (seconds !== undefined) return texts('locked', { duration: durationText(texts, seconds) });
  }
  if (status === 400) return texts('userUnknown');
  // Our own failures are 500 too and say so by their code; calling those a wrong captcha would send the operator in
  // circles.
  if (status === 500 && problem.code !== errors.internal.code) return texts('captchaWrong');
  return otherFailure(texts, failure);
}

function otherFailure(texts: Texts, failure: Extract<Failure, { kind: 'refused' }>): string {
  const message =
    serverMessage(failure) ??
    (failure.status === 429 && failure.retryAfter !== undefined
      ? texts('tooManyTries', { duration: durationText(texts, failure.retryAfter) })
      : undefined);
  return message === undefined ? texts('loginFailedPlain') : texts('loginFailed', { message });
}

/** What a failed password change says; `msg` is the answer of a call that went through without a token. */
export function updateFailureText(texts: Texts, failure: Failure | { kind: 'done'; msg: string }): string {
  if (failure.kind === 'late') return texts('networkTimeout');
  if (failure.kind === 'offline') return texts('networkError');
  const message = failure.kind === 'done' ? failure.msg : (serverMessage(failure) ?? String(failure.status));
  return texts('updateFailed', { message });
}

import type { Would } from '../../../../contract/dry-run.ts';
import type { RouteShape } from '../../../../contract/route.ts';
import { InTurn } from '../in-turn.ts';
import { refuse, type FieldProblem } from './refuse.ts';

/** Runs a handler without any effect, and counts what it would change. */
export type DryRun = <T>(work: () => Promise<T>) => Promise<{ readonly answer: T; readonly would: Would }>;

const field = 'dryRun';

/**
 * Takes the wish for a dry run out of the query of a call. A call that cannot be tried refuses it by name, also one that
 * ignores other unknown fields: it is never done for real instead.
 */
export function readDryRun(
  { method, dryRun }: RouteShape,
  query: unknown,
): { readonly isDry: boolean; readonly query: unknown; readonly problems: readonly FieldProblem[] } {
  if (method === 'GET' || typeof query !== 'object' || query === null || !Object.hasOwn(query, field))
    return { isDry: false, query, problems: [] };
  const { [field]: wish, ...rest } = query as Readonly<Record<string, unknown>>;
  const problem: FieldProblem | undefined =
    dryRun !== true
      ? { field, rule: 'unknownField' }
      : wish === '1'
        ? undefined
        : { field, rule: 'enum', values: { options: '1' } };
  return { isDry: problem === undefined, query: rest, problems: problem ? [problem] : [] };
}

/** Dry runs of one account that wait for its one under way; a form asks for one as it rests. */
const mostWaiting = 20;

/**
 * Dry runs of an account come one after the other, so that none keeps others from theirs; whose caller has gone
 * meanwhile is left out.
 */
export function createDryTurns(dryRun: DryRun) {
  const turns = new InTurn(1);
  const tooMany = () => refuse('tooManyTries', { seconds: 1 }, { headers: { 'retry-after': '1' } });
  return async <T>(accountId: number, isGone: () => boolean, work: () => Promise<T>) => {
    const key = String(accountId);
    if (turns.waiting(key) >= mostWaiting) throw tooMany();
    return turns.run(key, async () => {
      if (isGone()) throw tooMany();
      return dryRun(work);
    });
  };
}

/** The body of the answer of a dry run. */
export const dryAnswer = (
  { status, replyKind }: RouteShape,
  { answer, would }: { readonly answer: unknown; readonly would: Would },
): string =>
  JSON.stringify({
    dryRun: true,
    status: status ?? (replyKind === 'empty' ? 204 : 200),
    would,
    answer: replyKind === 'empty' ? null : (answer ?? null),
  });

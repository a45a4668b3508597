import { refuseProblems } from '../../platform/http/index.ts';

const sqlState = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : undefined;

/** Runs a change; a code that somebody else has already (unique_violation) becomes a problem of that field. */
export async function translateTaken<T>(field: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (sqlState(thrown) === '23505') throw refuseProblems([{ field, rule: 'taken' }]);
    throw thrown;
  }
}

import { createStore } from 'zustand/vanilla';
import { errors } from '../../../../contract/errors.ts';
import { wantsCount, type ApiError } from '../../api/index.ts';

/**
 * What the server wants from the operator before it does something: his own password again, or the number of lamps that
 * he is about to darken.
 */
export type Need = { kind: 'password' } | { kind: 'count'; count: number; text: string };
type Answer = Readonly<Record<string, unknown>> | undefined;
export interface Asked {
  readonly need: Need;
  readonly answer: (given: Answer) => void;
  readonly waiting: Promise<Answer>;
}

export const needs = createStore<{ current: Asked | undefined }>(() => ({ current: undefined }));

function needOf(error: ApiError): Need | undefined {
  if (error.code === errors.confirmNeeded.code) return { kind: 'password' };
  const count = error.problem?.['count'];
  return wantsCount(error) && typeof count === 'number' ? { kind: 'count', count, text: error.message } : undefined;
}

/**
 * Asks for what a refused call needs; resolves with what is added to its body, undefined when there is nothing to give
 * or the operator gave up. Several calls that want the password wait for one dialog.
 */
export function askNeeded(error: ApiError): Promise<Answer> {
  const need = needOf(error);
  if (!need) return Promise.resolve(undefined);
  const { current } = needs.getState();
  if (current && current.need.kind === 'password' && need.kind === 'password') return current.waiting;
  current?.answer(undefined);
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const answer = (given: Answer): void => {
    needs.setState({ current: undefined });
    resolve(given);
  };
  needs.setState({ current: { need, answer, waiting: promise } });
  return promise;
}

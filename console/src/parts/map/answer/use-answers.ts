import { useRef, useState } from 'react';
import { testBaseMap } from '../../../../../contract/shell/base-maps.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { call } from '../../../api/index.ts';

type Answer = ReplyOf<typeof testBaseMap>;
export interface Outcome {
  readonly isRunning: boolean;
  /** The last one; while the next is on its way it is still there. */
  readonly answer?: Answer;
  readonly failure?: unknown;
}

/**
 * What map services answered, each by a number of its own. Of several questions to one the last counts, however long an
 * older one takes.
 */
export function useAnswers() {
  const [outcomes, setOutcomes] = useState<Readonly<Record<number, Outcome>>>({});
  const asking = useRef(new Map<number, AbortController>());
  const note = (id: number, outcome: (before: Outcome | undefined) => Outcome): void =>
    setOutcomes((before) => ({ ...before, [id]: outcome(before[id]) }));
  const ask = async (id: number, body: BodyOf<typeof testBaseMap>): Promise<void> => {
    asking.current.get(id)?.abort();
    const own = new AbortController();
    asking.current.set(id, own);
    note(id, (before) => ({ isRunning: true, ...(before?.answer ? { answer: before.answer } : {}) }));
    let outcome: Outcome;
    try {
      outcome = { isRunning: false, answer: await call(testBaseMap, { body }, { quiet: true, signal: own.signal }) };
    } catch (failure) {
      outcome = { isRunning: false, failure };
    }
    if (!own.signal.aborted) note(id, () => outcome);
  };
  return { outcomes, ask };
}

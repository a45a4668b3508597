import { StateMark } from '../index.ts';
import { phaseMarks, usePublicationWords, type Publication } from './words.ts';

/** Where a publication stands: colour, shape and word. One that is over with lamps that do otherwise is marked so. */
export function PhaseMark({ of: { phase, states, judged } }: { of: Publication }) {
  const words = usePublicationWords();
  const { missed, decision } = words.marks;
  if (phase === 'done' && (states['diverged'] ?? 0) > 0) return <StateMark state="alarm" word={missed} />;
  if (phase === 'judging' && judged?.passed === true) return <StateMark state="info" word={decision} />;
  return <StateMark state={phaseMarks[phase]} word={words.phase(phase)} />;
}

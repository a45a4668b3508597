import { useState } from 'react';
import { session } from '../../../session/index.ts';
import type { Import, Plan } from './plan.ts';

const keyOf = (id: number): string => `import-plan.${id}`;

function stored(one: Import): Plan | undefined {
  const text = session.get(keyOf(one.id));
  if (text === null) return undefined;
  try {
    const { of, plan } = JSON.parse(text) as { of: string; plan: Plan };
    // Another sheet or encoding was chosen since, or the plan was said again: the draft is about something else.
    return of === sourceOf(one) ? plan : undefined;
  } catch {
    return undefined;
  }
}
const sourceOf = (one: Import): string =>
  JSON.stringify([
    one.format.sheet,
    one.format.encoding,
    one.format.delimiter,
    one.task?.id ?? null,
    one.columns.length,
  ]);

/** The plan as it is being made: kept in this window until a check takes it, so that a reload loses nothing. */
export function useDraft(one: Import): {
  plan: Plan;
  changed: boolean;
  change: (plan: Plan) => void;
  drop: () => void;
} {
  const source = sourceOf(one);
  const [draft, setDraft] = useState<{ of: string; plan: Plan } | null>(() => {
    const plan = stored(one);
    return plan ? { of: source, plan } : null;
  });
  const current = draft?.of === source ? draft.plan : undefined;
  return {
    plan: current ?? one.plan,
    changed: current !== undefined,
    change: (plan) => {
      setDraft({ of: source, plan });
      session.set(keyOf(one.id), JSON.stringify({ of: source, plan }));
    },
    drop: () => {
      setDraft(null);
      session.remove(keyOf(one.id));
    },
  };
}

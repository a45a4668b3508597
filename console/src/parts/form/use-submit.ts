import { useRef, useState } from 'react';

/**
 * Runs one attempt at a time. `busy` from the start until it failed; after a success (`kind: 'saved'`) it stays, the
 * page closes (specified 2.9). A second submit meanwhile is `null`.
 */
export function useSubmit<O extends { kind: string }, A extends unknown[] = []>(
  attempt: (...what: A) => Promise<O>,
): { busy: boolean; submit: (...what: A) => Promise<O | null> } {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  return {
    busy,
    async submit(...what) {
      if (running.current) return null;
      running.current = true;
      setBusy(true);
      let saved = false;
      try {
        const outcome = await attempt(...what);
        saved = outcome.kind === 'saved';
        return outcome;
      } finally {
        if (!saved) {
          running.current = false;
          setBusy(false);
        }
      }
    },
  };
}

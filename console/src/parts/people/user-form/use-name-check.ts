import { useEffect, useRef, useState } from 'react';
import { userExists } from '../../../../../contract/specified/users.ts';
import { call } from '../../../api/index.ts';

/** The three ends of asking whether an account name is taken (specified 3.5), and the time until one of them. */
export type NameState = 'checking' | 'free' | 'taken' | 'failed';
/** Specified 11.2. */
const debounceMs = 200;

export interface NameCheck {
  /** What is known of the name that was asked for last. */
  state: NameState | undefined;
  /** Asks soon, once, for the name that was left. */
  soon(name: string): void;
  /** Asks now, unless the name is known to be free. */
  now(name: string): Promise<Exclude<NameState, 'checking'>>;
  /** The name is being typed again: what was asked no longer counts. */
  forget(): void;
}

/** Asks the server about account names; only the answer to the last question counts, whenever it comes. */
export function useNameCheck(): NameCheck {
  const [known, setKnown] = useState<{ name: string; state: NameState }>();
  const turn = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function ask(given: string): Promise<Exclude<NameState, 'checking'>> {
    clearTimeout(timer.current);
    const name = given.trim().normalize('NFC');
    if (known?.name === name && known.state === 'free') return 'free';
    turn.current += 1;
    const own = turn.current;
    setKnown({ name, state: 'checking' });
    const state = await call(userExists, { query: { username: name } }, { quiet: true }).then(
      ({ success }) => (success ? ('taken' as const) : ('free' as const)),
      () => 'failed' as const,
    );
    if (own === turn.current) setKnown({ name, state });
    return state;
  }
  return {
    state: known?.state,
    soon(name) {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void ask(name), debounceMs);
    },
    now: ask,
    forget() {
      clearTimeout(timer.current);
      turn.current += 1;
      setKnown(undefined);
    },
  };
}

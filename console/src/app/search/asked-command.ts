import { createStore } from 'zustand/vanilla';
import type { Ask } from '../../parts/commands/commands.ts';
import type { Scope } from '../../parts/commands/send/ScopeFields.tsx';

/** A command that was put together in the search and is not confirmed yet. */
export interface AskedCommand {
  readonly start: Ask;
  /** null: the operator still chooses. */
  readonly scope: Scope | null;
}

/** `times`: how often one was asked for; another one has a dialog of its own. */
export const askedCommand = createStore<{ current: AskedCommand | null; times: number }>(() => ({
  current: null,
  times: 0,
}));
export const askCommand = (current: AskedCommand | null): void =>
  askedCommand.setState(({ times }) => ({ current, times: times + 1 }));

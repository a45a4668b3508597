import { createStore } from 'zustand/vanilla';

/**
 * Work that was begun in this window and has not ended: somebody waits for it in front of the dialog that began it (`waiting`), or
 * went on and is told.
 */
export const begun = createStore<ReadonlyMap<number, 'waiting' | 'left'>>(() => new Map());

/** Notes that work was begun here: its end is told, or its file saved while its dialog waits. */
export function noteBegun(id: number, how: 'waiting' | 'left' = 'left'): void {
  begun.setState(new Map(begun.getState()).set(id, how), true);
}

/** The dialog was closed: what it began is told when it ends. */
export function leaveBegun(): void {
  begun.setState(new Map([...begun.getState().keys()].map((id) => [id, 'left'])), true);
}

/** Takes note of an end; undefined for what was not begun here. */
export function takeBegun(id: number): 'waiting' | 'left' | undefined {
  const how = begun.getState().get(id);
  if (how !== undefined) begun.setState(new Map([...begun.getState()].filter(([other]) => other !== id)), true);
  return how;
}

import { createStore } from 'zustand/vanilla';

/**
 * Somebody waits for it in front of the dialog (`waiting`) or has the page open (`page`) that began it: its file is
 * saved; or went on (`left`) and is told.
 */
export type Begun = 'waiting' | 'page' | 'left';

/** Work that was begun in this window and has not ended. */
export const begun = createStore<ReadonlyMap<number, Begun>>(() => new Map());

/** Notes that work was begun here: its end is told, or its file saved while its dialog waits. */
export function noteBegun(id: number, how: Begun = 'left'): void {
  begun.setState(new Map(begun.getState()).set(id, how), true);
}

/** The dialog was closed, or the page that began `ids`: that is told when it ends. */
export function leaveBegun(ids?: readonly number[]): void {
  const isLeft = ids === undefined ? (_id: number, how: Begun) => how === 'waiting' : (id: number) => ids.includes(id);
  begun.setState(new Map([...begun.getState()].map(([id, how]) => [id, isLeft(id, how) ? 'left' : how])), true);
}

/** Takes note of an end; undefined for what was not begun here. */
export function takeBegun(id: number): Begun | undefined {
  const how = begun.getState().get(id);
  if (how !== undefined) begun.setState(new Map([...begun.getState()].filter(([other]) => other !== id)), true);
  return how;
}

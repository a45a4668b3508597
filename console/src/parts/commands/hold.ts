import { createStore } from 'zustand/vanilla';

/** A command to more lamps than this waits before it is sent. */
export const heldAbove = 20;
/** For so long it can be undone (ms). */
export const heldMs = 3_000;

export interface HeldCommand {
  readonly id: number;
  /** What it does, as its dialog says it. */
  readonly what: string;
  readonly lamps: number;
  /** When it is sent, by the browser's clock (epoch ms). */
  readonly sendsAt: number;
}

interface Waiting extends HeldCommand {
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * Commands that wait behind the undo bar, oldest first. They belong to the window, not to the page that made them: the
 * operator may go on to another page meanwhile.
 */
export const heldCommands = createStore<readonly Waiting[]>(() => []);
let nextId = 1;

const take = (id: number): Waiting | undefined => {
  const found = heldCommands.getState().find((one) => one.id === id);
  if (found) {
    clearTimeout(found.timer);
    heldCommands.setState(
      heldCommands.getState().filter((one) => one !== found),
      true,
    );
  }
  return found;
};

/** Calls `send` after `heldMs`, once, unless it is undone before. */
export function holdCommand(what: string, lamps: number, send: () => void): void {
  const id = nextId++;
  const timer = setTimeout(() => {
    if (take(id)) send();
  }, heldMs);
  heldCommands.setState([...heldCommands.getState(), { id, what, lamps, sendsAt: Date.now() + heldMs, timer }], true);
}

/** The command is never sent. False: it had been, or was undone already. */
export const undoCommand = (id: number): boolean => take(id) !== undefined;

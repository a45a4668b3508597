import { createStore } from 'zustand/vanilla';

/** A command to more lamps than this waits before it is sent. */
export const heldAbove = 20;
/** For so long it can be undone (ms). */
export const heldMs = 3_000;
/** So much later than it was due it is not sent any more (ms): the computer slept meanwhile. */
export const lateMs = 30_000;

export interface HeldCommand {
  readonly id: number;
  /** What it does, as its dialog says it. */
  readonly what: string;
  readonly lamps: number;
  /** The task that it retries, resumes or agrees to; undefined: it makes one. */
  readonly task?: number | undefined;
  /** When it is sent, by the browser's clock (epoch ms). */
  readonly sendsAt: number;
}

/** What becomes of a held command that nobody undoes: exactly one of them is called, once. */
export interface HeldEnds {
  /** Resolves when the server has answered, or did not; never rejects. */
  readonly send: () => Promise<void>;
  readonly notSent: (why: NotSent) => void;
}

/** `late`: its time is long over. `dropped`: the session ended. */
export type NotSent = 'late' | 'dropped';

interface Waiting extends HeldCommand, HeldEnds {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly over: (notSent: NotSent | undefined) => void;
}

/** Of each held command: it waits, or its answer has not come. */
const open = new Set<Promise<NotSent | undefined>>();

/**
 * Resolves when each command that is held now was undone, or was sent and answered: what is sent then comes after them
 * on every lamp. Answers why one of them could not be sent, which holds for what waited for it, too.
 */
export const heldOver = async (): Promise<NotSent | undefined> => (await Promise.all(open)).find(Boolean);

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

/** Calls `send` after `heldMs`, once, unless it is undone or dropped before. */
export function holdCommand(about: Pick<HeldCommand, 'what' | 'lamps' | 'task'>, ends: HeldEnds): void {
  const id = nextId++;
  const sendsAt = Date.now() + heldMs;
  const { promise, resolve: over } = Promise.withResolvers<NotSent | undefined>();
  open.add(promise);
  void promise.then(() => open.delete(promise));
  const timer = setTimeout(() => {
    if (take(id) === undefined) return;
    if (Date.now() > sendsAt + lateMs) {
      ends.notSent('late');
      over('late');
    } else void ends.send().then(() => over(undefined));
  }, heldMs);
  heldCommands.setState([...heldCommands.getState(), { ...about, ...ends, id, sendsAt, timer, over }], true);
}

/** The command is never sent. False: it had been, or was undone already. */
export function undoCommand(id: number): boolean {
  const found = take(id);
  found?.over(undefined);
  return found !== undefined;
}

/**
 * The session ends or becomes another account's: nothing that waits is sent, and each says so. Returns what they would
 * have done.
 */
export function dropHeld(): string[] {
  return heldCommands.getState().map(({ id, what, notSent, over }) => {
    take(id);
    notSent('dropped');
    over('dropped');
    return what;
  });
}

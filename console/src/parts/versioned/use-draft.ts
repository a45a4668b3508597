import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, callKey } from '../../api/index.ts';
import { useProblemWords } from '../plan/use-problem-words.ts';
import type { Difference, Item, Kind } from './kind.ts';
import { valueAt, withValueAt } from './paths.ts';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
/** Paths of problems as the server names them begin at the body. */
const inContent = (field: string): string => field.replace(/^content\./, '');

/** Asks anew for what a change made old. */
export function useRefresh(kind: Pick<Kind<never>, 'routes'>): () => void {
  const client = useQueryClient();
  return () => {
    for (const route of kind.routes) void client.invalidateQueries({ queryKey: callKey(route) });
  };
}

/**
 * The draft of one item as it is edited: all problems at once by path, the row's version sent along, and after a
 * conflict the three-way difference.
 */
export function useDraft<C extends object>(kind: Kind<C>, item: Item<C>) {
  const words = useProblemWords();
  const refresh = useRefresh(kind);
  const [stored, setStored] = useState(item);
  const before = stored.content ?? kind.fresh;
  const [content, setContent] = useState(before);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [difference, setDifference] = useState<Difference<C> | null>(null);
  const [busy, setBusy] = useState(false);
  const changed = !isSame(content, before);
  // What the server has moved on to while nothing was typed here is shown.
  if (!changed && !busy && item.version > stored.version) {
    setStored(item);
    setContent(item.content ?? kind.fresh);
  }
  const put = (next: Item<C>): void => {
    setStored(next);
    setContent(next.content ?? kind.fresh);
    setProblems({});
    setFailure(null);
    setDifference(null);
    refresh();
  };
  const refused = (error: ApiError): void => {
    const told = error.problem?.['difference'];
    if (error.status === 409 && typeof told === 'object' && told !== null) return setDifference(told as Difference<C>);
    setProblems(Object.fromEntries(Object.entries(error.fieldErrors).map(([field, text]) => [inContent(field), text])));
    setFailure(error);
  };
  /** Runs one change of the item at a time; what it answers is the item from then on. */
  async function run(change: () => Promise<Item<C>>): Promise<Item<C> | null> {
    if (busy) return null;
    setBusy(true);
    setFailure(null);
    try {
      const next = await change();
      put(next);
      return next;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      refused(cause);
      return null;
    } finally {
      setBusy(false);
    }
  }
  return {
    item: stored,
    content,
    problems,
    failure,
    difference,
    busy,
    changed,
    change(next: C): void {
      setContent(next);
      // What was said of a field holds until it is judged anew; the rest stays beside its fields.
      if (Object.keys(problems).length > 0) setProblems(words(kind.problemsOf(next)));
    },
    undo(): void {
      setContent(before);
      setProblems({});
      setFailure(null);
    },
    /** Judges the content; the paths that are wrong, shown from then on. */
    check(): string[] {
      const found = words(kind.problemsOf(content));
      setProblems(found);
      return Object.keys(found);
    },
    run,
    save: (): Promise<Item<C> | null> => run(() => kind.save(stored.id, { version: stored.version, content })),
    /** After a conflict: theirs, with the paths that this one keeps. */
    settle(keepMine: readonly string[]): void {
      if (difference === null) return;
      const { theirs, mine, version } = difference;
      const from = theirs ?? kind.fresh;
      setStored({ ...stored, version, content: theirs });
      setContent(keepMine.reduce((next, path) => withValueAt(next, path, valueAt(mine, path)), from));
      setDifference(null);
    },
  };
}
export type Draft<C extends object> = ReturnType<typeof useDraft<C>>;

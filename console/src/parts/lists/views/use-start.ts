import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { holdBack } from '../../../api/index.ts';
import type { ListAddress } from '../use-list-address.ts';
import { conditionsOf, isUntouched, type View } from './view.ts';

/** Rows wait at most so long for the saved views, ms. */
const WAIT_MS = 400;

interface Start {
  /** The list has saved views. */
  readonly enabled: boolean;
  /** The saved views are there, or were refused. */
  readonly known: boolean;
  /** The view that the list begins with. */
  readonly first: View | undefined;
  readonly address: ListAddress;
  /** Of the answer with the list's rows. */
  readonly refetch: object;
}

/**
 * Begins an untouched list with its start view, and holds the call of its rows back until the saved views are known, at
 * most 400 ms. A view that comes later begins the list all the same, unless the operator asked something meanwhile.
 * Answers whether the rows wait.
 */
export function useStart({ enabled, known, first, address, refetch }: Start): boolean {
  const [isOpen, setOpen] = useState(() => enabled && isUntouched(address));
  const [late, setLate] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const begin = useEffectEvent(() => {
    setOpen(false);
    if (!first || !isUntouched(address)) return;
    setLeaving(true);
    address.apply(conditionsOf(first));
  });
  useEffect(() => {
    if (isOpen && known) begin();
  }, [isOpen, known]);
  // The address has the conditions: when it is bare again, the operator wants all rows, and they wait no more.
  if (leaving && !isUntouched(address)) setLeaving(false);
  // The rows wait until the address has the conditions, too.
  const waits = !late && (isOpen || (leaving && isUntouched(address)));
  const [gate] = useState(() => Promise.withResolvers<void>());
  // Before the effects of the page, one of which sends the call.
  useLayoutEffect(() => {
    if (waits) holdBack(refetch, gate.promise);
  }, [waits, refetch, gate]);
  useEffect(() => {
    if (!waits) {
      gate.resolve();
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), WAIT_MS);
    return () => {
      clearTimeout(timer);
      gate.resolve();
    };
  }, [waits, gate]);
  return waits;
}

import { lazy, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { heldCommands } from '../../parts/commands/hold.ts';
import { PartHost } from '../errors/PartHost.tsx';

// Made anew after a failure: one whose code did not come fails for ever.
const newBar = () => lazy(() => loadChunk('undo', () => import('./UndoBar.tsx')));

/** The bar over whatever page is shown, while commands wait; once in the shell. A bar that cannot be shown delays nothing. */
export function UndoHost() {
  const any = useStore(heldCommands, (held) => held.length > 0);
  const [UndoBar, setBar] = useState(newBar);
  const [failed, setFailed] = useState(false);
  if (failed && !any) {
    setFailed(false);
    setBar(newBar);
  }
  const askedAt = useRef<Element | null>(null);
  useEffect(
    () =>
      heldCommands.subscribe((held, before) => {
        if (held.length > before.length) askedAt.current = document.activeElement;
      }),
    [],
  );
  return <PartHost onFailed={() => setFailed(true)}>{any && !failed ? <UndoBar askedAt={askedAt} /> : null}</PartHost>;
}

import { lazy, useState } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { heldCommands } from '../../parts/commands/hold.ts';
import { PartHost } from '../errors/PartHost.tsx';

const UndoBar = lazy(() => loadChunk('undo', () => import('./UndoBar.tsx')));

/** The bar over whatever page is shown, while commands wait; once in the shell. A bar that cannot be shown delays nothing. */
export function UndoHost() {
  const any = useStore(heldCommands, (held) => held.length > 0);
  const [failed, setFailed] = useState(false);
  return <PartHost onFailed={() => setFailed(true)}>{any && !failed ? <UndoBar /> : null}</PartHost>;
}

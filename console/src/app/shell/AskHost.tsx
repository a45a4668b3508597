import { lazy } from 'react';
import { useStore } from 'zustand';
import { asked } from '../../frame/ask.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { PartHost } from '../errors/PartHost.tsx';

const AskDialog = lazy(() => loadChunk('ask', () => import('./AskDialog.tsx')));

/** Shows the question that is asked; its code comes with the first one. */
export function AskHost() {
  const current = useStore(asked, (state) => state.current);
  return (
    <PartHost onFailed={() => asked.getState().current?.answer(false)}>
      {current ? <AskDialog {...current} /> : null}
    </PartHost>
  );
}

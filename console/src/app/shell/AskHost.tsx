import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { asked } from '../../frame/ask.ts';
import { loadChunk } from '../errors/load-screen.ts';

const AskDialog = lazy(() => loadChunk('ask', () => import('./AskDialog.tsx')));

/** Shows the question that is asked; its code comes with the first one. */
export function AskHost() {
  const current = useStore(asked, (state) => state.current);
  return <Suspense fallback={null}>{current ? <AskDialog {...current} /> : null}</Suspense>;
}

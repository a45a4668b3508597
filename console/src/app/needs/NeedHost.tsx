import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../errors/load-screen.ts';
import { needs } from './needs.ts';

const NeedDialog = lazy(() => loadChunk('needs', () => import('./NeedDialog.tsx')));

/**
 * The dialogs of what the server wants from the operator before it does something; the call that was refused is then
 * sent again.
 */
export function NeedHost() {
  const current = useStore(needs, (state) => state.current);
  return <Suspense fallback={null}>{current ? <NeedDialog {...current} /> : null}</Suspense>;
}

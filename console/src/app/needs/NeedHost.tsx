import { lazy } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { needs } from './needs.ts';

const NeedDialog = lazy(() => loadChunk('needs', () => import('./NeedDialog.tsx')));

/**
 * The dialogs of what the server wants from the operator before it does something; the call that was refused is then
 * sent again.
 */
export function NeedHost() {
  const current = useStore(needs, (state) => state.current);
  return (
    <PartHost onFailed={() => needs.getState().current?.answer(undefined)}>
      {current ? <NeedDialog {...current} /> : null}
    </PartHost>
  );
}

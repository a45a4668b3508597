import { lazy } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { PartHost } from '../errors/PartHost.tsx';
import { askCommand, askedCommand } from './asked-command.ts';

const SearchCommand = lazy(() => loadChunk('search-command', () => import('./SearchCommand.tsx')));

/** Asks, over whatever page is shown, for the confirmation of a command that was chosen in the search. */
export function CommandHost() {
  const { current, times } = useStore(askedCommand);
  return (
    <PartHost onFailed={() => askCommand(null)}>
      {current ? <SearchCommand key={times} asked={current} /> : null}
    </PartHost>
  );
}

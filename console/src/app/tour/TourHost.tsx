import { lazy } from 'react';
import { useStore } from 'zustand';
import { loadChunk } from '../../api/load-chunk.ts';
import { showTour, tourShown } from '../../parts/tour/index.ts';
import { PartHost } from '../errors/PartHost.tsx';

const TourDrawer = lazy(() => loadChunk('tour', () => import('./TourDrawer.tsx')));

/** The list of the tour over whatever page is shown; asks for nothing before it is opened. */
export function TourHost() {
  const open = useStore(tourShown, (state) => state.open);
  return <PartHost onFailed={() => showTour(false)}>{open ? <TourDrawer /> : null}</PartHost>;
}

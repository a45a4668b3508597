import { lazy, Suspense } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { FieldSoon } from './FieldSoon.tsx';
import type { RegionChoiceProps } from './RegionChoice.tsx';

export type { RegionProps } from './RegionChoice.tsx';

const RegionChoice = lazy(() => loadChunk('region', () => import('./RegionChoice.tsx')));

/** The choice of a region; its code comes with the first that is shown. */
export const RegionCascade = (props: RegionChoiceProps) => (
  <Suspense fallback={<FieldSoon />}>
    <RegionChoice {...props} />
  </Suspense>
);

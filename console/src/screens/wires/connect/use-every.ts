import { useLiveState } from '../../../api/index.ts';
import { usePermission } from '../../../frame/index.ts';

/**
 * Told of every change one still asks now and then: the server watches a line for ten minutes from the last question,
 * and what came before the topic was open was not told.
 */
const toldMs = 60_000;

/** How often a device on its way in is asked about again: by `aloneMs` while the live line does not tell of it. */
export function useEvery(aloneMs: number): number {
  const told = usePermission('lamp.monitor');
  const { state } = useLiveState();
  return told && state === 'live' ? toldMs : aloneMs;
}

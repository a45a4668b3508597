import { createStore } from 'zustand/vanilla';
import { getDemo } from '../../../../contract/shell/demo.ts';
import { useCall } from '../../api/index.ts';
import { useOpen, usePageExists, usePreference } from '../../frame/index.ts';
import { stepsOf, type Step } from './steps.ts';

/** Whether the list of the tour is shown. */
export const tourShown = createStore<{ open: boolean }>(() => ({ open: false }));
export const showTour = (open: boolean): void => tourShown.setState({ open });

interface Kept {
  /** Keys of what was looked at. */
  readonly seen: readonly string[];
  /** Put away from the home page. */
  readonly away: boolean;
}
const none: Kept = { seen: [], away: false };

function keptOf(stored: unknown): Kept {
  if (typeof stored !== 'object' || stored === null) return none;
  const { seen, away } = stored as { seen?: unknown; away?: unknown };
  return {
    seen: Array.isArray(seen) ? seen.filter((key): key is string => typeof key === 'string') : [],
    away: away === true,
  };
}

export interface Tour {
  readonly steps: readonly (Step & { readonly seen: boolean })[];
  readonly away: boolean;
  /** Opens the page of a step, which is seen then. */
  look(step: Step): void;
  setAway(away: boolean): void;
  again(): void;
}

/**
 * The tour of a demo city: what this account may open of it, and what it has seen, kept with its preferences. undefined:
 * there is no demo city, or not known yet. `asked`: false does not ask for it.
 */
export function useTour(asked = true): Tour | undefined {
  const demo = useCall(getDemo, undefined, { staleTime: 60_000, enabled: asked });
  const exists = usePageExists();
  const open = useOpen();
  const [kept, keep] = usePreference<Kept>('demoTour', none, keptOf);
  if (!demo.data?.active || demo.data.places === null) return undefined;
  const steps = stepsOf(demo.data.places)
    .filter(({ screen }) => exists(screen))
    .map((step) => ({ ...step, seen: kept.seen.includes(step.key) }));
  if (steps.length === 0) return undefined;
  return {
    steps,
    away: kept.away,
    look({ key, screen, options }) {
      if (!kept.seen.includes(key)) keep({ ...kept, seen: [...kept.seen, key] });
      showTour(false);
      open(screen, options);
    },
    setAway: (away) => keep({ ...kept, away }),
    again: () => keep({ ...kept, seen: [] }),
  };
}

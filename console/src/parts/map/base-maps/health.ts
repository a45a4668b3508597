import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

interface Count {
  readonly problem: string | null;
  readonly inARow: number;
  readonly ever: boolean;
}

/**
 * So many tiles in a row that did not come mean that the service does not answer; what is merely not there may be a
 * gap.
 */
const enough = 3;
const enoughGaps = 12;

const health = createStore<Record<number, Count>>(() => ({}));

/** Notes what became of a tile of a base map: null when it came. */
export function noteTile(mapId: number, problem: string | null): void {
  const before = health.getState()[mapId];
  if (problem === null && before?.inARow === 0 && before.ever) return;
  const same = before?.problem === problem;
  health.setState({
    [mapId]:
      problem === null
        ? { problem, inARow: 0, ever: true }
        : { problem, inARow: same ? before.inARow + 1 : 1, ever: before?.ever ?? false },
  });
}

/** Forgets what was, when somebody asks again. */
export const forgetTiles = (mapId: number): void =>
  health.setState({ [mapId]: { problem: null, inARow: 0, ever: false } });

export function failureOf(count: Count | undefined): string | null {
  if (!count || count.problem === null) return null;
  return count.problem === 'notFound'
    ? count.inARow >= enoughGaps && !count.ever
      ? count.problem
      : null
    : count.inARow >= enough
      ? count.problem
      : null;
}

/** Why a base map does not come, or null while it does. */
export const useMapFailure = (mapId: number | undefined): string | null =>
  useStore(health, (state) => (mapId === undefined ? null : failureOf(state[mapId])));
export const failureNow = (mapId: number): string | null => failureOf(health.getState()[mapId]);

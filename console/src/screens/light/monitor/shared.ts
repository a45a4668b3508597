import type { useMatchingCount } from './use-counts.ts';
import type { LampNews } from './lamp-news.ts';
import type { Selection } from './use-selection.ts';
import type { useLampField } from './use-lamps.ts';
import type { useView } from './view-state.ts';

/** What map and list have in common. */
export interface MonitorParts {
  view: ReturnType<typeof useView>['view'];
  put: ReturnType<typeof useView>['put'];
  setFilters: ReturnType<typeof useView>['setFilters'];
  lamps: ReturnType<typeof useLampField>;
  news: LampNews;
  selection: Selection;
  matching: ReturnType<typeof useMatchingCount>;
  canControl: boolean;
  hasMap: boolean;
  /** Tries once more whether this browser can draw the map. */
  tryMap: () => void;
  openLamp: (id: number | null) => void;
  /** Puts the focus into the drawer of the lamp that is open. */
  enterLamp: () => void;
  /** Control by road, group or controller. */
  onScope: () => void;
}

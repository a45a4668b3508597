import type { Map as MapLibreMap } from 'maplibre-gl';
import type { LampField } from './lamp-field.ts';

/** Changes are shown at most this often, ms. */
const refreshMs = 250;

/** Draws a map again after changes of the field that lies on it, many changes at once; not while paused. */
export class Redraw {
  map: MapLibreMap | null = null;
  private isPaused = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly unsubscribe: () => void;

  /** `onChange` hears of every change at once, also while paused. */
  constructor(field: LampField, onChange?: () => void) {
    this.unsubscribe = field.subscribe(() => {
      onChange?.();
      this.soon();
    });
  }

  get paused(): boolean {
    return this.isPaused;
  }

  /** A page in a hidden tab draws nothing; what changed meanwhile is taken over when it is shown again. */
  set paused(paused: boolean) {
    this.isPaused = paused;
    if (!paused) this.map?.triggerRepaint();
  }

  /** For good: what the map's context holds is freed by the layers' own `onRemove`. */
  dispose(): void {
    this.unsubscribe();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private soon(): void {
    if (this.isPaused) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.map?.triggerRepaint();
    }, refreshMs);
  }
}

import type { Map as MapLibreMap } from 'maplibre-gl';

/** Changes are shown at most this often, ms. */
const refreshMs = 250;

/** Draws a map again after changes of what lies on it, many changes at once; not while paused. */
export class Redraw {
  map: MapLibreMap | null = null;
  private isPaused = false;
  private timer: ReturnType<typeof setTimeout> | null = null;

  get paused(): boolean { return this.isPaused; }

  /** A page in a hidden tab draws nothing; what changed meanwhile is taken over when it is shown again. */
  set paused(paused: boolean) {
    this.isPaused = paused;
    if (!paused) this.map?.triggerRepaint();
  }

  soon(): void {
    if (this.isPaused) return;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.map?.triggerRepaint();
    }, refreshMs);
  }

  dispose(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}

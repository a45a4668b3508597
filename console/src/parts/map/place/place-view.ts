import { Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection } from 'geojson';
import { Grid } from '../base-maps/grid.ts';
import { gridHiddenUnder, mapStyle, type BaseMapView } from '../base-maps/map-style.ts';
import { mapColours, pageFonts } from '../colours.ts';

setWorkerUrl(workerUrl);

export interface Spot {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

export interface PlaceViewOptions {
  readonly container: HTMLElement;
  readonly base: BaseMapView | null;
  readonly ground: FeatureCollection;
  readonly dark: boolean;
  readonly start: Spot;
  readonly reducedMotion: boolean;
  /** What the map is, and how it is moved where a page scrolls under it. */
  readonly words: { readonly label: string; readonly wheel: string; readonly touch: string };
}

/** A map of a place without lamps: what lies there, and nothing that lives. */
export class PlaceView {
  readonly map: MapLibreMap;
  private readonly grid: Grid;
  private look: Pick<PlaceViewOptions, 'base' | 'ground' | 'dark'>;
  private isGridShown = true;
  private readonly reducedMotion: boolean;

  constructor({ container, start, words, reducedMotion, ...look }: PlaceViewOptions) {
    this.look = look;
    this.reducedMotion = reducedMotion;
    this.map = new MapLibreMap({
      container,
      style: this.style(),
      center: [start.longitude, start.latitude],
      zoom: start.zoom,
      minZoom: 3,
      maxZoom: 19,
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      maxPitch: 0,
      renderWorldCopies: false,
      boxZoom: false,
      fadeDuration: reducedMotion ? 0 : 140,
      localIdeographFontFamily: pageFonts().join(', '),
      cooperativeGestures: true,
      locale: {
        'Map.Title': words.label,
        'CooperativeGesturesHandler.WindowsHelpText': words.wheel,
        'CooperativeGesturesHandler.MacHelpText': words.wheel.replace('Ctrl', '⌘'),
        'CooperativeGesturesHandler.MobileHelpText': words.touch,
      },
    });
    this.grid = new Grid(this.map);
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.on('style.load', () => this.showGrid(this.isGridShown));
    this.map.on('error', (event) => {
      if (!('sourceId' in event) || !String(event.sourceId).startsWith('base-')) console.error(event.error);
    });
  }

  setLook(look: Pick<PlaceViewOptions, 'base' | 'ground' | 'dark'>): void {
    const { base, ground, dark } = this.look;
    if (
      look.dark === dark &&
      look.ground === ground &&
      look.base?.id === base?.id &&
      look.base?.version === base?.version
    )
      return;
    this.look = look;
    this.map.setStyle(this.style(), { diff: false });
  }

  showGrid(shown: boolean): void {
    this.isGridShown = shown;
    for (const layer of ['grid', 'grid-major']) {
      if (this.map.getLayer(layer))
        this.map.setLayoutProperty(layer, 'visibility', shown || !gridHiddenUnder(this.look.base) ? 'visible' : 'none');
    }
  }

  /** Shows all of these places; one alone from near. */
  fit(places: readonly { readonly longitude: number; readonly latitude: number }[]): void {
    if (places.length === 0) return;
    const [xs, ys] = [places.map(({ longitude }) => longitude), places.map(({ latitude }) => latitude)];
    this.map.fitBounds([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], {
      padding: 56,
      maxZoom: 16.5,
      animate: false,
    });
  }

  go({ longitude, latitude, zoom }: Spot): void {
    this.map.easeTo({ center: [longitude, latitude], zoom, animate: !this.reducedMotion, duration: 200 });
  }

  zoomBy(steps: number): void {
    this.map.easeTo({ zoom: this.map.getZoom() + steps, animate: !this.reducedMotion, duration: 200 });
  }

  destroy(): void {
    this.grid.dispose();
    this.map.remove();
  }

  private style() {
    const { base, ground, dark } = this.look;
    // No light is laid over it: it is drawn as dark as it is to be.
    const colours = { ...mapColours(dark, pageFonts()), night: false };
    return mapStyle({
      base,
      ground,
      colours,
      dark,
      latitude: ground.features.length > 0 ? 30 : 0,
      language: document.documentElement.lang,
    });
  }
}

import { Map as MapLibreMap, setWorkerUrl, type LngLatBoundsLike, type StyleSpecification } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { FeatureCollection } from 'geojson';
import { Grid } from './base-maps/grid.ts';
import { gridHiddenUnder, mapStyle, type BaseMapView } from './base-maps/map-style.ts';
import { firstLabelLayer } from './base-style.ts';
import type { Caption } from './close-up-labels.ts';
import { CloseUp } from './close-up.ts';
import { mapColours, pageFonts, type MapColours } from './colours.ts';
import { PointGrid } from './grid.ts';
import type { LampField } from './lamp-field.ts';
import { LampLayers, lightLayerId, shapeLayerId, type MapLayers } from './lamp-layers.ts';
import { fromMercator, mercator, MercatorLocal } from './mercator.ts';
import { insidePolygon } from './polygon.ts';
import { isClear, type Room } from './room.ts';

setWorkerUrl(workerUrl);

/**
 * What is drawn over the ground; by default lamps. `glows` false: the dark ground is drawn as dark as it is, because no
 * light is laid over it.
 */
export interface Drawing {
  readonly glows: boolean;
  make(field: LampField, colours: MapColours): MapLayers;
}
const lampsDrawn: Drawing = { glows: true, make: (field, colours) => new LampLayers(field, colours) };

export interface MapViewOptions {
  drawing?: Drawing | undefined;
  container: HTMLElement;
  ground: FeatureCollection;
  /** The base map; null or absent: the ground where there is one, else the plain grid. */
  base?: BaseMapView | null;
  field: LampField;
  night: boolean;
  /** Drawn instead of fading, panning by keys without easing. */
  reducedMotion: boolean;
  /** Names of what the map's own elements are, for people who do not see them. */
  label: string;
  view?: { longitude: number; latitude: number; zoom: number } | undefined;
  /** Room that the first view leaves free at its edges, CSS pixels. */
  padding?: { top: number; bottom: number; left: number; right: number };
  /** Shift and drag; corners in CSS pixels of the canvas. */
  onBox: (from: ScreenPoint, to: ScreenPoint) => void;
}

export interface ScreenPoint {
  x: number;
  y: number;
}

/** The view comes as near as this to a lamp that was chosen elsewhere. */
const revealZoom = 16;

/** How near the pointer must be to a lamp, CSS pixels. */
const reachPixels = 12;

/** The living map outside React: MapLibre, the lamp layers, and the grid that answers what is where. */
export class MapView {
  readonly map: MapLibreMap;
  private field: LampField;
  private grid: PointGrid;
  private layers: MapLayers;
  /** Of lamps only. */
  private readonly closeUp: CloseUp | null;
  private readonly drawing: Drawing;
  private ground: FeatureCollection;
  private base: BaseMapView | null;
  private isGridShown = true;
  private readonly gridLines: Grid;
  private night: boolean;
  private readonly reducedMotion: boolean;

  constructor(options: MapViewOptions) {
    this.field = options.field;
    this.grid = new PointGrid(options.field.positions);
    this.ground = options.ground;
    this.base = options.base ?? null;
    this.night = options.night;
    this.reducedMotion = options.reducedMotion;
    this.drawing = options.drawing ?? lampsDrawn;
    const colours = this.colours();
    this.layers = this.drawing.make(this.field, colours);
    const { view } = options;
    this.map = new MapLibreMap({
      container: options.container,
      style: this.style(colours),
      ...(view
        ? { center: [view.longitude, view.latitude] as [number, number], zoom: view.zoom }
        : { bounds: this.area(), fitBoundsOptions: { padding: options.padding ?? 24 } }),
      attributionControl: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      maxPitch: 0,
      maxZoom: 19,
      minZoom: 8,
      renderWorldCopies: false,
      fadeDuration: options.reducedMotion ? 0 : 140,
      localIdeographFontFamily: pageFonts().join(', '),
      boxZoom: { boxZoomEnd: (_map, from, to) => options.onBox(from, to) },
      locale: { 'Map.Title': options.label },
    });
    this.gridLines = new Grid(this.map);
    this.closeUp = this.drawing.glows ? new CloseUp(this.map) : null;
    // Tiles that do not come are counted where they are fetched (base/health.ts); everything else is a fault of ours.
    this.map.on('error', (event) => {
      if (!('sourceId' in event) || !String(event.sourceId).startsWith('base-')) console.error(event.error);
    });
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.map.on('style.load', () => this.addLayers());
    this.map.on('webglcontextrestored', () => this.addLayers());
  }

  /** Night or day. The style is set anew, and with it the lamp layers. */
  setNight(night: boolean): void {
    if (night === this.night) return;
    this.night = night;
    this.restyle();
  }

  setGround(ground: FeatureCollection): void {
    if (ground === this.ground) return;
    this.ground = ground;
    this.restyle();
  }

  /** Another base map, or the same with other settings. */
  setBase(base: BaseMapView | null): void {
    if (base?.id === this.base?.id && base?.version === this.base?.version) return;
    this.base = base;
    this.restyle();
  }

  /** Under a map of shapes the grid shows only while its tiles do not come. */
  showGrid(shown: boolean): void {
    this.isGridShown = shown;
    for (const layer of ['grid', 'grid-major']) {
      if (this.map.getLayer(layer))
        this.map.setLayoutProperty(layer, 'visibility', shown || !gridHiddenUnder(this.base) ? 'visible' : 'none');
    }
  }

  /** Other lamps: after a full fetch or a change of work area. */
  setField(field: LampField): void {
    if (field === this.field) return;
    const wasEmpty = this.field.size === 0;
    this.field = field;
    this.grid = new PointGrid(field.positions);
    if (wasEmpty || !this.map.getLayer(lightLayerId)) this.restyle();
    else this.drawAnew();
  }

  /** After positions of the field changed in place. */
  moved(): void {
    this.grid = new PointGrid(this.field.positions);
    this.drawAnew();
  }

  /** Fits the view to the lamps, or to the base map where there are none. `padding` in CSS pixels. */
  fit(
    bounds: LngLatBoundsLike | null = null,
    padding: number | { top: number; bottom: number; left: number; right: number } = 48,
  ): void {
    const area = bounds ?? this.area();
    if (area) this.map.fitBounds(area, { padding, maxZoom: 17, animate: !this.reducedMotion, duration: 200 });
  }

  /**
   * Shows the chosen lamp clear of `padding` (CSS pixels): flies there in 400 ms, to zoom 16 at least; with reduced motion
   * it jumps. `isHere`: it was chosen on the map; the view then moves only if the lamp is covered, and keeps its zoom.
   */
  reveal(index: number, padding: Required<Room>, isHere = false): void {
    const [longitude, latitude] = this.field.lngLat(index);
    const { clientWidth, clientHeight } = this.map.getCanvas();
    const at = this.map.project([longitude, latitude]);
    const zoom = isHere ? this.map.getZoom() : Math.max(this.map.getZoom(), revealZoom);
    if (zoom === this.map.getZoom() && isClear(at, { width: clientWidth, height: clientHeight }, padding)) return;
    const world = 512 * 2 ** zoom;
    const [x, y] = mercator(longitude, latitude);
    const center = fromMercator(
      x + (padding.right - padding.left) / 2 / world,
      y + (padding.bottom - padding.top) / 2 / world,
    );
    if (this.reducedMotion) this.map.jumpTo({ center, zoom });
    else this.map.flyTo({ center, zoom, duration: isHere ? 200 : 400 });
  }

  /** The lamp under a point of the canvas that matches the filters, or null. */
  lampAt(point: ScreenPoint): number | null {
    const [x, y] = this.toLocal(point);
    return this.grid.nearest(
      x,
      y,
      reachPixels / MercatorLocal.pixelsPerUnit(this.map.getZoom()),
      (index) => this.field.visible[index] === 1,
    );
  }

  /** Ids of what matches the filters inside a polygon of the canvas. */
  lampsWithin(corners: readonly ScreenPoint[]): number[] {
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const [x0, y0] = this.toLocal({ x: Math.min(...xs), y: Math.min(...ys) });
    const [x1, y1] = this.toLocal({ x: Math.max(...xs), y: Math.max(...ys) });
    const local = corners.map((corner) => {
      const [x, y] = this.toLocal(corner);
      return { x, y };
    });
    const { positions, visible, ids } = this.field;
    return this.grid
      .inside(x0, y0, x1, y1)
      .filter(
        (index) =>
          visible[index] === 1 && insidePolygon({ x: positions[index * 2]!, y: positions[index * 2 + 1]! }, local),
      )
      .map((index) => ids[index]!);
  }

  /** Ids of the lamps in a box of the canvas that match the filters. */
  lampsIn(from: ScreenPoint, to: ScreenPoint): number[] {
    const [x0, y0] = this.toLocal(from);
    const [x1, y1] = this.toLocal(to);
    return this.grid
      .inside(x0, y0, x1, y1)
      .filter((index) => this.field.visible[index] === 1)
      .map((index) => this.field.ids[index]!);
  }

  /** Where a local position stands on the canvas, CSS pixels. */
  toScreen(x: number, y: number): ScreenPoint {
    return this.map.project(this.field.place.toLngLat(x, y));
  }

  /** What is written beside lamps from near, and the lamp that has its own name; null: nothing, none. */
  write(captionOf: ((index: number) => Caption) | null, focusId: number | null): void {
    this.closeUp?.write(captionOf, focusId);
  }

  pause(): void {
    if (this.closeUp) this.closeUp.paused = true;
    this.layers.redraw.paused = true;
  }

  resume(): void {
    this.layers.redraw.paused = false;
    if (this.closeUp) this.closeUp.paused = false;
    this.map.resize();
  }

  zoomBy(steps: number): void {
    this.map.easeTo({ zoom: this.map.getZoom() + steps, animate: !this.reducedMotion, duration: 200 });
  }

  /** Brings a place closer, as a click on a pill does. */
  approach(x: number, y: number): void {
    this.map.easeTo({
      center: this.field.place.toLngLat(x, y),
      zoom: Math.max(14.2, this.map.getZoom() + 1.4),
      animate: !this.reducedMotion,
      duration: 200,
    });
  }

  destroy(): void {
    this.closeUp?.dispose();
    this.layers.redraw.dispose();
    this.gridLines.dispose();
    this.map.remove();
  }

  private toLocal(point: ScreenPoint): [number, number] {
    const { lng, lat } = this.map.unproject([point.x, point.y]);
    return this.field.place.toLocal(lng, lat);
  }

  private restyle(): void {
    const colours = this.colours();
    this.layers.redraw.dispose();
    this.layers = this.drawing.make(this.field, colours);
    this.map.setStyle(this.style(colours), { diff: false });
  }

  /** The ground stays as it is: only what is drawn over it is made again. */
  private drawAnew(): void {
    this.layers.redraw.dispose();
    for (const id of [lightLayerId, shapeLayerId]) if (this.map.getLayer(id)) this.map.removeLayer(id);
    this.layers = this.drawing.make(this.field, this.colours());
    this.addLayers();
  }

  private colours(): MapColours {
    const colours = mapColours(this.night, pageFonts());
    return this.drawing.glows ? colours : { ...colours, night: false };
  }

  private style(colours: MapColours): StyleSpecification {
    return mapStyle({
      base: this.base,
      ground: this.ground,
      colours,
      dark: this.night,
      latitude: this.latitude(),
      language: document.documentElement.lang,
    });
  }

  private addLayers(): void {
    this.showGrid(this.isGridShown);
    if (this.map.getLayer(lightLayerId) || !this.map.getLayer(firstLabelLayer)) return;
    this.map.addLayer(this.layers.light, firstLabelLayer);
    if (!this.map.getLayer(shapeLayerId)) this.map.addLayer(this.layers.shapes);
    const { field, grid, ground } = this;
    this.closeUp?.show({ field, grid, ground, colours: this.colours() });
  }

  private latitude(): number {
    return this.field.size > 0 ? this.field.lngLat(0)[1] : (this.area()?.[1] ?? 30);
  }

  /** The lamps' bounds, else the base map's, else null. */
  private area(): [number, number, number, number] {
    return this.field.bounds() ?? groundBounds(this.ground) ?? [73, 18, 135, 54];
  }
}

/** West, south, east, north of everything on the base map; null when it is empty. */
function groundBounds(ground: FeatureCollection): [number, number, number, number] | null {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const visit = (value: unknown): void => {
    if (!Array.isArray(value)) return;
    if (typeof value[0] !== 'number') {
      value.forEach(visit);
      return;
    }
    const [x, y] = value as [number, number];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  };
  for (const feature of ground.features) if ('coordinates' in feature.geometry) visit(feature.geometry.coordinates);
  return box[0] === Infinity ? null : box;
}

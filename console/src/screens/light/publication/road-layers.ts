import type { FeatureCollection, LineString } from 'geojson';
import type { GeoJSONSource, Map as MapLibreMap, PointLike } from 'maplibre-gl';
import type { PublicationLampState } from '../../../parts/publishing/words.ts';
import type { Palette } from '../../../theme/tokens.ts';
import type { Stretch } from './road-line.ts';
import { strokeOrder, strokes } from './road-strokes.ts';

export interface DrawnRoad {
  readonly roadId: number;
  readonly stretches: readonly Stretch[];
}
export interface Hit {
  readonly roadId: number;
  readonly state: PublicationLampState;
}
interface Drawn {
  readonly roads: readonly DrawnRoad[];
  readonly chosen: number | null;
  readonly inks: Palette;
}

const source = 'publication-roads';
const reachPixels = 8;
const layerOf = (state: string, part = 'outer'): string => `${source}-${state}-${part}`;
const hitLayers = strokeOrder.map((state) => layerOf(state));
const [casing, ring] = [`${source}-casing`, `${source}-chosen`];
const round = { 'line-cap': 'round', 'line-join': 'round' } as const;

type Features = FeatureCollection<LineString, { roadId: number; state: string }>;
const featuresOf = (roads: readonly DrawnRoad[]): Features => ({
  type: 'FeatureCollection',
  features: roads.flatMap(({ roadId, stretches }) =>
    stretches.map(({ state, line }) => ({
      type: 'Feature' as const,
      properties: { roadId, state },
      geometry: { type: 'LineString' as const, coordinates: line.map(([x, y]) => [x, y]) },
    })),
  ),
});
const isState = (word: unknown): word is PublicationLampState => strokeOrder.some((state) => state === word);

/** Roads over any style of the map: it is set again with every other base map and theme, and they with it. */
export class RoadLayers {
  private readonly map: MapLibreMap;
  private drawn: Drawn;

  constructor(map: MapLibreMap, drawn: Drawn) {
    this.map = map;
    this.drawn = drawn;
    map.on('style.load', this.add);
    if ((map.getStyle()?.layers.length ?? 0) > 0) this.add();
  }

  draw(drawn: Drawn): void {
    const before = this.drawn;
    this.drawn = drawn;
    const kept = this.map.getSource<GeoJSONSource>(source);
    if (!kept) return;
    if (before.roads !== drawn.roads) void kept.setData(featuresOf(drawn.roads));
    if (before.chosen !== drawn.chosen) this.map.setFilter(ring, ['==', ['get', 'roadId'], drawn.chosen ?? -1]);
    // Of all strokes only this one has the accent; with another theme the whole style is set again.
    if (before.inks !== drawn.inks) this.map.setPaintProperty(ring, 'line-color', drawn.inks['c-primary']);
  }

  /** What is drawn at a point of the canvas. */
  at({ x, y }: { readonly x: number; readonly y: number }): Hit | null {
    if (!this.map.getSource(source)) return null;
    const box: [PointLike, PointLike] = [
      [x - reachPixels, y - reachPixels],
      [x + reachPixels, y + reachPixels],
    ];
    const [found] = this.map.queryRenderedFeatures(box, { layers: hitLayers });
    const { roadId, state } = found?.properties ?? {};
    return typeof roadId === 'number' && isState(state) ? { roadId, state } : null;
  }

  dispose(): void {
    this.map.off('style.load', this.add);
  }

  private readonly add = (): void => {
    const { map, drawn } = this;
    if (map.getSource(source)) return;
    const { inks } = drawn;
    map.addSource(source, { type: 'geojson', data: featuresOf(drawn.roads) });
    map.addLayer({
      id: ring,
      source,
      type: 'line',
      filter: ['==', ['get', 'roadId'], drawn.chosen ?? -1],
      layout: round,
      paint: { 'line-color': inks['c-primary'], 'line-width': 20, 'line-opacity': 0.55 },
    });
    map.addLayer({
      id: casing,
      source,
      type: 'line',
      layout: round,
      paint: { 'line-color': inks['c-surface'], 'line-width': 12 },
    });
    for (const state of strokeOrder) {
      const { ink, width, dash, inner } = strokes[state];
      const filter: ['==', ['get', string], string] = ['==', ['get', 'state'], state];
      map.addLayer({
        id: layerOf(state),
        source,
        type: 'line',
        filter,
        paint: { 'line-color': inks[ink], 'line-width': width, ...(dash ? { 'line-dasharray': [...dash] } : {}) },
      });
      if (inner)
        map.addLayer({
          id: layerOf(state, 'inner'),
          source,
          type: 'line',
          filter,
          paint: {
            'line-color': inks[inner.ink],
            'line-width': inner.width,
            ...(inner.dash ? { 'line-dasharray': [...inner.dash] } : {}),
          },
        });
    }
  };
}

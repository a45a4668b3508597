import type { GeoJSONSource, Map as MapLibreMap } from 'maplibre-gl';
import { gridLines } from './grid-lines.ts';

export const gridSource = 'grid';

/** Keeps the plain grid drawn around what is looked at. */
export class Grid {
  private readonly map: MapLibreMap;
  private built: {
    readonly west: number;
    readonly south: number;
    readonly east: number;
    readonly north: number;
    readonly zoom: number;
  } | null = null;
  private readonly stops: { unsubscribe: () => void }[];

  constructor(map: MapLibreMap) {
    this.map = map;
    this.stops = [
      map.on('style.load', () => this.build()),
      map.on('move', () => this.buildWhenLeft()),
      map.on('resize', () => this.build()),
    ];
  }

  dispose(): void {
    for (const stop of this.stops) stop.unsubscribe();
  }

  private buildWhenLeft(): void {
    const { built } = this;
    const [west, south, east, north] = this.view();
    const inside =
      built &&
      west >= built.west - (built.east - built.west) / 2 &&
      east <= built.east + (built.east - built.west) / 2 &&
      south >= built.south - (built.north - built.south) / 2 &&
      north <= built.north + (built.north - built.south) / 2;
    if (!inside || Math.round(this.map.getZoom()) !== Math.round(built.zoom)) this.build();
  }

  private build(): void {
    const source = this.map.getSource<GeoJSONSource>(gridSource);
    if (!source) return;
    const [west, south, east, north] = this.view();
    this.built = { west, south, east, north, zoom: this.map.getZoom() };
    void source.setData(gridLines(this.built));
  }

  private view(): [number, number, number, number] {
    const bounds = this.map.getBounds();
    return [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()];
  }
}

import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import type { FeatureCollection } from 'geojson';
import type { Static } from 'typebox';
import type { BaseMap } from '../../../../../contract/shell/base-maps.ts';
import { baseStyle, firstLabelLayer, underLight } from '../base-style.ts';
import type { MapColours } from '../colours.ts';
import { gridSource } from './grid.ts';
import { tileAddress, teachTiles } from './protocol.ts';
import { vectorLayers } from './vector-layers.ts';

export type BaseMapView = Static<typeof BaseMap>;

/**
 * What a map is drawn on. `base` null: not known yet, or nobody answered: the ground where there is one, else the grid.
 */
export interface MapGround {
  readonly base: BaseMapView | null;
  readonly ground: FeatureCollection;
  /** `night` in them: light is laid over the ground, which darkens it by half. */
  readonly colours: MapColours;
  readonly dark: boolean;
  readonly latitude: number;
  readonly language: string;
}

const noLines: FeatureCollection = { type: 'FeatureCollection', features: [] };

/**
 * The style of whatever lies under the lamps. There always is a layer `label-road`, before which their light is drawn.
 */
export function mapStyle({ base, ground, colours, dark, latitude, language }: MapGround): StyleSpecification {
  const kind = base?.kind ?? (ground.features.length > 0 ? 'ground' : 'grid');
  if (kind === 'ground') return baseStyle(ground, colours, latitude);
  const drawn = colours.night ? underLight(colours) : colours;
  const tiles = base && base.layers > 0 ? base : null;
  if (tiles) teachTiles();
  const above =
    tiles?.format === 'vector'
      ? vectorLayers(drawn, language)
      : tiles
        ? rasterLayers(tiles, dark, colours.night ? 1 : 0.5)
        : [];
  return {
    version: 8,
    sources: { [gridSource]: { type: 'geojson', data: noLines }, ...(tiles ? sourcesOf(tiles) : {}) },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': drawn.ground } },
      gridLayer('grid', drawn, false),
      gridLayer('grid-major', drawn, true),
      ...above,
      ...(above.some(({ id }) => id === firstLabelLayer)
        ? []
        : [{ id: firstLabelLayer, type: 'background', layout: { visibility: 'none' } } as LayerSpecification]),
    ],
  };
}

/**
 * Under pictures the grid shows where none came; between shapes it would shine through, so there it waits for a
 * failure.
 */
export const gridHiddenUnder = (base: BaseMapView | null): boolean =>
  base !== null && base.layers > 0 && base.format === 'vector';

const gridLayer = (id: string, colours: MapColours, major: boolean): LayerSpecification => ({
  id,
  type: 'line',
  source: gridSource,
  filter: ['==', ['get', 'major'], major],
  paint: { 'line-color': colours.gridLine, 'line-width': major ? 1 : 0.6, 'line-opacity': major ? 0.9 : 0.6 },
});

function sourcesOf(base: BaseMapView): Record<string, SourceSpecification> {
  const zooms = { minzoom: base.minZoom, maxzoom: base.maxZoom };
  return Object.fromEntries(
    Array.from({ length: base.layers }, (_, layer): [string, SourceSpecification] => {
      const tiles = [tileAddress({ ...base, tileSize: base.tileSize }, layer)];
      return [
        `base-${layer}`,
        base.format === 'vector'
          ? { type: 'vector', tiles, ...zooms }
          : { type: 'raster', tiles, tileSize: base.tileSize, ...zooms },
      ];
    }),
  );
}

const photographs: ReadonlySet<string> = new Set(['img', 'photo']);

/**
 * `brightness` 0.5 where no light will darken them. By night pictures step back so that lamps shine: photographs are
 * dimmed, drawn maps turned dark and kept in their hue.
 */
function rasterLayers(base: BaseMapView, dark: boolean, brightness: number): LayerSpecification[] {
  const photograph = photographs.has(base.style ?? '');
  return Array.from({ length: base.layers }, (_, layer): LayerSpecification => ({
    id: `base-${layer}`,
    type: 'raster',
    source: `base-${layer}`,
    paint: {
      'raster-fade-duration': 120,
      'raster-resampling': 'linear',
      ...(!dark
        ? { 'raster-saturation': -0.25, 'raster-brightness-min': 0.04 }
        : photograph
          ? { 'raster-brightness-max': 0.5 * brightness, 'raster-saturation': -0.6 }
          : {
              'raster-brightness-min': 0.72 * brightness,
              'raster-brightness-max': 0.08,
              'raster-hue-rotate': 180,
              'raster-saturation': -0.45,
              'raster-contrast': 0.1,
            }),
    },
  }));
}

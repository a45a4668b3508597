import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from 'maplibre-gl';
import type { FeatureCollection } from 'geojson';
import type { MapColours } from './colours.ts';
import { pixelsPerMetre } from './mercator.ts';

/** Ids of layers that the lamp layers are put before. */
export const firstLabelLayer = 'label-road';

/**
 * The whole ground as one MapLibre style: water, parks, blocks, buildings, roads by class at their real width, and
 * names. There is no `glyphs` address, so every character is drawn by the browser from the console's own fonts and
 * nothing is fetched. `latitude` sets the scale of road widths.
 */
export function baseStyle(ground: FeatureCollection, tokens: MapColours, latitude: number): StyleSpecification {
  const colours = tokens.night ? underLight(tokens) : tokens;
  return {
    version: 8,
    sources: { ground: { type: 'geojson', data: ground, tolerance: 0.2 } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': colours.ground } },
      area('block', colours.block),
      area('park', colours.park),
      area('water', colours.water),
      { ...area('building', colours.building), minzoom: 15 } as LayerSpecification,
      ...roads(colours, latitude),
      ...labels(colours),
    ],
  };
}

/** The light layer darkens the ground to the half where no lamp shines (see sumFragment): draw it twice as bright. */
export function underLight(colours: MapColours): MapColours {
  const { ground, block, park, water, building, road, roadMinor, roadCase, express, gridLine } = colours;
  const twice = Object.fromEntries(
    Object.entries({ ground, block, park, water, building, road, roadMinor, roadCase, express, gridLine }).map(
      ([name, colour]) => [name, doubled(colour)],
    ),
  );
  return { ...colours, ...twice };
}

/** `#0b0e12` → `rgb(22, 28, 36)`. */
function doubled(colour: string): string {
  const value = Number.parseInt(colour.slice(1), 16);
  return `rgb(${[16, 8, 0].map((shift) => Math.min(255, ((value >> shift) & 255) * 2)).join(', ')})`;
}

const inLayer = (name: string): ExpressionSpecification => ['==', ['get', 'layer'], name];

function area(name: string, colour: string): LayerSpecification {
  return { id: name, type: 'fill', source: 'ground', filter: inLayer(name), paint: { 'fill-color': colour } };
}

/** A line as wide as the road's `width` in metres plus `extra` pixels, never thinner than `least`. */
function roadWidth(latitude: number, least: number, extra: number): ExpressionSpecification {
  const at = (zoom: number): ExpressionSpecification => [
    '+',
    extra,
    ['max', least, ['*', ['coalesce', ['get', 'width'], 8], pixelsPerMetre(zoom, latitude)]],
  ];
  return ['interpolate', ['exponential', 2], ['zoom'], 10, at(10), 14, at(14), 20, at(20)];
}

function roads(colours: MapColours, latitude: number): LayerSpecification[] {
  const isRoad = inLayer('road');
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const colour: ExpressionSpecification = [
    'match',
    ['get', 'class'],
    'express',
    colours.express,
    'expressway',
    colours.express,
    'branch',
    colours.roadMinor,
    'path',
    colours.roadMinor,
    colours.road,
  ];
  const order: ExpressionSpecification = [
    'match',
    ['get', 'class'],
    ['express', 'expressway', 'trunk'],
    4,
    'main',
    3,
    'secondary',
    2,
    'branch',
    1,
    0,
  ];
  return [
    {
      id: 'road-case',
      type: 'line',
      source: 'ground',
      filter: isRoad,
      minzoom: 12,
      layout: { ...round, 'line-sort-key': order },
      paint: { 'line-color': colours.roadCase, 'line-width': roadWidth(latitude, 0.7, 1.2) },
    },
    {
      id: 'road',
      type: 'line',
      source: 'ground',
      filter: isRoad,
      layout: { ...round, 'line-sort-key': order },
      paint: { 'line-color': colour, 'line-width': roadWidth(latitude, 0.7, 0) },
    },
  ];
}

function labels(colours: MapColours): LayerSpecification[] {
  const paint = {
    'text-color': colours.label,
    'text-halo-color': colours.labelHalo,
    'text-halo-width': 1.5,
    'text-halo-blur': 0.5,
  } as const;
  const font = { 'text-font': [...colours.fonts], 'text-field': ['get', 'name'] as ExpressionSpecification };
  return [
    {
      id: firstLabelLayer,
      type: 'symbol',
      source: 'ground',
      filter: ['all', inLayer('road'), ['has', 'name']],
      minzoom: 12,
      layout: {
        ...font,
        'symbol-placement': 'line',
        'text-size': ['interpolate', ['linear'], ['zoom'], 12, 12, 17, 13],
        'text-letter-spacing': 0.12,
        'symbol-spacing': 420,
        'text-max-angle': 30,
        'text-padding': 12,
        'text-offset': [0, 1.35],
      },
      paint,
    },
    {
      id: 'label-area',
      type: 'symbol',
      source: 'ground',
      filter: ['all', ['in', ['get', 'layer'], ['literal', ['water', 'park']]], ['has', 'name']],
      minzoom: 11,
      layout: { ...font, 'text-size': 13, 'text-letter-spacing': 0.4, 'text-padding': 20 },
      paint: { ...paint, 'text-color': ['case', inLayer('water'), colours.waterLabel, colours.label] },
    },
  ];
}

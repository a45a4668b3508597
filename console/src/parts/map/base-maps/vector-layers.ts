import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl';
import { firstLabelLayer } from '../base-style.ts';
import type { MapColours } from '../colours.ts';

/** The same things by the names that the common schemas (Protomaps, OpenMapTiles, Shortbread) give their layers. */
const layersOf = {
  earth: ['earth', 'land'],
  block: ['landuse'],
  park: ['landcover', 'park', 'sites'],
  water: ['water', 'ocean', 'water_polygons'],
  building: ['buildings', 'building'],
  road: ['roads', 'transportation', 'streets'],
  roadName: ['roads', 'transportation_name', 'street_labels'],
  place: ['places', 'place', 'place_labels'],
} as const;

const kind: ExpressionSpecification = ['coalesce', ['get', 'kind'], ['get', 'class'], ['get', 'subclass'], ''];
const greens = [
  'park',
  'grass',
  'forest',
  'wood',
  'garden',
  'nature_reserve',
  'national_park',
  'scrub',
  'farmland',
  'wetland',
  'grassland',
  'meadow',
  'recreation_ground',
  'playground',
  'pitch',
];
const express = ['highway', 'motorway', 'trunk'];
const mains = ['major_road', 'primary', 'secondary', 'main'];
const withoutLines = ['rail', 'ferry', 'transit', 'pier'];

type Draw = (id: string, sourceLayer: string) => LayerSpecification;
const each = (what: keyof typeof layersOf, draw: Draw): LayerSpecification[] =>
  layersOf[what].map((name) => draw(`${what}-${name}`, name));
const polygons: FilterSpecification = ['==', ['geometry-type'], 'Polygon'];
const greenPolygons: FilterSpecification = [
  'all',
  ['==', ['geometry-type'], 'Polygon'],
  ['in', kind, ['literal', greens]],
];
const lines: FilterSpecification = ['==', ['geometry-type'], 'LineString'];

const fill =
  (colour: string | ExpressionSpecification, minzoom = 0, filter: FilterSpecification = polygons): Draw =>
  (id, layer) => ({
    id,
    type: 'fill',
    source: 'base-0',
    'source-layer': layer,
    filter,
    minzoom,
    paint: { 'fill-color': colour },
  });

/** A vector map in our own colours, whoever drew it. Names in the reader's language where it has them. */
export function vectorLayers(colours: MapColours, language: string): LayerSpecification[] {
  const isGreen: ExpressionSpecification = ['in', kind, ['literal', greens]];
  return [
    ...each('earth', fill(colours.block)),
    ...each('block', fill(['case', isGreen, colours.park, colours.block])),
    ...each('park', fill(colours.park, 0, greenPolygons)),
    ...each('water', fill(colours.water)),
    ...each('building', fill(colours.building, 14)),
    ...each('road', road(colours, true)),
    ...each('road', road(colours, false)),
    ...roadNames(colours, language),
    ...each('place', placeName(colours, language)),
  ];
}

const road =
  (colours: MapColours, isCase: boolean): Draw =>
  (id, layer) => {
    const width = (scale: number): ExpressionSpecification => [
      '+',
      isCase ? 1.2 : 0,
      ['*', scale, ['match', kind, express, 2.2, mains, 1.6, 1]],
    ];
    return {
      id: isCase ? `${id}-case` : id,
      type: 'line',
      source: 'base-0',
      'source-layer': layer,
      filter: ['all', lines, ['!', ['in', kind, ['literal', withoutLines]]]],
      minzoom: isCase ? 12 : 5,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: {
        'line-color': isCase
          ? colours.roadCase
          : ['match', kind, express, colours.express, mains, colours.road, colours.roadMinor],
        'line-width': [
          'interpolate',
          ['exponential', 1.6],
          ['zoom'],
          6,
          width(0.4),
          13,
          width(1.2),
          17,
          width(6),
          20,
          width(26),
        ],
      },
    };
  };

const nameIn = (language: string): ExpressionSpecification => {
  const short = language.slice(0, 2);
  const chinese = language === 'zh-TW' ? ['name:zh-Hant', 'name:zh'] : ['name:zh-Hans', 'name:zh'];
  const keys = [...(short === 'zh' ? chinese : [`name:${short}`]), 'name', 'name:latin', 'name_en'];
  return ['coalesce', ...keys.map((key): ExpressionSpecification => ['get', key])] as ExpressionSpecification;
};

const paintOf = (colours: MapColours) =>
  ({
    'text-color': colours.label,
    'text-halo-color': colours.labelHalo,
    'text-halo-width': 1.5,
    'text-halo-blur': 0.5,
  }) as const;

/** The first of them is where the light of the lamps goes under. */
const roadNames = (colours: MapColours, language: string): LayerSpecification[] =>
  layersOf.roadName.map((name, index) => ({
    id: index === 0 ? firstLabelLayer : `label-${name}`,
    type: 'symbol',
    source: 'base-0',
    'source-layer': name,
    filter: lines,
    minzoom: 13,
    layout: {
      'text-font': [...colours.fonts],
      'text-field': nameIn(language),
      'symbol-placement': 'line',
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 11, 17, 13],
      'symbol-spacing': 380,
      'text-max-angle': 30,
      'text-padding': 8,
    },
    paint: paintOf(colours),
  }));

const placeName =
  (colours: MapColours, language: string): Draw =>
  (id, layer) => ({
    id: `label-${id}`,
    type: 'symbol',
    source: 'base-0',
    'source-layer': layer,
    minzoom: 4,
    layout: {
      'text-font': [...colours.fonts],
      'text-field': nameIn(language),
      'text-size': ['interpolate', ['linear'], ['zoom'], 5, 11, 14, 14],
      'text-padding': 12,
    },
    paint: paintOf(colours),
  });

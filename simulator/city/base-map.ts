import { simplified, stations, toDegrees, type Point } from './plane.ts';
import type { Area, City } from './types.ts';

/** GeoJSON of the base map, one collection; `layer` tells what a feature is. Widths and heights are metres. */
export interface BaseMap {
  type: 'FeatureCollection';
  bbox: [west: number, south: number, east: number, north: number];
  features: BaseMapFeature[];
}
type Coordinates = [longitude: number, latitude: number];
interface RoadProperties {
  class: 'main' | 'secondary' | 'branch' | 'path';
  name: string;
  code: string;
  width: number;
}
export interface BaseMapFeature {
  type: 'Feature';
  properties: {
    layer: 'water' | 'park' | 'block' | 'building' | 'road' | 'bridge';
    name?: string;
    height?: number;
  } & Partial<RoadProperties>;
  geometry: { type: 'Polygon'; coordinates: Coordinates[][] } | { type: 'LineString'; coordinates: Coordinates[] };
}

const mapClass = { arterial: 'main', secondary: 'secondary', branch: 'branch', park: 'path' } as const;

/**
 * Draws a city's base map, in drawing order: water, parks, blocks, buildings, bridges, small roads before large ones.
 */
export function drawBaseMap(city: City): BaseMap {
  const features: BaseMapFeature[] = [
    ...city.water.map((area) => polygon('water', area, 1)),
    ...city.parks.map((area) => polygon('park', area, 1)),
    ...city.blocks.map((area) => polygon('block', area, 0.8)),
    ...city.buildings.map((area) => polygon('building', area, 0)),
  ];
  for (const roadClass of ['park', 'branch', 'secondary', 'arterial'] as const) {
    for (const street of city.streets) {
      if (street.roadClass !== roadClass) continue;
      const properties: RoadProperties = {
        class: mapClass[roadClass],
        name: street.name,
        code: street.code,
        width: street.width,
      };
      for (const [from, to, name] of street.bridges)
        features.push(
          line('bridge', piece(street.line, from - 25, to + 25), { ...properties, name, width: street.width + 6 }),
        );
      features.push(line('road', simplified(street.line, 0.5), properties));
    }
  }
  return { type: 'FeatureCollection', bbox: boundsOf(city), features };
}

/** West, south, east, north of everything lit, degrees. */
export function boundsOf(city: Pick<City, 'poles'>): [number, number, number, number] {
  const places = city.poles.map((pole) => toDegrees(pole.at));
  return places.reduce<[number, number, number, number]>(
    (box, [x, y]) => [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)],
    [180, 90, -180, -90],
  );
}

function polygon(layer: 'water' | 'park' | 'block' | 'building', area: Area, tolerance: number): BaseMapFeature {
  const closed = [...area.outline, area.outline[0] as Point];
  const ring = (
    tolerance > 0
      ? [
          ...simplified(closed.slice(0, Math.ceil(closed.length / 2)), tolerance).slice(0, -1),
          ...simplified(closed.slice(Math.ceil(closed.length / 2) - 1), tolerance),
        ]
      : closed
  ).map(toDegrees);
  return {
    type: 'Feature',
    properties: { layer, ...(area.name ? { name: area.name } : {}), ...(area.height ? { height: area.height } : {}) },
    geometry: { type: 'Polygon', coordinates: [ring] },
  };
}

function line(layer: 'road' | 'bridge', points: readonly Point[], properties: RoadProperties): BaseMapFeature {
  return {
    type: 'Feature',
    properties: { layer, ...properties },
    geometry: { type: 'LineString', coordinates: points.map(toDegrees) },
  };
}

const piece = (points: readonly Point[], from: number, to: number): Point[] =>
  stations(points, Math.max(0, from), 20)
    .filter((station) => station.along <= to)
    .map((station) => station.at);

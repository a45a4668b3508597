import { Type } from 'typebox';
import { Nullable, Timestamp, route } from '../route.ts';

/** The demo city: whether it is there, its evening, and the base map that belongs to it. */

export const DemoState = Type.Object({
  /** This process plays a demo city. */
  active: Type.Boolean(),
  /** The sun of the demo area is moved so that it was dusk when the city was first started. */
  demoEvening: Type.Boolean(),
  /** When the city was made. */
  since: Nullable(Timestamp),
  workAreaId: Nullable(Type.Integer()),
  /** Minutes by which the sun is moved now. */
  sunOffsetMinutes: Type.Integer(),
  lamps: Type.Integer(),
});

export const getDemo = route({
  method: 'GET',
  path: '/api/v1/demo',
  tag: 'demo',
  access: 'session',
  summary: 'Whether a demo city is played here, and whether its evening is on.',
  reply: DemoState,
});

export const endDemoEvening = route({
  method: 'POST',
  path: '/api/v1/demo/end-evening',
  tag: 'demo',
  access: 'demo.control',
  action: 'demo.endEvening',
  summary:
    'Ends the demo evening: from now on the area’s sun is the real one. Answers the new state; ending it twice changes nothing.',
  reply: DemoState,
});

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

/** `layer` tells what a feature is; names are the city's own, widths and heights metres. */
export const BaseMapFeature = Type.Object({
  type: Type.Literal('Feature'),
  properties: Type.Object({
    layer: Type.Enum(['water', 'park', 'block', 'building', 'road', 'bridge']),
    name: Type.Optional(Type.String()),
    code: Type.Optional(Type.String()),
    class: Type.Optional(Type.Enum(['main', 'secondary', 'branch', 'path'])),
    width: Type.Optional(Type.Number()),
    height: Type.Optional(Type.Number()),
  }),
  geometry: Type.Union([
    Type.Object({ type: Type.Literal('Polygon'), coordinates: Type.Array(Type.Array(Position)) }),
    Type.Object({ type: Type.Literal('LineString'), coordinates: Type.Array(Position) }),
  ]),
});

export const getBaseMap = route({
  method: 'GET',
  path: '/api/v1/base-map',
  tag: 'demo',
  access: ['lamp.monitor', 'device.query', 'device.import', 'site.maps'],
  summary:
    'The base map as one GeoJSON collection in WGS-84, in drawing order; without features where none belongs to the installation.',
  reply: Type.Object({
    type: Type.Literal('FeatureCollection'),
    /** West, south, east, north of everything lit. */
    bbox: Type.Optional(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
    features: Type.Array(BaseMapFeature),
  }),
});

import { Type } from 'typebox';
import { clockPattern } from '../../catalogue/lighting/plan/clock.ts';
import { Nullable, Timestamp, route } from '../route.ts';

/** The demo city: whether it runs, its evening, and its base map. */

/** What happens in the city, by the device that shows it. */
const Story = Type.Object({
  /** A cabinet without supply for some minutes each evening; a cut cable; a driver that dies slowly; a relay that is stuck. */
  kind: Type.Enum(['powerLoss', 'cableCut', 'dyingDriver', 'stuckRelay']),
  /** The controller, or the lamp (of a cut cable the first one behind it). */
  deviceId: Type.Integer(),
  code: Type.String({ maxLength: 64 }),
  /** Name of its road. */
  road: Type.String({ maxLength: 64 }),
  /** Lamps that have a part in it. */
  lamps: Type.Integer(),
  /** When it began, or begins in the present night. */
  from: Nullable(Timestamp),
  /** When it ends; null: when somebody repairs it. */
  to: Nullable(Timestamp),
});

/**
 * What a newcomer is shown: ids of the city as it was made. null: the city has none, or was made by an older version.
 * Things may have been deleted since. What the caller may not see is null.
 */
const Places = Type.Object({
  /** A lamp of a main road. */
  lampId: Nullable(Type.Integer()),
  /** The central controller of the cabinet that fails each evening; null: none does. */
  controllerId: Nullable(Type.Integer()),
  /** A command that readings proved on every lamp. */
  commandId: Nullable(Type.Integer()),
  /** A command that waits for a second person. */
  approvalId: Nullable(Type.Integer()),
  /** A scheme with a version that no lamp follows yet, and the number of that version. */
  schemeId: Nullable(Type.Integer()),
  schemeNumber: Nullable(Type.Integer()),
  /** User name of the duty operator, to look through whose eyes. */
  username: Nullable(Type.String({ maxLength: 64 })),
  /** A checked file that waits to be applied. */
  importId: Nullable(Type.Integer()),
});

export const DemoState = Type.Object({
  /** This process runs a demo city. */
  active: Type.Boolean(),
  /** The sun of the demo area is shifted so that it was dusk when the city first started. */
  demoEvening: Type.Boolean(),
  /** When the city was created. */
  since: Nullable(Timestamp),
  workAreaId: Nullable(Type.Integer()),
  /** Current shift of the sun. */
  sunOffsetMinutes: Type.Integer(),
  lamps: Type.Integer(),
  /** Shares of the past that the devices have delivered, from 0 to 1: of the last day, and of the week before it. */
  history: Type.Object({
    day: Type.Number({ minimum: 0, maximum: 1 }),
    week: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  /** Of devices that the caller sees; empty in small cities. */
  stories: Type.Array(Story, { maxItems: 10 }),
  /** null: no demo city was made here, or by a version that had none. */
  places: Nullable(Places),
});

export const getDemo = route({
  method: 'GET',
  path: '/api/v1/demo',
  tag: 'demo',
  access: 'session',
  summary: 'Whether a demo city runs here, and whether its evening is on.',
  reply: DemoState,
});

export const endDemoEvening = route({
  method: 'POST',
  path: '/api/v1/demo/end-evening',
  tag: 'demo',
  access: 'demo.control',
  action: 'demo.endEvening',
  summary:
    'Ends the demo evening: from now on the area’s sun is the real one. Returns the new state; ending it twice changes nothing.',
  reply: DemoState,
});

export const setDemoEvening = route({
  method: 'PUT',
  path: '/api/v1/demo/evening',
  tag: 'demo',
  access: 'demo.control',
  action: 'demo.setEvening',
  refuses: ['noDemoCity'],
  summary:
    'Moves the demo evening: now it is this minute of the area’s present night from noon to noon, for its sun and its plans alike. Returns the new state; where no demo city runs it is refused.',
  body: Type.Object({ clock: Type.String({ maxLength: 5, pattern: `^${clockPattern}$` }) }),
  reply: DemoState,
});

const Position = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

/** `layer` is the kind of a feature; names are the city's own, widths and heights are in metres. */
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
    'The base map as one GeoJSON collection in WGS-84, in drawing order; without features if the installation has none.',
  reply: Type.Object({
    type: Type.Literal('FeatureCollection'),
    /** West, south, east, north of the lit area. */
    bbox: Type.Optional(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
    features: Type.Array(BaseMapFeature),
  }),
});
